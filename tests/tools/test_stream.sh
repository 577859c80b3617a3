#!/bin/sh
# test_stream.sh - the tool on rows that are not all in memory: fit --stream, stats, merge, fit --from-stats
#
#     make build/bayeslin && sh tests/tools/test_stream.sh [TOOL]        from the top of the project; ends with `N passed, N failed`
#
# Truth is the fit in memory: the same rows in the same blocks give the same digits. Only POSIX sh and its usual companions.
. tests/tools/tool.sh

# What was learnt, without what differs from run to run.
learnt() { sed '/^seconds /d; /^model /d; /^statistics /d' out > "$1"; }

# ---- usage ----
run 2 fit d.csv --target y --basis linear -o m --stream --loo;         err_has '--stream keeps no rows in memory, and --loo needs'
run 2 fit d.csv --target y --basis linear -o m --stream --integrate;   err_has 'and --integrate needs them'
run 2 fit d.csv --target y --basis linear -o m --stream --calibrate;   err_has 'and --calibrate needs them'
run 2 fit d.csv --target y --basis linear -o m --sample 9;             err_has '--sample is about the rows of a stream'
run 2 fit d.csv --from-stats s -o m;                                   err_has '--from-stats takes the place of d.csv'
run 2 fit --from-stats s -o m --basis linear;                          err_has '--basis is as in the file of --from-stats'
run 2 fit --from-stats s -o m --weights w;                             err_has '--weights is as in the file of --from-stats'
run 2 fit --from-stats s -o m --loo;                                   err_has '--from-stats has no rows, and --loo needs them'
run 2 fit --from-stats s;                                              err_has '-o is needed'
run 2 stats d.csv --target y --basis linear;                           err_has '-o is needed'
run 2 stats d.csv --target y -o s;                                     err_has '--basis is needed'
run 2 stats d.csv --like s --target y -o t;                            err_has '--target is as in the file of --like'
run 2 stats d.csv --target y --basis linear -o s --prior each;         err_has '--prior each is said to `fit --from-stats`'
run 2 stats d.csv --target y --basis linear -o s --starts 2;           err_has 'stats has no option --starts'
run 2 merge -o s;                                                      err_has 'which files'
run 2 merge a b;                                                       err_has '-o is needed'

# ---- streams are fits in memory ----
awk 'BEGIN {
    print "a,colour,b,w,v,o,y,z"
    for (i = 0; i < 400; i++) {
        a = (i*37) % 101/10; b = (i*53) % 97/7; c = i % 3 == 0 ? "red" : i % 3 == 1 ? "blue" : "\"dark, \"\"red\"\"\""
        printf "%.3f,%s,%.4f,%d,%.2f,%.1f,%.4f,%.3f\n", a, c, b, 1 + i % 4, 0.5 + i % 5, i % 7,
            sin(a) + b/5 + (i % 3) + 0.3*((i*71) % 89/89 - 0.5), 1e3 + cos(a) + b/7 + (i*31) % 83/83
    }
}' > all.csv
n=0
while read -r options; do
    n=$((n + 1))
    eval "run 0 fit all.csv -o memory.bln $options"; learnt memory; cp err memory.err
    eval "run 0 fit all.csv -o stream.bln --stream --sample 0 $options"; learnt stream
    same memory stream "fit and fit --stream: $options"; same memory.err err "notes: $options"
    run 0 predict memory.bln all.csv -o memory.csv; run 0 predict stream.bln all.csv -o stream.csv
    same memory.csv stream.csv "predictions after $options"
done <<'END'
--target y --basis linear
--target y --basis rbf:n=12,ard+linear --starts 2 --seed 3
--target y --basis 'rbf:n=10,cols=a;b+linear:cols=colour' --weights w --noise-var v --offset o
--target y --basis linear --no-scale --ignore colour --ignore z
--target y --basis linear:cols=a --prior flat --offset o --ignore colour
--outputs y,z --basis rbf:n=8+linear --weights w
--target y --basis linear --prior each
--target y --basis bias
--target y --basis 'inducing:m=12,cols=a;b,ard+linear:cols=colour' --max-iterations 20
END
if [ $n = 9 ]; then good; else bad "not all kinds of fits were tried"; fi

