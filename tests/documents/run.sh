#!/bin/sh
# run.sh - tries every block of code and every link in every document; ends with `N passed, N failed`
#
#     make test PARTS=documents
#
# Each block has a language; `text` is what is shown and not typed. C is compiled and run, and must print the next block of text.
# Commands of the tool are run in the order of their page. A command that cannot be tried here has its reason below, and must name
# files that exist and targets of the Makefile. Blocks of Python and R are tried by tests/bindings/run.sh (make test-all), those of
# docs/worked_additions.md by additions.sh.
. tests/tools/tool.sh
cd "$top" || exit 2
pages=$(find . -name '*.md' ! -path './build/*' ! -path './.git/*' | sed 's|^\./||' | sort)
mkdir -p "$work/blocks"
before=
words=$(tr ' ' '\n' < build/flags | grep -vE '^-W[a-z-]*$|^-pedantic$')
flags=$(echo "$words" | grep -v '^-l') libraries=$(echo "$words" | grep '^-l')

# Each block goes to a file, blocks/PAGE:LINE.LANGUAGE with _ for the / of the page, and has a line in the list.
for page in $pages; do
    awk -v page="$page" -v into="$work/blocks" '
        /^ *```/ && inside { inside = 0; close(file); next }
        /^ *```/ {
            inside = 1; language = $0; sub(/^ *```/, "", language)
            name = page; gsub(/\//, "_", name)
            file = into "/" name ":" sprintf("%04d", NR) "." language
            print page, NR, file, language >> (into "/list")
            printf "" > file
            next
        }
        inside { print > file }
        END { if (inside) print page, NR, "-", "open" >> (into "/list") }' "$page"
done

# where, file or ''  -  compiles and runs program.c; it must print the figures of the file
program() {
    $flags -O0 -Ibuild/declared "$work/program.c" build/tools/cli/library.o -o "$work/program" $libraries > "$work/said" 2>&1 &&
        "$work/program" > "$work/out" 2>> "$work/said" && { [ -z "$2" ] || build/compare_numbers "$2" "$work/out"; }
    if [ $? = 0 ]; then good; else bad "$1: does not compile, fails, or prints something else"; cat "$work/said"; fi
}

# One command of a page.
command_of() {
    case $2 in
    build/bayeslin*'| jq '*)
        if ! command -v jq > /dev/null; then echo 'not found: jq'; typed "$1" "${2%%|*}"; else typed "$1" "$2"; fi ;;
    build/bayeslin* | 'head '*) typed "$1" "$2" ;;
    *)  case $1:$2 in
        README.md:'make test '*) ;;                                 # this is part of it
        README.md:'make demo '*) ;;                                 # half a minute: .ci/run
        docs/python.md:'make shared '* | docs/r.md:'make shared '*) ;;                  # before tests/bindings/run.sh, which
        docs/r.md:'mkdir -p build/R '* | docs/r.md:PKG_CPPFLAGS=*) ;;                   # has these two lines as well
        docs/python.md:'PYTHONPATH=bindings/python python3') ;;     # a session at a terminal
        bench/README.md:*) ;;                                       # minutes, and data that are not in the repository
        docs/worked_additions.md:*) ;;                              # a verb that only additions.sh makes
        *) bad "$1: nothing tries \"$2\""; return ;;
        esac
        for word in $2; do
            case $word in bench/*.* | bindings/*.c | bindings/python) [ -e "$word" ] || bad "$1: \"$2\": there is no $word" ;; esac
        done
        case $2 in 'make '[a-z]*) target=${2#make }; grep -q "^${target%% *}:" Makefile || bad "$1: \"$2\": no such target" ;; esac
        good ;;
    esac
}

# page, command of the tool: in a folder of its own, which each page finds empty.
typed() {
    [ "$1" = "$before" ] || { rm -rf "$work/build"; mkdir "$work/build"; }
    before=$1 said="$1: $2"
    echo "$2" | sed "s|^build/bayeslin|\"$tool\"|; s|examples/data|\"$data\"|g" > "$work/line.sh"
    cd "$work" || exit 2
    if sh ./line.sh > out 2> err < /dev/null; then good; else bad "$said: fails"; sed 's/^/    /' err; fi
    case $2 in *info*few.bln) out_has "(intercept)"; out_has "Student's t" ;; esac
    cd "$top" || exit 2
}

while read -r page line file language; do
    next=$(awk -v page="$page" -v line="$line" '$1 == page && $2 > line { if ($4 == "text") print $3; exit }' "$work/blocks/list")
    case $page:$language in
    *:text) ;;
    docs/worked_additions.md:sh) ;;
    *:sh)
        while read -r one; do [ -z "$one" ] || command_of "$page" "$one"; done < "$file" ;;
    docs/worked_additions.md:c | docs/worked_additions.md:diff) ;;
    docs/python.md:python | docs/python.md:pycon | docs/r.md:r | docs/json.md:python | docs/json.md:r) ;;
    docs/adding_things.md:c)                        # statements, about a likelihood `mine`
        {
            printf '#include "bayeslin.h"\n#include <string.h>\nint main(void) {\n'
            printf 'bln_likelihood mine = bln_likelihood_poisson(BLN_LINK_LOG), found;\nbln_likelihood_ops ops = *mine.ops;\n'
            printf 'ops.name = "my_counts"; mine.ops = &ops;\n'
            cat "$file"
            printf 'return bln_likelihood_find(load.likelihoods, load.n_likelihoods, "my_counts", 0, 1, &found)\n'
            printf '    || found.ops != &ops;\n}\n'
        } > "$work/program.c"
        program "$page:$line" '' ;;
    docs/programs.md:c)                             # a program whose draws depend on rounding, or functions of a model
        if grep -q 'int main' "$file"; then
            cp "$file" "$work/program.c"
            { echo '# tolerance 0.1 0.02'; cat "$next"; } > "$work/expected"
            program "$page:$line" "$work/expected"
        else
            {
                printf '#include "bayeslin.h"\n#include <math.h>\n'
                cat "$file"
                echo 'int main(void) { return 0; }'
            } > "$work/program.c"
            program "$page:$line" ''
        fi ;;
    *:c)
        cp "$file" "$work/program.c"
        program "$page:$line" "$next" ;;
    *)  bad "$page:$line: nothing tries a block of \"$language\" here" ;;
    esac
done < "$work/blocks/list"

# Links lead to files that exist, and to headings in them: in small letters, blanks as -, else only letters, digits, _ and -.
awk '
    FNR == 1 { inside = 0 }
    /^ *```/ { inside = !inside; next }
    inside { next }
    /^#+ / {
        name = tolower($0); sub(/^#+ */, "", name); gsub(/[^a-z0-9_ -]/, "", name); gsub(/ /, "-", name)
        heading[FILENAME "#" name] = 1
    }
    { rest = $0
      while (match(rest, /\]\([^)]+\)/)) {
          link[++n] = substr(rest, RSTART + 2, RLENGTH - 3); from[n] = FILENAME
          rest = substr(rest, RSTART + RLENGTH)
      } }
    END {
        for (i = 1; i <= n; i++) {
            if (link[i] ~ /^https?:/) continue
            folder = from[i]; if (!sub(/\/[^\/]*$/, "/", folder)) folder = ""
            path = link[i]; sub(/#.*/, "", path)
            path = path == "" ? from[i] : folder path
            while (sub(/[^\/.]+\/\.\.\//, "", path)) {}
            mark = link[i]; if (!sub(/^[^#]*#/, "#", mark)) mark = ""
            print from[i], link[i], path, mark == "" || (path mark) in heading
        }
    }' $pages > "$work/links"
while read -r page link path found; do
    if [ -e "$path" ] && [ "$found" = 1 ]; then good; else bad "$page: the link $link leads nowhere"; fi
done < "$work/links"

# The manual's first program is that of the README.
sed -n '/^ \* QUICK START/,/^ \* CONTENTS/s/^ \*     //p' build/include/bayeslin.h | sed '/^$/d' > "$work/manual.c"
sed '/^$/d' "$(awk '$1 == "README.md" && $4 == "c" { print $3; exit }' "$work/blocks/list")" > "$work/readme.c"
same "$work/manual.c" "$work/readme.c" "the first program of the manual and of the README"

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
