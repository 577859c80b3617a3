#!/bin/sh
# test_inside.sh - what the tool refuses, how tables may be written, and what it says when memory or a file fails; ends with
# `N passed, N failed`
#
#     sh tests/tools/test_inside.sh [PROGRAM]       from the top of the project; PROGRAM is build/inside (tests/tools/inside.c)
#
# The cases are in tests/tools/cases, by subject. They run in one process, as a thousand of them would take long otherwise; one file
# of cases follows another, so that a later one may use the models of an earlier one. The tables are made here.
if [ ! -x "${1:-build/inside}" ]; then echo 'not found: a linker with --wrap'; echo '1 passed, 0 failed'; exit; fi
set -- "${1:-build/inside}"
. tests/tools/tool.sh

# a.csv: numbers, words, weights, counts; d.csv: words, groups, noise variances, trials, classes; f.csv: few rows
printf 'x,z,g,w,k,y\n0.1,3,red,1,0,1.2\n0.9,1,blue,2,2,0.3\n1.7,4,red,1,4,2.9\n2.2,1,green,3,1,1.1\n3.1,5,blue,1,0,3.6\n' > a.csv
printf '3.8,9,red,2,3,4.9\n4.4,2,green,1,1,1.9\n5.2,6,blue,1,2,3.3\n5.9,7,green,2,0,4.4\n6.3,8,red,1,5,5.8\n' >> a.csv
awk 'BEGIN { print "x,s,o,v,n,c,r,y"; for (i = 0; i < 40; i++)
    print (i*7) % 11 + 0.25 "," substr("pqrt", i % 4 + 1, 1) "," i % 3 + 1 "," 0.5 + i % 2 "," 3 + i % 4 "," i % 3 \
        "," i % 2 "," (i*7) % 11 + 0.3*((i*5) % 7) }' > d.csv

printf 'x,y\n1,2\n2,3.5\n3,3\n4,6\n5,5\n' > f.csv

for cases in "$tests"/cases/*.txt; do
    "$tool" < "$cases" > said
    n=$(sed -n 's/^\([0-9]*\) passed, [0-9]* failed$/\1/p' said) m=$(sed -n 's/^[0-9]* passed, \([0-9]*\) failed$/\1/p' said)
    passed=$((passed + ${n:-0})) failed=$((failed + ${m:-1}))
    sed "/ passed, /d; s|^FAIL|FAIL ${cases##*/}:|" said
done
rm -f out
set -- *.tmp inside.*
if [ "$*" = '*.tmp inside.*' ]; then good; else bad "left behind: $*"; fi

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
