#!/bin/sh
# test_diagnose.sh - the tool on draws of a sampler (diagnose), and on data sets that a model makes (check)
#
#     make build/bayeslin && sh tests/tools/test_diagnose.sh [TOOL]   from the top of the project; ends with `N passed, N failed`
#
# Truth: moments worked out here from the same draws; draws that are independent, and draws that are not, by construction.
. "${0%/*}/tool.sh"

# draws NAME APART SLOW DIVERGES - 4 chains of 500 draws: independent normals in a; in b too, or apart, or slow; divergent__. The
# random numbers are the same with every awk.
draws() {
    awk -v apart="$2" -v slow="$3" -v diverges="$4" '
        function normal(  k, s) {
            for (k = 0; k < 12; k++) { state = state*16807 % 2147483647; s += state/2147483647 }
            return s - 6
        }
        BEGIN { state = 7; print "chain,draw,a,\"b[1,2]\",lp__,energy__,divergent__"
            for (c = 1; c <= 4; c++) for (i = 1; i <= 500; i++) {
                walk = slow*walk + normal()
                printf "%d,%d,%.8g,%.8g,%.8g,%.8g,%d\n", c, i, 5 + normal(), walk + apart*c, normal(), normal(), i <= diverges
            } }' > "$1"
}
draws good.csv 0 0 0
run 0 diagnose good.csv;                           err_empty
out_has "4 chains of 500 draws, 2 parameters, 0 divergent, E-BFMI";  out_has "Nothing is wrong"
grep '^name\|^a \|^b\[\|^lp__' out > table
yes "a table that lines up" '{ if (NR == 1) n = length($0); if (length($0) != n) ok = 0 } END { if (NR != 4) ok = 0 }' table
yes "mean, its error and sd of independent draws" '
    FILENAME == "good.csv" { if (FNR > 1) { split($0, x, ","); n++; s += x[3]; q += x[3]^2 } next }
    $1 == "a" { found++; mean = s/n; sd = sqrt((q - n*mean^2)/(n - 1))
        if (($2 - mean)^2 > 1e-6 || ($4 - sd)^2 > 1e-6 || ($3/(sd/sqrt(n)) - 1)^2 > 0.04 || ($6 - 5)^2 > 0.01) ok = 0
        if (($5 - 5 + 1.645)^2 > 0.04 || ($7 - 5 - 1.645)^2 > 0.04 || ($8 - 1)^2 > 0.0001 || $9 < 1500 || $10 < 1400) ok = 0 }
    END { if (found != 1) ok = 0 }' good.csv out

# ---- what is wrong is said, and the exit status tells ----
draws apart.csv 0.5 0 0;    run 3 diagnose apart.csv; out_has "R-hat of b[1,2] is";    err_has "not to be relied on: 3 warnings"
draws slow.csv 0 0.95 0;    run 3 diagnose slow.csv;  out_has "The bulk ESS of b[1,2] is"
draws away.csv 0 0 3;       run 3 diagnose away.csv;  out_has "12 of 2000 transitions diverged"
awk 'BEGIN { FS = OFS = "," } { $3 = NR > 1 ? 1 : $3; print }' good.csv > still.csv
run 0 diagnose still.csv;   out_has "1 parameter does not move";  err_empty

# ---- the picture: panels of traces and autocorrelations, the worst first; divergent draws are points ----
run 3 diagnose away.csv -o away.svg
yes "two panels for each of three columns" '/^<g transform/ { p++ } /<circle/ { c++ } /^<\/svg>/ { e++ } /nan/ { ok = 0 }
    END { if (p != 6 || c != 36 || e != 1) ok = 0 }' away.svg
run 3 diagnose slow.csv -o slow.svg
yes "the worst first" '/R-hat/ && !n++ { if ($0 !~ /b\[1,2\]/) ok = 0 } END { if (n != 3) ok = 0 }' slow.svg

# ---- the same draws as others write them: a file for each chain, with comments, as CmdStan; row names, as R ----
for c in 1 2 3 4; do
    awk -v c=$c 'BEGIN { FS = ","; print "# model = m"; print "a,b.1,lp__,energy__,divergent__"; print "# Adaptation terminated" }
        $1 == c { print $3 "," $4 "," $5 "," $6 "," $7 } END { print "#" }' good.csv > out_$c.csv
done
awk 'BEGIN { FS = ","; print "\"\",\"a\",\"b.1\",\"lp__\",\"energy__\",\"divergent__\",\".chain\",\".iteration\",\".draw\"" }
    NR > 1 { print "\"" NR - 1 "\"," $3 "," $4 "," $5 "," $6 "," $7 "," $1 "," $2 "," NR - 1 }' good.csv > r.csv
