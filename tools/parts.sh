#!/bin/sh
# parts.sh - how long the parts of the header compile, and how large they are; ends with `N passed, N failed`
#
#     sh tools/parts.sh                   from the top of the project, after make: gcc and clang at -O0, -O2, -Os, beside two peers
#     sh tools/parts.sh --quick           gcc at -O2 and -Os alone, each compiled once, without peers: some minutes
#     sh tools/parts.sh --write           puts what was measured into tools/parts.limits
#     sh tools/parts.sh [...] NAME...     only these configurations
#
# Configurations and limits are in tools/parts.limits. Seconds are the least user time of three compilations to an object file; they
# are shown only. A configuration is tested by its lines and, for each compiler and level, by its bytes of text: more than a tenth
# above the limit fails. A library that calls a bln_ function which it does not have fails too, and so does a warning: compilers
# warn of more where they optimise. The peers are other libraries of a single header, compiled in the same run with the same flags
# but without warnings: stb_image.h of Debian's libstb-dev, and libxxhash-dev. Without them the table is shorter.
#
# INCLUDE: folder of bayeslin.h (default: build/include). LIMITS: the table (tools/parts.limits). README: where `first` is
# (README.md). COMPILERS: "gcc clang". LEVELS: "-O0 -O2 -Os". TIMES: compilations of each (3). PEERS: empty for none.
export LC_ALL=C
include=${INCLUDE:-build/include} limits=${LIMITS:-tools/parts.limits} readme=${README:-README.md}
compilers=${COMPILERS:-gcc clang} times=${TIMES:-3} levels=${LEVELS:-'-O0 -O2 -Os'} peers=${PEERS-yes} write= names=
for word; do
    case $word in
    --quick) compilers=${COMPILERS:-gcc} times=${TIMES:-1} levels='-O2 -Os' peers= ;;
    --write) write=yes ;;
    -*) echo "parts.sh: unknown option $word"; echo '0 passed, 1 failed'; exit 2 ;;
    *) names="$names $word" ;;
    esac
done
dir=build/parts
# For indentation gcc takes six seconds each time; tests/compile/run.sh has it looked at once.
warn='-Wall -Wextra -pedantic -Wshadow -Wconversion -Wsign-conversion -Wno-misleading-indentation'
mkdir -p $dir
rm -f $dir/*
: > $dir/lines
: > $dir/measured
passed=0 failed=0

check() {       # 0 or 1, what failed
    if [ "$1" = 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAIL $2" >> $dir/failures; fi
}

[ -f "$include/bayeslin.h" ] || { echo "no $include/bayeslin.h: run make first"; echo '0 passed, 1 failed'; exit 2; }
awk '/^```c$/ { on = 1; next } /^```$/ { if (on) exit } on' "$readme" > $dir/first.c
printf '#define BAYESLIN_IMPLEMENTATION\n#include "bayeslin.h"\n' > $dir/library.c

# user_seconds: of all processes that this shell has waited for. (`times` in a subshell would tell of the subshell's.)
user_seconds() {
    times > $dir/times
    seconds=$(awk 'NR == 2 { split($1, t, /[ms]/); print 60 * t[1] + t[2] }' $dir/times)
}

# measure NAME COMPILER LEVEL SOURCE HEADER FLAG...: a line `NAME COMPILER-LEVEL seconds text` in $dir/measured, and lines of
# the header in $dir/lines.
measure() {
    name=$1 cc=$2 level=$3 source=$4 header=$5
    shift 5
    object=$dir/$name$level.o least= k=0
    while [ $k -lt "$times" ]; do
        user_seconds
        before=$seconds
        if ! $cc -std=c99 "$level" $warn "$@" -I"$include" -c "$source" -o $object > $dir/said 2>&1 || [ -s $dir/said ]; then
            check 1 "$name: $cc $level says: $(head -n 1 $dir/said)"
            [ -f $object ] || return 1
        fi
        user_seconds
        least=$(echo "$before $seconds $least" | awk '{ s = $2 - $1; print (NF > 2 && $3 < s ? $3 : s) }')
        k=$((k + 1))
    done
    text=$(size $object | awk 'NR == 2 { print $1 }')
    echo "$name $cc$level $least $text" >> $dir/measured
    # Preprocessors differ in how they break lines: gcc's count, where there is one.
    if ! grep -q "^$name " $dir/lines; then
        $counter -std=c99 -O2 "$@" -I"$include" -E "$source" 2> /dev/null | awk -v name="$name" -v header="$header" '
            /^# [0-9]+ "/ { n = split($3, path, /[\/"]/); here = path[n - 1] == header; next }
            here && /[^ \t]/ { lines++ }
            END { print name, lines + 0 }' >> $dir/lines
    fi
}

# expected NAME COLUMN: the limit of a column of the table, or -
expected() {
    awk -v name="$1" -v column="$2" '
        $1 == "#" && $2 == "name" { for (i = 2; i <= NF; i++) at[$i] = i - 1 }
        $1 == name { print column in at ? $(at[column]) : "-" }' "$limits"
}
# within WHAT MEASURED LIMIT: at most a tenth above the limit. `-`: passes.
within() {
    [ "$3" = - ] && return
    if [ $((10 * $2)) -le $((11 * $3)) ]; then check 0; else check 1 "$1: $2, and the limit is $3"; fi
}

# telling WHAT: on a terminal, what is being compiled, in a line that the next one replaces.
telling() { [ -t 2 ] && printf '\r%-60s\r%s' '' "$1" >&2; }

# ---- what is compiled ----

configurations=$(awk '!/^#/ && NF && $1 != "versions" { print $1 "|" $2 "|" $3 }' "$limits")
for name in $names; do
    echo "$configurations" | grep -q "^$name|" || check 1 "$name: no such configuration in $limits"
done
counter=gcc
command -v gcc > /dev/null 2>&1 || counter=clang
found=
for cc in $compilers; do
    if command -v "$cc" > /dev/null 2>&1; then found="$found $cc"; else echo "not found, not tried: $cc"; fi
done
for cc in $found; do
    version=$("$cc" -dumpversion | cut -d. -f1)
    known=$(sed -n "s/^versions.* $cc \([0-9]*\).*/\1/p" "$limits")
    case $("$cc" -dumpmachine) in x86_64*) [ "$version" = "$known" ] && echo "$cc" >> $dir/checked ;; esac
    grep -qx "$cc" $dir/checked 2> /dev/null ||
        echo "$cc $version, $("$cc" -dumpmachine): there are no limits for it; bytes are shown only"
    for level in $levels; do
        for configuration in $configurations; do
            name=${configuration%%|*} rest=${configuration#*|}
            program=${rest%%|*} macros=${rest#*|}
            case " ${names:-$name} " in *" $name "*) ;; *) continue ;; esac
            case $program in library | first) source=$dir/$program.c ;; *) source=$program ;; esac
            set --
            if [ "$macros" != - ]; then for macro in $(echo "$macros" | tr , ' '); do set -- "$@" "-DBAYESLIN_$macro"; done; fi
            telling "$cc $level: $name"
            measure "$name" "$cc" "$level" "$source" bayeslin.h "$@" || continue
            if grep -qx "$cc" $dir/checked 2> /dev/null; then
                within "$name, bytes by $cc $level" "$text" "$(expected "$name" "$cc$level")"
            fi
            if [ $program = library ]; then
                missing=$(nm -u $object | grep -o 'blni\{0,1\}_[A-Za-z0-9_]*' | tr '\n' ' ')
                if [ -z "$missing" ]; then check 0; else check 1 "$name: $cc $level: has no $missing"; fi
            fi
        done
        [ -n "$peers" ] && while read -r name header macros; do
            printf '#include <%s>\n' "$header" > $dir/$name.c
            set -- -w
            for macro in $macros; do set -- "$@" "-D$macro"; done
            $cc -E "$@" $dir/$name.c > /dev/null 2>&1 && measure "$name" "$cc" "$level" $dir/$name.c "${header##*/}" "$@"
        done << END