# Searched on some rows first: as good in the end, to the tolerance of the search (1e-6 of some hundred nats, by another way up).
# Waves of one input, as those of many have several maxima.
run 0 fit all.csv --target y --basis rbf:n=12,cols=a+linear -o m.bln; learnt memory
run 0 fit all.csv --target y --basis rbf:n=12,cols=a+linear -o m.bln --stream --sample 250; learnt stream
yes "--sample: the evidence" '
    $1 == "log" && FNR == NR { a = $3 } $1 == "log" && FNR < NR { b = $3 } END { if ((a - b)^2 > 0.01 || a == "") ok = 0 }' \
    memory stream

# ---- missing values, words, and everything that is wrong ----
sed '5s/^[^,]*/NA/; 300s/[^,]*$//' all.csv > gaps.csv
run 1 fit gaps.csv --target y --basis linear -o m.bln;          cp err memory.err
run 1 fit gaps.csv --target y --basis linear -o m.bln --stream; same memory.err err "missing values are named alike"
err_has 'gaps.csv:5:1: column "a": a missing value; of 400 rows 2 have one, in this or another column (lines 5, 300)'
run 0 fit gaps.csv --target y --basis linear -o m.bln --missing drop; learnt memory; cp err memory.err
run 0 fit gaps.csv --target y --basis linear -o m.bln --missing drop --stream; learnt stream
same memory stream "--missing drop"; same memory.err err "--missing drop: notes"; out_has "rows             398  (2 more had"
refused() {        # text, message: the same with and without --stream
    printf "$1" > bad.csv
    run 1 fit bad.csv --target y --basis linear -o none.bln; err_has "$2"; cp err memory.err
    run 1 fit bad.csv --target y --basis linear -o none.bln --stream; same memory.err err "refused alike: $2"
    absent none.bln
}
refused 'a,y\n1,2\n3\n' 'bad.csv:3:1: a row of 1 cell, where the header has 2'
refused 'a,y\n1,2\n3,x\n4,5\n' 'bad.csv:3:3: column "y": "x" is not a number (2 of 3 cells are)'
refused 'a,y\n1,2\n3,1e999\n4,5\n' 'bad.csv:3:3: column "y": "1e999" is too large for a number'
refused 'a,y\n1,2\n3,"4\n' 'bad.csv:3:3: this quote is never closed'
refused 'a,y\n1,2\n3,4\000\n' 'bad.csv:3:4: a zero byte'
refused 'a,y\n' 'bad.csv: a header, but no rows'
refused '' 'bad.csv: empty file'
refused 'a,y\n1,5\n2,5\n' 'the target "y" is 5 in all 2 training rows: there is nothing to learn'
refused 'a,z\n1,5\n2,5\n' 'bad.csv: no column "y" (--target)'
refused 'a,a,y\n1,5,1\n2,5,1\n' 'bad.csv:1:3: column 2 has the same name as column 1: "a"'
refused 'a,y\nNA,1\nNA,2\n' 'column "a" is empty, or missing, in all rows'
run 1 fit nothing.csv --target y --basis linear -o m --stream;         err_has "nothing.csv: "
cat all.csv | "$tool" fit /dev/stdin --target y --basis linear -o m --stream > out 2> err
said="fit /dev/stdin --stream"; err_has "cannot be read twice, as --stream must: not a file"
awk 'BEGIN { print "id,y"; for (i = 0; i < 1100; i++) print "k" i "," i }' > ids.csv
run 1 fit ids.csv --target y --basis linear -o m --stream;             err_has 'column "id" holds more than 1000 different words'
run 0 fit all.csv --target y --basis linear --prior flat -o m.bln;     learnt memory.out
run 0 fit all.csv --target y --basis linear --prior flat -o m.bln --stream;  learnt stream.out
same memory.out stream.out "references are the same"
awk '{ split($0, v, ","); print (NR > 1 ? 2*v[1] : "twice") "," $0 }' all.csv > twice.csv
run 1 fit twice.csv --target y --basis linear --prior flat -o m.bln;   cp err memory.err
run 1 fit twice.csv --target y --basis linear --prior flat -o m.bln --stream
same memory.err err "dependent features are named alike"; err_has "is a combination of"
TMPDIR=$PWD/none; export TMPDIR
run 1 fit all.csv --target y --basis linear -o m.bln --stream
err_has "none/bayeslin-rows-"; err_has "TMPDIR=FOLDER puts it elsewhere"
unset TMPDIR
set -- bayeslin-rows-*
if [ "$1" = 'bayeslin-rows-*' ]; then good; else bad "left behind: $*"; fi