run 0 diagnose good.csv; sed 's/b\[1,2\]/b.1   /' out | tr -s ' ' > want
run 0 diagnose out_1.csv out_2.csv out_3.csv out_4.csv;  err_empty;  tr -s ' ' < out > got;  same got want "four files"
run 0 diagnose r.csv;                                    err_empty;  tr -s ' ' < out > got;  same got want "R's table"

# ---- a model that a sampler fitted holds all draws: those of --trace, under names that say of what ----
figures() { awk '/ [0-9.]+ +[0-9]+ +[0-9]+$/ { print $(NF - 8), $(NF - 7), $(NF - 6), $(NF - 2), $(NF - 1), $NF }' out; }
head -n 151 $data/boston.csv > few.csv
fit="fit few.csv --target medv --basis linear --likelihood student_t --inference nuts --seed 1"
run 0 $fit --trace trace.csv -o nuts.bln;        err_empty;  out_has "draws            4 chains of 1000, R-hat up to 1.00"
run 0 info nuts.bln;                             out_has "draws            4 chains of 1000, R-hat up to 1.00"
run 0 diagnose trace.csv;  figures > want
run 0 diagnose nuts.bln -o nuts.svg;             err_empty;  out_has "4 chains of 1000 draws, 17 parameters, 0 divergent"
out_has "w[lstat] ";  out_has "prior_var[linear] ";  out_has "degrees of freedom "
figures > got;  same got want "draws of the model, and of its table"
awk '/ [0-9.]+ +[0-9]+ +[0-9]+$/ { sub(/ +-?[0-9.e+-]+ .*/, ""); print }' out > want
"$tool" diagnose trace.csv | awk '/ [0-9.]+ +[0-9]+ +[0-9]+$/ { sub(/ +-?[0-9.e+-]+ .*/, ""); print }' > got
same got want "names of the model's draws, and of its table"
printf 'a,"a=b",y\nb=c,c,1\nc,d,2\nb=c,c,1.5\nc,b,3\nb,c,2.5\nc,c,1.9\n' > twice.csv           # two features called a=b=c
run 0 fit twice.csv --target y --basis linear --likelihood gaussian --inference gibbs --trace t.csv -o twice.bln
run 0 diagnose t.csv;  out_has "w[3] ";  out_has "w[6] ";  out_has "w[a=b=b] "
printf 'a,a,b\n1,2,3\n2,3,4\n' > same.csv;  run 1 diagnose same.csv;  err_has 'same.csv: two columns are called "a"'
yes "all of its columns" "END { if (NR != 18) ok = 0 }" got
yes "its picture" '/^<g transform/ { p++ } END { if (p != 12) ok = 0 }' nuts.svg
run 0 $fit --warmup 30 --draws 20 -o doubt.bln;  err_has " of w["
yes "the note has names" '/w\[[0-9]/ { ok = 0 }' err
run 0 info doubt.bln;  out_has "; doubtful: \`bayeslin diagnose\`"
run 3 diagnose doubt.bln;                        out_has "The bulk ESS of";  err_has "not to be relied on"

# ---- beside a reference: other draws of the same, as CSV and as JSON, by names of Stan's files; and draws of something else ----
# z of the mean and the sd of independent draws: mcse = sd/sqrt(n), sd/sqrt(2 n).
json() {    # DRAWS.csv: chains and draws of a and b[1,2]
    awk 'BEGIN { FS = ","; printf "[" } NR > 1 { a[$1] = a[$1] s[$1] $3; b[$1] = b[$1] s[$1] $4; s[$1] = ", " }
        END {
            for (c = 1; c <= 4; c++) printf "%s{\"b.1.2\": [%s],\n \"a\":[%s]}", (c > 1 ? ",\n" : ""), b[c], a[c]
            print "]"
        }' "$1"
}
awk 'BEGIN { FS = OFS = "," } NR > 1 { t = $3 - 5; $3 = 5 + $4; $4 = t } { print }' good.csv > other.csv
json other.csv > other.json
run 0 diagnose good.csv --reference other.csv;   err_empty;  out_has "2 parameters compared; the largest |z| is"
tail -n 5 out > want
run 0 diagnose good.csv --reference other.json;  err_empty;  tail -n 5 out > got;  same got want "the same reference in JSON"
run 0 diagnose other.json --reference good.csv;  err_empty
yes "z of independent draws" '
    FILENAME == "want" { if ($1 == "a") { found++; mean = $2 - $3; z = $4; zs = $7; d = $5 - $6 } next }
    FNR > 1 { split($0, x, ","); n++; q += (x[3] - 5)^2 }
    END { sd = sqrt(q/n); e = sd*sqrt(2/n)
        if (found != 1 || (z - mean/e)^2 > 0.05 || (zs - d/(e/sqrt(2)))^2 > 0.1) ok = 0 }' want good.csv