stb_image stb/stb_image.h STB_IMAGE_IMPLEMENTATION
xxhash xxhash.h XXH_STATIC_LINKING_ONLY XXH_IMPLEMENTATION
END
    done
done
telling ''
while read -r name lines; do
    limit=$(expected "$name" lines)
    [ -n "$limit" ] && within "$name, lines" "$lines" "$limit"
done < $dir/lines

# ---- the tables, one for each compiler ----

for cc in $found; do
    awk -v cc="$cc" -v levels="$levels" '
        FILENAME ~ /lines$/ { lines[$1] = $2; next }
        { if (!($1 in seen)) { seen[$1] = 1; order[++n] = $1 } time[$1, $2] = $3; text[$1, $2] = $4 }
        END {
            k = split(levels, level, " ")
            printf "\n%-20s %7s", cc, "lines"
            for (j = 1; j <= k; j++) printf "   %6s s %8s", level[j], "bytes"
            print ""
            for (i = 1; i <= n; i++) {
                printf "%-20s %7d", order[i], lines[order[i]]
                for (j = 1; j <= k; j++) {
                    c = cc level[j]
                    if ((order[i], c) in time) printf "   %8.2f %8d", time[order[i], c], text[order[i], c]
                    else printf "   %8s %8s", "-", "-"
                }
                print ""
            }
        }' $dir/lines $dir/measured
done
echo
[ -n "$peers" ] && for name in stb_image xxhash; do grep -q "^$name " $dir/lines || echo "not found, not compared: $name"; done
[ -f $dir/failures ] && cat $dir/failures

# ---- new limits ----

if [ -n "$write" ]; then
    awk '
        FILENAME ~ /lines$/ { value[$1, "lines"] = $2; next }
        FILENAME ~ /measured$/ { value[$1, $2] = $4; next }
        $1 == "#" && $2 == "name" { for (i = 5; i <= NF; i++) column[i - 1] = $i; n = NF - 1 }
        /^#/ || !NF || $1 == "versions" { print; next }
        {
            printf "%-19s %-8s %-20s", $1, $2, $3
            for (i = 4; i <= n; i++) printf " %*s", i == 4 ? 6 : 8, ($1, column[i]) in value ? value[$1, column[i]] : $i
            print ""
        }' $dir/lines $dir/measured "$limits" > $dir/limits && cp $dir/limits "$limits"
fi
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