# ---- statistics ----
head -n 1 all.csv > 1.csv; cp 1.csv 2.csv; cp 1.csv 3.csv
sed -n '2,120p' all.csv >> 1.csv; sed -n '121,130p' all.csv >> 2.csv; sed -n '131,$p' all.csv >> 3.csv
# Unscaled, in three doubles: the parts are the whole, in any order and in a tree, but for what a search leaves.
plain='--target y --basis linear --no-scale --ignore colour --weights w --offset o'
for part in 1 2 3; do run 0 stats $part.csv $plain -o $part.stats; err_empty; done
out_has "rows             271"; out_has "summed in three doubles"
run 0 merge 1.stats 2.stats 3.stats -o forth.stats;                    out_has "rows             400"; err_empty
run 0 merge 3.stats 1.stats -o 31.stats; run 0 merge 2.stats 31.stats -o back.stats
run 0 fit all.csv $plain -o memory.bln
for way in forth back; do
    run 0 fit --from-stats $way.stats -o $way.bln; err_empty
    out_has "weights          w  (sum 1000)"
    run 0 predict $way.bln all.csv -o $way.csv
done
same forth.csv back.csv "the order of merging"
run 0 predict memory.bln all.csv -o memory.csv
yes "merged statistics give the model of all rows" '
    BEGIN { FS = "," } FNR == NR { mean[FNR] = $1; sd[FNR] = $2; next }
    FNR > 1 && ((mean[FNR] - $1)^2 > 1e-16*$1*$1 || (sd[FNR] - $2)^2 > 1e-16*$2*$2) { ok = 0 }
    END { if (FNR != 401) ok = 0 }' memory.csv forth.csv
run 0 score memory.bln all.csv; cp out memory; run 0 score forth.bln all.csv
yes "their training targets, too" 'FNR == NR { v[$1] = $2; next } (v[$1] - $2)^2 > 1e-12*$2*$2 { ok = 0 }' memory out

# As triangles, and with an optimiser of one's own.
for part in 1 2 3; do run 0 stats $part.csv $plain --arithmetic qr -o $part.qr; out_has ", as a triangle"; done
run 0 merge 3.qr 1.qr 2.qr -o all.qr; run 0 fit --from-stats all.qr --optimiser mm -o qr.bln; err_empty
out_has "arithmetic       qr"; out_has "optimiser        mm"
run 0 predict qr.bln all.csv -o qr.csv
yes "merged triangles give the model of all rows" '
    BEGIN { FS = "," } FNR == NR { mean[FNR] = $1; sd[FNR] = $2; next }
    FNR > 1 && ((mean[FNR] - $1)^2 > 1e-6*sd[FNR]^2 || (sd[FNR]/$2 - 1)^2 > 1e-6) { ok = 0 }
    END { if (FNR != 401) ok = 0 }' memory.csv qr.csv
run 1 merge 1.stats 2.qr -o no.stats;                                  err_has "2.qr: with another --arithmetic than 1.stats"
run 0 stats 2.csv --like qr.bln -o like.qr; run 0 merge 1.qr like.qr -o more.qr; err_empty
run 2 fit --from-stats all.qr --arithmetic exact -o no.bln;            err_has "--arithmetic is as in the file of --from-stats"
run 2 fit --from-stats all.qr --noise shared -o no.bln;                err_has "several targets, and all.qr has one"