awk 'BEGIN { FS = OFS = "," } NR > 1 { $3 = $3 + 0.2; $4 *= 1.2 } { print }' other.csv > far.csv
run 3 diagnose good.csv --reference far.csv
err_has "2 figures of 4 with |z| above 4 or without a standard error"
run 3 diagnose good.csv --reference still.csv;   err_has "these are not draws of the reference's distribution"
awk 'BEGIN { FS = OFS = "," } { print $1, $2, $3 }' good.csv > a.csv
run 0 diagnose good.csv --reference a.csv
out_has "1 parameter compared; the largest |z| is 0.00 (1 are not in the reference)"
run 0 diagnose a.csv --reference good.csv
out_has "1 parameter compared; the largest |z| is 0.00 (1 are only in the reference)."
awk 'BEGIN { FS = OFS = "," } NR > 1 { $3 = 4 } { print }' still.csv > still2.csv
run 3 diagnose still.csv --reference still2.csv; out_has "2 parameters compared; the largest |z| is inf."
yes "two constants that differ" '$1 == "a" && NF == 7 && $4 == "-inf" && $7 == "0.00" { n++ } END { if (n != 1) ok = 0 }' out
run 3 diagnose good.csv --reference still.csv
yes "a constant beside draws" '$1 == "a" && NF == 7 { n++; if (!($4 > 20 && $4 < 1000 && $7 > 20 && $7 < 1000)) ok = 0 }
    END { if (n != 1) ok = 0 }' out
run 0 diagnose still.csv --reference still.csv;  out_has "2 parameters compared; the largest |z| is 0.00."
(printf '\357\273\277 \n\t'; cat other.json) > mark.json;  (printf '\n  '; cat other.json) > blank.json
for f in mark blank; do
    run 0 diagnose good.csv --reference $f.json;  tail -n 5 out > got;  same got want "JSON behind $f"
done
run 1 diagnose a.csv --reference line.json;      err_has "line.json: "
printf 'z\n1\n2\n' > z.csv;                    run 1 diagnose a.csv --reference z.csv;  err_has "no parameter of these names"
run 1 diagnose good.csv --reference a.csv -o a.csv;                     err_has "and is read"
bad_json() { printf '%s' "$1" > bad.json; run 1 diagnose bad.json; err_has "bad.json: line $2"; }
bad_json '[' '1: a chain in {...} was expected'
bad_json '[{"a' '1: a quote that is not closed'
bad_json '[{"a" [1]}]' '1: no colon behind a name'
bad_json '[{"a": 1}]' '1: draws in [...] were expected'
bad_json '[{"a": []}]' '1: no number'
bad_json '[{"a": [1, 2}]' '1: neither , nor ] behind a number'
bad_json '[{"a": [1, 2], "b": [1]}]' '1: fewer draws than the first parameter has'
bad_json '[{"a": [1, 2], "b": [1, 2, 3]}]' '1: more draws than the first parameter has'
bad_json '[{"a": [1]},
{"b": [1]}]' '2: another name than the first chain has here'
bad_json '[{"a": [1], "b": [1]}, {"a": [1]}]' '1: fewer parameters than the first chain has'
bad_json '[{"a": [1] "b": [1]}]' '1: neither , nor } behind draws'
bad_json '[{"a": [1]}' '1: neither , nor ] behind a chain'
bad_json '[{"a": [1]}] x' '1: something behind the end'

# ---- what cannot be read ----
run 2 diagnose;                                  err_has "which files of draws?"
run 1 diagnose nowhere.csv;                      err_has "nowhere.csv: "
printf 'a,b\n1,2\n3,x\n' > bad.csv;              run 1 diagnose bad.csv;    err_has "bad.csv: line 3, cell 2: no number"
sed '$d' out_2.csv | sed '$d' > short.csv;       run 1 diagnose out_1.csv short.csv;  err_has "short.csv: 499 draws of a chain"
run 1 diagnose out_1.csv good.csv;               err_has 'good.csv: a column "b[1,2]" where out_1.csv has "b.1"'
run 1 diagnose out_1.csv bad.csv;                err_has "bad.csv: "
printf 'a\n1\n1\n1\n' > same.csv;                run 0 diagnose same.csv -o no.svg;   err_has "no.svg is not written"
run 1 diagnose good.csv -o good.csv;             err_has "holds draws"
awk 'BEGIN { print "x,y"; for (i = 0; i < 60; i++) print i/60 "," i % 7 }' > line.csv
run 0 fit line.csv --target y --basis linear -o line.bln
printf 'a\n1\n2\n4\n' > few.csv;                 run 3 diagnose few.csv;    out_has "Nothing can be said of 1 parameter"
run 1 diagnose line.bln;                         err_has "a model that holds no draws";  err_has "bayeslin check"
printf 'a\n1\n' > one.csv;                       run 3 diagnose one.csv -o no.svg;    out_has "1 chain of 1 draw, 1 parameter"
err_has "no.svg is not written"
absent no.svg

