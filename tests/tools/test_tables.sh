#!/bin/sh
# test_tables.sh - the tool on tables with mistakes, and of a shape that nobody expects: how much they may cost (docs/security.md)
#
#     make build/bayeslin && sh tests/tools/test_tables.sh [TOOL]        from the top of the project; ends with `N passed, N failed`
#
# Only POSIX sh and its usual companions.
. tests/tools/tool.sh

# ---- mistakes in tables ----
printf 'a,y\n1,2\n2,4.1\n3,5.9\n' > line.csv
refused() {       # what the file holds, then a part of the message
    printf "$1" > bad.csv
    run 1 fit bad.csv --target y --basis linear -o none.bln; err_has "$2"; absent none.bln
}
refused '' 'bad.csv: empty file'
refused 'x,y\n' 'bad.csv: a header, but no rows'
refused 'x,y\n1,2\n3\n' 'bad.csv:3:1: a row of 1 cell, where the header has 2'
refused 'x,x,y\n1,2,3\n' 'bad.csv:1:3: column 2 has the same name as column 1'
refused 'x,y\n1,"2\n' 'bad.csv:2:3: this quote is never closed'
refused 'x,y\n1,\0002\n' 'a zero byte'
refused 'x,y\n1,2\nabc,3\n4,5\n' 'bad.csv:3:1: column "x": "abc" is not a number (2 of 3 cells are)'
refused 'x,y\n1,2\n2,low\n' 'bad.csv:3:3: column "y": "low" is not a number'
refused 'x,y\n1,2\n1e999,3\n' 'bad.csv:3:1: column "x": "1e999" is too large'
refused 'x,y\n1,2\n0x10,3\n4,5\n' '"0x10" is not a number'
refused 'x,y\n1,7\n2,7\n3,7\n' 'the target "y" is 7 in all 3 training rows'
refused 'x,z\n1,7\n2,7\n3,7\n' 'bad.csv: no column "y" (--target)'
refused 'x;y\n1;7\n2;8\n' 'no column "y" (--target) (the header holds semicolons: --sep semicolon?)'
refused 'x,y\n1,2\nNA,3\n3,\n4,nan\n5,6\n' \
    'bad.csv:3:1: column "x": a missing value; of 5 rows 3 have one, in this or another column (lines 3, 4, 5); --missing drop'
refused 'x,y\n1,2\n2,"3,14"\n3,5\n' 'bad.csv:3:3: column "y": "3,14" has a comma: write decimals with a point'
refused 'x,y\n"1,5",2\n"2,5",3\n"1,234.5",4\n' 'bad.csv:2:1: column "x": "1,5" has a comma'
refused 'x;y\n1,5;2\n2,5;3\n' 'where the header has 1 (the header holds semicolons: --sep semicolon?)'
refused 'x\ty\n1\t2\n' '(the header holds tabs: --sep tab?)'
printf 'x;y\n1,5;2\n2,5;3\n' > bad.csv
run 1 fit bad.csv --target y --basis linear --sep semicolon --decimal point -o none.bln; err_has 'column "x": "1,5" has a comma'
run 1 fit line.csv --target y --basis linear --sep tab -o none.bln;      err_has '(the header holds commas: --sep comma?)'
printf 'x,y\n1e200,1\n2e200,2\n5e200,3\n' > bad.csv
run 1 fit bad.csv --target y --basis linear --no-scale -o none.bln; err_has 'The largest is 5e+200, in column "x"'; absent none.bln
printf 'x,y\n1,1e308\n2,-1e308\n4,1.5e308\n' > bad.csv
run 1 fit bad.csv --target y --basis linear -o none.bln;        err_has 'the target "y" is 1.08e+308, whose square'; absent none.bln
printf 'x,y\n1,7\n2,7\n' > bad.csv
run 1 fit bad.csv --target y --basis linear --no-scale -o none.bln; err_has 'is 7 in all 2 training rows'
run 1 fit nowhere.csv --target y --basis linear -o none.bln;    err_has 'nowhere.csv: '
run 1 fit . --target y --basis linear -o none.bln;              err_has '.: '
awk 'BEGIN { print "id,y"; for (i = 0; i < 1001; i++) print "k" i "," i }' > ids.csv
run 1 fit ids.csv --target y --basis linear -o none.bln;        err_has 'column "id" holds more than 1000 different words'
run 2 fit line.csv --target y --basis line -o none.bln;         err_has '--basis "line"'
run 2 fit line.csv --target y --basis 'rbf:n=zero' -o none.bln; err_has '--basis'
run 2 fit line.csv --target y --basis linear --ignore y -o none.bln; err_has 'leaves out the target'
run 1 fit line.csv --target y --basis linear --ignore z -o none.bln; err_has 'no column "z" (--ignore)'

# ---- 20,001 columns, every other of words, and three rows: within 400 MB of addresses, if the tool alone runs in them (with a
# sanitizer it takes more) ----
awk 'BEGIN {
    for (i = 0; i < 20000; i++) printf "c%d,", i
    print "y"
    for (r = 0; r < 3; r++) {
        for (i = 0; i < 20000; i++) if (i % 2) printf "%s,", substr("abc", (i + r) % 3 + 1, 1)
                                    else printf "%d,", (i % 16 + 1)*r % 17
        print r*r
    }
}' > wide.csv
limit=$(ulimit -v 400000 2> /dev/null && "$tool" --version > /dev/null 2>&1 && echo 400000)
within() { (test -z "$limit" || ulimit -v "$limit"; exec "$tool" "$@" > out 2> err < /dev/null); }
for verb in "fit wide.csv --target y --basis linear -o wide.bln" "predict wide.bln wide.csv" "score wide.bln wide.csv" \
            "info wide.bln"
do
    said="bayeslin $verb"
    within $verb
    got=$?
    if [ $got = 0 ]; then good; else bad "$said: exit status $got"; sed 's/^/    /' err; fi
done
out_has "inputs           40000  (from 20000 columns)";         out_has "  c19998 ";                  out_has "  c19999: b - a "

# ---- names and words that a terminal would obey reach it as text ----
printf 'a\033[2Jx,"col\nour",y\033[31m\n1,re\033[1md,1\n2,blue,2\n3,blue,4\n4,re\033[1md,3\n5,blue,6\n' > escape.csv
y=$(printf 'y\033[31m')
for verb in "fit escape.csv --target $y --basis linear -o e.bln" "info e.bln" "cv escape.csv --target $y --folds 2" \
            "stats escape.csv --target $y --basis linear -o e.stats" \
            "fit escape.csv --target $y --basis gp:ard --likelihood laplace -o l.bln" \
            "info l.bln" "plot l.bln escape.csv --show effects -o l.svg" "check l.bln escape.csv -o c.svg"
do
    said="bayeslin $verb"
    # shellcheck disable=SC2086
    if "$tool" $verb > out 2> err < /dev/null; then good; else bad "$said: exit status $?"; sed 's/^/    /' err; fi
    if cat out err *.svg 2> /dev/null | LC_ALL=C tr -d '\n\040-\176\200-\377' | grep -q .; then bad "$said: control characters"
    else good; fi
done

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
