#!/bin/sh
# test_tables.sh - the tool on tables of a shape that nobody expects: how much they may cost (docs/security.md)
#
#     make build/bayeslin && sh tests/tools/test_tables.sh [TOOL]        from the top of the project; ends with `N passed, N failed`
#
# Only POSIX sh and its usual companions.
. tests/tools/tool.sh

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