# ---- check: counts with too many zeros and too large a sd for a Poisson, and not for a negative binomial ----
# Quantiles of a geometric distribution, whose order is that of multiples of the golden ratio.
awk 'BEGIN { print "x,y"; for (i = 0; i < 200; i++) print i/200 "," int(-4*log(1 - (i*0.6180339887 + 0.5) % 1)) }' > counts.csv
for name in poisson negative_binomial; do
    run 0 fit counts.csv --target y --basis linear --likelihood $name -o $name.bln
    run 0 check $name.bln counts.csv -o $name.svg;  err_empty;  out_has "200 rows, 1000 replicates"
    cp out $name.out
done
yes "a Poisson is found out" '/larger than the model/ { n++; names = names $1 " "; if ($6 > 0.01) ok = 0 }
    $1 == "mean" && ($6 < 0.3 || $6 > 0.7) { ok = 0 } END { if (names !~ /sd.*max.*zeros/) ok = 0 }' poisson.out
yes "a negative binomial is not" '/than the model/ { ok = 0 } $1 == "sd" { n++ } END { if (n != 1) ok = 0 }' negative_binomial.out
yes "figures of the data" 'BEGIN { FS = "," }
    FILENAME == "counts.csv" { if (FNR > 1) { s += $2/200; z += ($2 == 0)/200; if ($2 > m) m = $2 } next }
    FNR == 1 { FS = " " } $1 == "mean" { n++; if (($2 - s)^2 > 1e-6) ok = 0 } $1 == "max" { n++; if ($2 != m) ok = 0 }
    $1 == "zeros" { n++; if (($2 - z)^2 > 1e-6) ok = 0 } END { if (n != 3) ok = 0 }' counts.csv poisson.out
yes "bars and their ranges" '/<rect/ { r++ } /90 % of the data sets/ { w++ } /nan|inf/ { ok = 0 }
    END { if (r < 10 || w != 1) ok = 0 }' poisson.svg
run 0 check poisson.bln counts.csv;              same out poisson.out "check twice"
run 0 check poisson.bln counts.csv --seed 1;     differ out poisson.out "--seed"
run 0 check poisson.bln counts.csv --draws 50;   out_has "50 replicates"
if grep -q "than the model" out; then bad "50 replicates cannot tell 0.01"; else good; fi

# ---- real targets: the noise of a normal is symmetric; units, offsets and several outputs are those of the table ----
run 0 fit "$data/boston.csv" --outputs medv,rm --basis linear -o two.bln
run 2 check two.bln "$data/boston.csv" -o two.svg;         err_has "which is to be drawn? (--y medv)"
run 2 check two.bln "$data/boston.csv" --y rm;             err_has "--y is the target to draw"
run 0 check two.bln "$data/boston.csv" --y rm -o two.svg;  err_empty;  out_has "output medv";  out_has "output rm"
yes "two tables" '
    $1 == "mean" { n++; if ((n == 1 && ($2 != 22.53 || $3 > 22.53 || $5 < 22.53)) || (n == 2 && $2 != 6.285)) ok = 0 }
    $1 == "skewness" && $6 > 0.01 { ok = 0 } $1 == "zeros" { ok = 0 } END { if (n != 2) ok = 0 }' out
yes "a curve for the data, and 50" '/fill="none" stroke="#8db4dc"/ { n++ } /stroke="#123f7a" stroke-width="2.5"/ { d++ }
    /nan|inf/ { ok = 0 }
    END { if (n != 50 || d != 1) ok = 0 }' two.svg
head -n 13 "$data/boston.csv" > few.csv
run 0 fit few.csv --target medv --basis linear:cols=rm --integrate -o few.bln;  run 0 check few.bln few.csv;  out_has "12 rows"
run 0 fit "$data/iris.csv" --target species --basis linear --likelihood categorical -o i.bln
run 0 check i.bln "$data/iris.csv" -o i.svg;     err_empty
yes "shares of classes" '/^share of/ { n++; if ($4 != 0.3333 || $8 < 0.1 || $8 > 0.9) ok = 0 }
    END { if (n != 3) ok = 0 }' out
if grep -q "0: setosa, 1: versicolor" i.svg; then good; else bad "names of classes in i.svg"; fi

set -- *.tmp
if [ "$1" = '*.tmp' ]; then good; else bad "left behind: $*"; fi
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
