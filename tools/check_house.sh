#!/bin/sh
# check_house.sh - the rules of the house that a machine can check; ends with `N passed, N failed`
#
#     sh tools/check_house.sh        from the top of the project; one test for each file
#
# Text:   no line over 132 columns (but in .md, .py and lists of cases), no file over 900 lines, no tab, no blank at the end of a
#         line (but of a case, which may ask for one), no note of work left undone.
# Rooms:  each .h and .c of src/ belongs to the list of tools/amalgamate.c, which includes only what stands before it; each .c
#         opens with a comment; no file includes a room of which it uses nothing (a header: of which no file of its room does);
#         what a room declares is defined in that room and nowhere else; public functions are declared in a header under a
#         comment; every option BAYESLIN_x is explained in src/manual.h. That each .c compiles with what it includes, and that
#         these objects link, tests/compile/run.sh shows.
# Tests:  every room that has code has tests/<floor>/test_<room>.c, whose suite lists all its tests; every public function with a
#         report is in the table of tests/use/test_policies.c.
# Lists:  each likelihood, method of glm and kernel is in the comments, documents and lists of the tool that name all of them.
# Sources: what comments cite in [brackets] is in the REFERENCES of src/manual.h. Labels of equations, such as [linear 3], are in
#         docs/mathematics: tools/check_labels.sh. A tag such as >>slm is the title of a section.
export LC_ALL=C
passed=0 failed=0
text=$(find src tests tools examples bench docs bindings .ci README.md CONTRIBUTING.md CHANGELOG.md LICENSE Makefile \
       .editorconfig -type f \
       ! -name '*.csv' ! -name '*.expected' ! -name '*.bln' ! -name '*.svg' ! -path '*/golden/*' \
       ! -path '*/fuzz/corpus/*' 2>/dev/null | sort)

result() {      # file, complaints
    if [ -z "$2" ]; then passed=$((passed + 1)); return; fi
    failed=$((failed + 1))
    echo "FAIL $1"
    echo "$2" | sed 's/^/    /'
}

for file in $text; do
    result "$file" "$(awk -v file="$file" '
        function say(what) { print file ":" NR ": " what }
        { if (length($0) > 132 && file !~ /\.(md|py)$|\/cases\//) {  # columns, not bytes: UTF-8 continuation bytes do not count
              bytes = $0; gsub(/[\200-\277]/, "", bytes)
              if (length(bytes) > 132) say("longer than 132 columns") } }
        /\t/ && file !~ /Makefile$/ { say("a tab") }
        /[ \r]$/ && file !~ /\/cases\// { say("a blank at the end of the line") }
        /(TO)DO|(FIX)ME|(XX)X/ { say("work left undone") }
        END { if (NR > 900) print file ": " NR " lines" }' "$file")"
done

parts=$(sed -n '/^static const char \*const parts/,/^};/p' tools/amalgamate.c | tr ',' '\n' | sed -n 's/.*"\(.*\)".*/\1/p')
sources= headers=
for part in $parts; do
    [ -f "src/$part.h" ] && { sources="$sources src/$part.h"; headers="$headers src/$part.h"; }
    [ -f "src/${part}_private.h" ] && sources="$sources src/${part}_private.h"
    [ -f "src/$part.c" ] && sources="$sources src/$part.c"
done

# Files that nothing joins.
result 'list of parts in tools/amalgamate.c' "$(
    for file in $(find src -mindepth 2 -name '*.[ch]' | sort); do
        case " $sources " in *" $file "*) ;; *) echo "$file is not in the list" ;; esac
    done
    for part in $parts; do
        [ -f "src/$part.h" ] || [ -f "src/$part.c" ] || [ -f "src/${part}_private.h" ] || echo "$part: no such part"
    done)"

