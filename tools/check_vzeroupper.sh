#!/bin/sh
# check_vzeroupper.sh - does code of the wide instruction sets clean up behind it? ends with `N passed, N failed`
#
#     sh tools/check_vzeroupper.sh 'gcc -O2' 'clang -O3' ...       from the top of the project, after make; x86-64, needs objdump
#     sh tools/check_vzeroupper.sh FILE.o ...                      an object of the implementation that is there already
#
# After a 256- or 512-bit instruction the upper halves of registers are dirty until vzeroupper, and code without AVX is slow. So
# along every path of every function that touches such a register there must be a vzeroupper before a return, a call, or a jump out
# of it. (gcc -O1 places none.)
passed=0 failed=0
mkdir -p build
for cc in "$@"; do
    case $cc in
    *.o) object=$cc ;;
    *)   object=build/vzeroupper.o
         $cc -std=c99 -DBAYESLIN_IMPLEMENTATION -x c -c bayeslin.h -o $object || exit 1 ;;
    esac
    result=$(objdump -drw --no-show-raw-insn $object | awk '
        function walk(i, dirty,   op, target) {
            for (; i <= n && !seen[i, dirty]; i++) {
                seen[i, dirty] = 1
                op = text[i]; sub(/^(bnd|notrack|rep|repz) /, "", op)
                if (op ~ /^vzero(upper|all)/) dirty = 0
                else if (op ~ /%[yz]mm/) dirty = 1
                target = ""
                if (op ~ /^j/ && op !~ /R_X86/ && match(op, /[0-9a-f]+ </)) target = at[substr(op, RSTART, RLENGTH - 2)]
                if (dirty && (op ~ /^(ret|call)/ || (op ~ /^j/ && target == ""))) told = told "    " name " " op "\n"
                if (op ~ /^ret/ || (op ~ /^jmp/ && target == "")) return
                if (op ~ /^jmp/) i = target - 1
                else if (target != "") walk(target + 0, dirty)
            }
        }
        function done() {
            if (wide) { functions++; split("", seen); told = ""; walk(1, 0); printf "%s", told; bad += told != "" }
            split("", at); n = wide = 0
        }
        /^[0-9a-f]+ <.*>:$/ { done(); name = $2; next }
        /^ +[0-9a-f]+:\t/ {
            place = $1; sub(/:$/, "", place)
            at[place] = ++n
            text[n] = substr($0, index($0, ":\t") + 2)
            if (text[n] ~ /%[yz]mm/) wide = 1
        }
        END { done(); print functions + 0, bad + 0 }')
    counts=${result##*
}
    p=${counts% *} f=${counts#* }
    [ "$f" = 0 ] || printf 'FAIL %s\n%s\n' "$cc" "${result%
*}"
    [ "$p" != 0 ] || p=1 f=1                                      # no wide code at all: nothing was tested
    passed=$((passed + p - f)) failed=$((failed + f))
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
