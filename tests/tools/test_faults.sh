#!/bin/sh
# test_faults.sh - the tool when memory runs out at any allocation, or a file may not grow beyond any byte; ends with
# `N passed, N failed`
#
#     sh tests/tools/test_faults.sh [TOOL]       from the top of the project; TOOL is build/bayeslin_faults (tests/tools/faults.c)
#
# Quickly, some of the places; with FAULTS=all in the environment every one. A run that fails says why, and leaves nothing but the
# file of -o, as it was, or, where what failed came after that, whole; one that does not ends as one without failures.
if [ ! -x "${1:-build/bayeslin_faults}" ]; then echo 'not found: a linker with --wrap'; echo '1 passed, 0 failed'; exit; fi
set -- "${1:-build/bayeslin_faults}"
. tests/tools/tool.sh

printf 'x,z,colour,y,k\n0.1,3,red,1.2,0\n0.9,1,blue,0.3,2\n1.7,4,red,2.9,1\n2.2,1,green,1.1,4\n3.1,5,blue,3.6,0\n' > a.csv
echo '3.8,9,red,4.9,3' >> a.csv
printf 'day;x;p;y\n2024-01-31;1,5;10 %%;3\n2024-02-01;;20 %%;4\n2024-02-29;2,25;5 %%;5\n2024-03-01;3;0 %%;5\n' > b.csv
printf 'chain,draw,mu,lp__\n1,1,0.3,-3\n1,2,0.5,-2.5\n1,3,0.1,-3.1\n1,4,0.4,-2\n' > d.csv
printf '2,1,0.2,-2.9\n2,2,0.6,-2.7\n2,3,0.3,-3\n2,4,0.2,-1\n' >> d.csv
"$tool" fit a.csv --target y --basis linear --plug-in -o m > /dev/null 2>&1 || bad "no model"
"$tool" stats a.csv --target y --basis linear:cols=x -o s > /dev/null 2>&1 || bad "no statistics"
mkdir run

# A run of the command. Its messages come through a pipe, as a file for them could not grow either.
tried() {       # what, the file of the run without failures, command
    what=$1 whole=$2; shift 2
    echo before > run/out
    words=$(cd run && env "$@" 2>&1 > /dev/null < /dev/null)
    got=$?
    if [ "$(ls run)" != out ]; then bad "$what: left $(ls run)"; rm -rf run; mkdir run; return; fi
    case $got in
    0|3) if cmp -s run/out "$whole"; then good; else bad "$what: ends well, with another file"; fi ;;
    1) if [ -z "$words" ]; then bad "$what: fails without a word"
       elif [ "$(cat run/out)" != before ] && ! cmp -s run/out "$whole"; then bad "$what: fails, and the file is another"
       else good; fi ;;
    *) bad "$what: exit status $got, $words" ;;
    esac
}

life() {        # words of a command that writes to `out`
    said="bayeslin $*"
    echo before > run/out
    (cd run && FAULT_COUNT=../count "$tool" "$@" > ../whole.said 2> ../whole.err < /dev/null) || [ $? = 3 ] || {
        bad "$said: fails without failures"; cat whole.err; return; }
    mv run/out whole
    n=$(cat count) bytes=$(wc -c < whole) step=1 leap=1
    if [ "$FAULTS" != all ]; then step=$((n/8 + 1)) leap=$((bytes/6 + 1)); fi
    at=1
    while [ $at -le "$n" ]; do
        tried "$said, allocation $at" whole FAULT_AT=$at "$tool" "$@"
        tried "$said, allocation $at only" whole FAULT_ONCE=1 FAULT_AT=$at "$tool" "$@"
        at=$((at + step))
    done
    tried "$said, allocation $n" whole FAULT_AT=$n "$tool" "$@"         # the last one, while the file is being written
    at=0
    while [ $at -lt "$bytes" ]; do
        tried "$said, byte $at" whole FAULT_BYTES=$at "$tool" "$@"
        if [ "$got" = 0 ]; then bad "$said: ends well though the file ends at byte $at"; fi
        at=$((at + leap))
    done
}

life fit ../a.csv --target y --basis rbf:n=2,cols=x+linear --plug-in -o out
life fit ../a.csv --target k --ignore y --basis linear --likelihood poisson -o out
life fit ../a.csv --formula 'y ~ x*colour + (1|z)' --plug-in -o out --json
life fit ../b.csv --target y --sep semicolon --missing mean --date day --basis linear --plug-in -o out
life fit ../a.csv --target y --basis linear --plug-in --stream -o out
life stats ../a.csv --target y --basis linear:cols=x -o out
life merge ../s ../s -o out
life predict ../m ../a.csv -o out
life predict ../m ../a.csv --draws 3 --keep colour,x -o out
life plot ../m ../a.csv --x x -o out
life check ../m ../a.csv --draws 9 -o out
life cv ../a.csv --target y --basis linear:cols=x --folds 2 --plug-in -o out
life diagnose ../d.csv -o out

echo "$passed passed, $failed failed"
[ $failed = 0 ]