# Who defines a name, who uses it. First pass over all files: names and includes. Second pass: uses.
# A part without a header belongs to the room whose piece it is (floor/room_piece), else to the next one in the list.
owners=$(echo "$parts" | while read -r part; do
    owner=$part
    while [ ! -f "src/$owner.h" ] && [ ! -f "src/${owner}_private.h" ] && [ "$owner" != "${owner%_*}" ]; do
        owner=${owner%_*}; done
    [ -f "src/$owner.h" ] || [ -f "src/${owner}_private.h" ] ||
        owner=$(echo "$parts" | sed -n "\\|^$part\$|,\$p" | while read -r next; do
        if [ -f "src/$next.h" ]; then echo "$next"; break; fi; done)
    echo "$part $owner"
done)
uses=$(awk -v owners="$(echo $owners)" '
    BEGIN { n_owners = split(owners, o, " "); for (i = 1; i < n_owners; i += 2) owner[o[i]] = o[i + 1] }
    function code(line,   out, at) {                       # line without comments and strings
        out = ""
        while (line != "") {
            if (in_comment) {
                at = index(line, "*/")
                if (!at) return out
                line = substr(line, at + 2); in_comment = 0
            } else if (match(line, /\/\*|"([^"\\]|\\.)*"/)) {
                out = out substr(line, 1, RSTART - 1) " "
                in_comment = substr(line, RSTART, 2) == "/*"
                line = substr(line, RSTART + RLENGTH)
            } else { out = out line; line = "" }
        }
        return out
    }
    function define(name) { if (!(name in home)) home[name] = room }
    # A function at the left margin: declared, if its head ends with a semicolon, else defined.
    function signature(head,   name) {
        match(head, /blni?_[A-Za-z0-9_]+ *\(/)
        name = substr(head, RSTART, RLENGTH)
        sub(/ *\($/, "", name)
        define(name)
        if (head ~ /; *$/ && head !~ /\{/) { if (!(name in declared)) { declared[name] = room; where[name] = FILENAME ":" FNR } }
        else if (!(name in defined)) defined[name] = room
    }
    FNR == 1 {
        part = FILENAME; sub(/^src\//, "", part); sub(/(_private)?\.[ch]$/, "", part)
        room = owner[part]; in_comment = 0; depth = 0; in_enum = 0; in_list = 0; head = ""
        floor = part; sub(/\/.*/, "", floor)
    }
    pass == 1 {
        line = code($0)
        if (head == "" && depth == 0 && line ~ /^(BLNI_(EXACT|CALLED|NOINLINE|COLD) )*(BLN_API|BLNI_PRIV|BLNI_INLINE)/ &&
            line ~ /blni?_[A-Za-z0-9_]+ *\(/) head = " "
        if (head != "") {
            head = head line
            if (line ~ /[;{] *$/ || line ~ /\{.*\}/) { signature(head); head = "" }
        }
        if (line ~ /^#[ ]*define/) {
            split(line, word, /[^A-Za-z0-9_]+/)
            define(word[3])
            in_list = word[3] ~ /_LIST$/ && line ~ /\\$/           # an X-macro: its entries are enum constants
        } else if (in_list) {
            if (match(line, /X\([A-Z0-9_]+/)) define(substr(line, RSTART + 2, RLENGTH - 2))
            in_list = line ~ /\\$/
        } else if (depth == 0 || in_enum) {
            if (depth == 0 && line ~ /enum[ a-z0-9_]*\{/) in_enum = 1
            for (rest = line; in_enum && match(rest, /BLNI?_[A-Z0-9_]+/); rest = substr(rest, RSTART + RLENGTH))
                define(substr(rest, RSTART, RLENGTH))
            if (line ~ /^BLNI_(PRIV|TABLE) const.*=|^static const|^extern const/ &&
                (match(line, /blni_[a-z0-9_]+(\[[^\]]*\])* *[=;]/) || match(line, /blni_[a-z0-9_]+/))) {
                match(substr(line, at = RSTART), /blni_[a-z0-9_]+/)
                define(substr(line, at, RLENGTH))
            }
            if (match(line, /^typedef .*\(\*bln[a-z_0-9]+\)/)) {
                match(line, /\(\*bln[a-z_0-9]+/)
                define(substr(line, RSTART + 2, RLENGTH - 2))
            } else if (line ~ /^(typedef )?(struct|enum) bln/ && line !~ /;$/ && match(line, /blni?_[a-z0-9_]+/))
                define(substr(line, RSTART, RLENGTH))
            else if (line ~ /^typedef struct bln/ && match(line, /blni?_[a-z0-9_]+/)) define(substr(line, RSTART, RLENGTH))
        }
        { depth += gsub(/\{/, "", line) - gsub(/\}/, "", line); if (depth == 0) in_enum = 0 }
    }
    pass == 2 && /^#include "/ {
        name = $2; gsub(/"/, "", name); sub(/(_private)?\.h$/, "", name)
        if (name !~ /^\.\.\//) name = floor "/" name
        sub(/^\.\.\//, "", name)
        if (owner[name] != room) asked[FILENAME, owner[name]] = FNR
    }
    pass == 2 && !/^#inc/ {
        line = code($0)
        while (match(line, /(blni?|BLNI?|BAYESLIN)_[A-Za-z0-9_]+/)) {
            name = substr(line, RSTART, RLENGTH); line = substr(line, RSTART + RLENGTH)
            if (line ~ /^##/) { if ((name "1") in home) name = name "1"; else continue }
            if (name in home) used[FILENAME, home[name]] = used[room, home[name]] = 1
        }
    }
    END {
        for (key in asked) {
            split(key, k, SUBSEP)
            f = k[1]; sub(/^src\//, "", f)
            h = f ~ /h$/; sub(/(_private)?\.[ch]$/, "", f)
            if (!((h ? owner[f] : k[1], k[2]) in used)) print k[1] ":" asked[key] ": includes " k[2] ", of which it uses nothing"
        }
        for (name in declared) if ((name in defined) && defined[name] != declared[name])
            print where[name] ": " declared[name] " declares " name ", which " defined[name] " defines"
    }' pass=1 $sources pass=2 $sources)

# Public functions and types without a comment: above it or at the end of its line. A block of declarations without a blank line in
# it shares one; the comment of the section (>>) serves its types and its first block of functions. Structs that are spread over
# lines explain their fields. _defaults, _check and _free are explained in the manual, once for all.
docs=$(awk '
    FNR == 1 { documented = section = in_comment = 0 }
    in_comment { if (/\*\//) in_comment = 0; next }
    /^[ ]*\/\*/ { documented = 1; section = />>/; if (!/\*\//) in_comment = 1; next }
    /^$/ { documented = section; next }
    /^BLN_API/ && !documented && !/\/\*/ && !/_(defaults|check|free)\(/ { print FILENAME ":" FNR ": no comment above " $0 }
    /^typedef (struct|enum).*\};?.*;$/ && !documented && !/\/\*/ { print FILENAME ":" FNR ": no comment above " $0 }
    /^BLN_API/ { section = 0 }' $headers)

for part in $parts; do
    for file in src/$part.h src/${part}_private.h src/$part.c; do
        [ -f "$file" ] || continue
        complaints=$(printf '%s\n%s\n' "$uses" "$docs" | grep "^$file:")
        case $file in
        *.c) head -n 1 "$file" | grep -q '^/\* ' || complaints="$complaints
$file:1: does not open with a comment"
             undeclared=$(sed -n 's/^BLN_API.*[ *]\(bln_[a-z0-9_]*\) *(.*/\1/p' "$file" | while read -r name; do
                 grep -q "[ *]$name *(" $headers || echo "$file: $name is in no header"; done)
             complaints="$complaints${complaints:+${undeclared:+
}}$undeclared" ;;
        esac
        result "$file (house)" "$complaints"
    done
done

result 'options in src/manual.h' "$(
    cat $sources | tr -c 'A-Z0-9_a-z' '\n' | grep '^BAYESLIN_' | sort -u | while read -r option; do
        grep -q "$option" src/manual.h || echo "src/manual.h: $option is not explained"; done)"

# Author (year), Author & Author year, Author et al. year: as it stands in the list, without the brackets of the year.
result 'REFERENCES of src/manual.h' "$(awk '
    FNR == 1 && NR > FNR { flush() }
    FILENAME == "src/manual.h" { if (/^ \* REFERENCES/) on = 1; if (on) known = known "\n" substr($0, 8); next }
    { line = $0; file = FILENAME
      if (!inside) { at = index(line, "/*"); if (!at) next; line = substr(line, at + 2); inside = 1 }
      sub(/^ *\* ?/, "", line)
      at = index(line, "*/")
      if (at) { line = substr(line, 1, at - 1); inside = 0 }
      text = text " " line }
    END { flush() }
    function flush(   cited) {
        gsub(/ +/, " ", text)
        while (match(text, /((Van )?[A-Z][A-Za-z\047-]+(, | & ))*(Van )?[A-Z][A-Za-z\047-]+( et al\.)? \(?(19|20)[0-9][0-9]/)) {
            cited = substr(text, RSTART, RLENGTH)
            text = substr(text, RSTART + RLENGTH)
            sub(/\(/, "", cited)
            if (!index(known, "\n" cited " ")) print file ": " cited " is not in the list"
        }
        text = ""
    }' src/manual.h $sources)"

result 'tags of sections' "$(
    titles=" $(cat $headers | sed -n 's/^\/\* >>\([a-z_0-9]*\) .*/\1/p' | tr '\n' ' ')"
    grep -o '[ (]>>[a-z][a-z_0-9]*' src/manual.h $sources | sort -u | while IFS= read -r use; do
        case $titles in *" ${use##*>>} "*) ;; *) echo "${use%%:*}: no section is called ${use##*>>}";; esac; done)"

result 'table of tests/use/test_policies.c' "$(
    cat $headers | tr '\n' ' ' | tr ';' '\n' | grep 'BLN_API bln_status.*bln_report \*report)' \
    | sed 's/.*BLN_API bln_status *bln_\([a-z0-9_]*\) *(.*/\1/' | while read -r name; do
        grep -q "ENTRY($name)" tests/use/test_policies.c || echo "bln_$name takes a report: add an entry for it"; done)"

for part in $parts; do
    [ -f "src/$part.h" ] && [ -f "src/$part.c" ] && [ "$part" != core/config ] || continue
    floor=${part%%/*} room=${part#*/}
    complaint=
    [ -f "tests/$floor/test_$room.c" ] || complaint="no tests/$floor/test_$room.c"
    result "tests of $part" "$complaint"
done

result 'tests that no suite lists' "$(
    awk '/^TEST\(|SUITE_TEST\(/ {
             name = $0; sub(/.*TEST\([^,]*, */, "", name); sub(/\).*/, "", name)
             if (/SUITE_TEST/) listed[FILENAME "  " name] = 1; else made[FILENAME "  " name] = 1 }
         END { for (t in made) if (!(t in listed)) print t }' tests/*/test_*.c | sort)"

# missing FILE WORDS... - those that are not among the words of a file
missing() {
    file=$1; shift
    for word; do tr -c 'A-Za-z0-9_' '\n' < "$file" | grep -qx "$word" || echo "$file: nothing on $word"; done
}
# made TYPE HEADERS... - the public functions that return it
made() { type=$1; shift; sed -n "s/^BLN_API $type \\(bln_[a-z0-9_]*\\) *(.*/\\1/p" "$@"; }
result 'likelihoods, methods and kernels that a list leaves out' "$(
    likelihoods=$(made bln_likelihood src/likelihood/*.h)
    methods=$(made bln_glm_method src/glm/*.h | sed 's/^bln_glm_//')
    kernels=$(sed -n '/blni_kernel_table\[\]/,/};/p' src/basis/kernel.c | grep -o '"[a-z0-9_]*"' | tr -d '"')
    for list in likelihoods methods kernels; do eval "[ \"\$$list\" ]" || echo "no $list found in src/"; done
    missing docs/models.md $likelihoods $kernels
    missing src/likelihood/likelihood.h $(echo "$likelihoods" | grep -v _reference)          # which is a form of another
    missing src/glm/glm.h $(echo "$methods" | sed 's/^/glm_/')
    for file in tools/cli/methods.c bindings/flat_options.c; do missing $file $(echo "$methods" | sed 's/.*/bln_glm_&_card/'); done
    missing docs/choosing_an_inference.md $methods
    for file in src/basis/kernel.h src/basis/spec.h src/basis/spec.c tools/cli/help.c docs/mathematics/bases.md; do
        missing $file $kernels
    done)"

result 'labels of equations' "$(sh tools/check_labels.sh 2>&1 | sed '/^[0-9]* passed, 0 failed$/d')"

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