# Standardised, with words and the parameters of a model that has seen some of the rows.
run 0 fit 1.csv --target y --basis rbf:n=10,ard+linear -o some.bln
run 0 stats 1.csv --like some.bln -o 1.stats; err_empty
run 0 stats 2.csv --like 1.stats -o 2.stats; run 0 stats 3.csv --like some.bln -o 3.stats
run 0 merge 1.stats 2.stats -o 1.stats; run 0 merge 1.stats 3.stats -o 1.stats            # over a file that is read
run 0 fit --from-stats 1.stats -o parts.bln;                           out_has "rows             400"; out_has "standardised"
run 0 info parts.bln; out_has 'words of         colour: blue, dark, "red", red'
run 0 score parts.bln all.csv; cp out parts; run 0 score some.bln all.csv
yes "all rows are better than some" '$1 == "mll" && FNR == NR { a = $2 } $1 == "mll" && FNR < NR && !(a < $2) { ok = 0 }' parts out
run 0 fit --from-stats 1.stats -o each.bln --prior each; run 0 info each.bln
run 0 stats 1.csv --target y --basis rbf:n=4 -o own.stats;             err_has "stay at their starts"
run 0 stats 1.csv --outputs y,z --basis linear -o two.stats;           run 0 fit --from-stats two.stats -o two.bln; err_empty
run 0 stats all.csv --target y --basis linear:cols=a --prior flat --ignore colour -o flat.stats
run 0 fit --from-stats flat.stats -o flat.bln; run 0 info flat.bln; cp out flat
run 0 fit all.csv --target y --basis linear:cols=a --prior flat --ignore colour -o memory.bln; run 0 info memory.bln
yes "flat: all digits" '
    $1 == "a" && FNR == NR { m = $2; s = $3 } $1 == "a" && FNR < NR && ((m - $2)^2 > 1e-26*m*m || (s - $3)^2 > 1e-26*s*s) { ok = 0 }
    END { if (m == "") ok = 0 }' flat out

# What does not go together, or is damaged.
run 0 stats 3.csv $plain -o plain.stats
run 1 merge 1.stats plain.stats -o no.stats;     err_has "plain.stats: its columns, their words or their roles are not those of"
run 0 stats 1.csv --target y --basis linear --ignore colour -o a.stats
run 0 stats 3.csv --target y --basis linear --ignore colour -o b.stats
run 1 merge a.stats b.stats -o no.stats;                               err_has "b.stats: standardised in another way than a.stats"
plain='--target y --basis rbf:n=3 --no-scale --ignore colour'
run 0 stats 1.csv $plain -o a.stats; run 0 stats 1.csv $plain --seed 1 -o b.stats; run 0 stats 3.csv $plain -o c.stats
run 1 merge a.stats b.stats -o no.stats;  err_has "b.stats: of another basis or seed, or of other basis"
run 1 merge a.stats c.stats -o no.stats;  err_has "c.stats: of another basis or seed, or of other basis"
run 1 merge a.stats some.bln -o no.stats;                              err_has 'some.bln: not a file of `bayeslin stats`'
run 1 stats 1.csv --like all.csv -o no.stats;                          err_has "all.csv: neither statistics nor a model"
run 1 fit --from-stats some.bln -o no.bln;                             err_has "not a file of"
run 1 fit --from-stats a.stats -o a.stats;                             err_has "a.stats: would be written over, and is read"
printf 'a,colour,b,w,v,o,y,z\n1,green,2,1,1,1,3,4\n' > green.csv
run 0 stats 1.csv --target y --basis linear -o w.stats
run 1 stats green.csv --like w.stats -o no.stats;                      err_has '"green" is no word of the training rows'
run 0 stats green.csv --like w.stats --unseen zero -o green.stats;     out_has "rows             1"
run 1 fit --from-stats green.stats -o no.bln;                          err_has 'the target "y" is 3 in all rows'
run 0 merge w.stats green.stats -o more.stats;                         out_has "rows             120"
absent no.stats no.bln
size=$(wc -c < a.stats)
for at in 3 9 40 200 $((size/2)) $((size - 9)) $((size - 1)); do
    for byte in '\377' '\001'; do
        { head -c "$at" a.stats; printf "$byte"; tail -c "+$((at + 2))" a.stats; } > hurt.stats
        if cmp -s hurt.stats a.stats; then continue; fi
        run 1 merge hurt.stats -o no.stats;                            err_has "hurt.stats: "
    done
    head -c "$at" a.stats > hurt.stats;                                run 1 merge hurt.stats -o no.stats
done
absent no.stats

set -- *.tmp
if [ "$1" = '*.tmp' ]; then good; else bad "left behind: $*"; fi

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
