#!/bin/sh
# test_cli.sh - the tool from end to end: what it prints, what it refuses, and the files that it leaves
#
#     make build/bayeslin && sh tests/tools/test_cli.sh [TOOL]        from the top of the project; ends with `N passed, N failed`
#
# Only POSIX sh and its usual companions.
. tests/tools/tool.sh

# ---- usage ----
run 2;                                         err_has "bayeslin fit"
run 0 --help;                                  out_has "bayeslin cv";  err_empty
run 0 help plot;                               out_has "usage: bayeslin plot"
run 0 --version;                               out_has "bayeslin "
# Verbs and topics are those that the tool itself lists.
listed() { sed -n "s/.*; there are //; s/the verbs, and //; s/(.*//; s/,//g; s/ and / /; p" err; }
run 0 help figures;                            out_has "log evidence"
run 2 help frob;                               err_has 'no help on "frob"';  topics=$(listed)
"$tool" --help | tr -c 'a-z0-9' '\n' > words_of_help
for topic in $topics; do
    run 0 help $topic; err_empty
    if grep -qx $topic words_of_help; then good; else bad "bayeslin --help (help_program) says nothing of help $topic"; fi
done
run 2 frob;                                    err_has 'no verb "frob"';  verbs=$(listed)
if [ "$(echo $topics $verbs | wc -w)" -ge 26 ]; then good; else bad "topics: $topics; verbs: $verbs"; fi
for verb in $verbs; do
    run 0 $verb --help;                        out_has "usage: bayeslin $verb"; out_has "  bayeslin $verb "; err_empty
    run 2 $verb;                               err_has "usage: bayeslin $verb"
    run 2 $verb --frob a;                    err_has "no option --frob"; err_has "try bayeslin $verb --help"
    if [ "$(wc -l < err)" -eq 2 ]; then good; else bad "$verb --frob: more than two lines"; fi
    if [ "$("$tool" $verb --help | wc -l)" -le 50 ]; then good; else bad "$verb --help is longer than a page"; fi
done
run 2 fit d.csv --target y --basis linear;                      err_has "-o is needed"
run 2 fit d.csv -o m --basis linear;                            err_has "--target is needed"
run 2 fit d.csv --target y -o m --prior flat;                   err_has "--basis is needed"
run 2 fit d.csv --target;                                       err_has "--target needs a value"
run 2 fit d.csv e.csv --target y --basis linear -o m;           err_has 'what is "e.csv" for?'
run 2 fit d.csv --target y --basis linear -o m --starts 0;      err_has '--starts wants a whole number from 1, not "0"'
run 2 fit d.csv --target y --basis linear -o m --starts -3;     err_has 'not "-3"'
run 2 fit d.csv --target y --basis linear -o m --seed 1.5;      err_has '--seed wants a whole number from 0'
run 2 fit d.csv --target y --basis linear -o m --seed 99999999999999999999; err_has '--seed wants'
run 2 fit d.csv --target y --basis linear -o m --tolerance nan; err_has '--tolerance wants a number above 0'
run 2 fit d.csv --target y --basis linear -o m --no-scale=1;    err_has '--no-scale takes no value'
run 2 fit d.csv --target y --basis linear -o m --missing maybe; err_has '--missing wants error, drop, mean or indicator'
run 2 fit d.csv --target y --basis linear -o m --sep x;         err_has '--sep wants comma, semicolon or tab'
run 2 fit d.csv --target y --basis linear -o m --folds 3;       err_has 'fit has no option --folds; it belongs to cv'
run 2 fit d.csv --target y --target z --basis linear -o m;      err_has '--target is given twice'
run 2 fit d.csv --target y --basis linear -o m --output=n;      err_has '--output is given twice'
run 2 fit d.csv --target y --basis linear -o m --seed 1 --seed 1;   err_has '--seed is given twice'
run 2 fit d.csv --target y --basis linear -o m --integrate --loo;   err_has '--loo is exact for learnt variances'
run 2 cv d.csv --target y --basis linear --folds 2 --loo;       err_has 'cv has no option --loo; it belongs to fit, score'
run 2 fit d.csv --target y --basis linear -o m --loo-group y;   err_has '--loo-group: column "y" is the target'
run 2 fit d.csv --target y --basis linear -o m --loo-group g --offset g;  err_has 'stands for both --offset and --loo-group'
run 2 predict m d.csv --interval 1;                             err_has '--interval wants a number between 0 and 1'
run 2 cv d.csv --target y --basis linear --folds 2 --masks m;   err_has '--folds and --masks part the rows in two ways'
run 2 cv d.csv --target y --basis linear --folds 1;             err_has '--folds wants at least 2'

# ---- a line through points: y = 3 + 2 a - 4 b exactly, with a little alternating noise ----
awk 'BEGIN {
    print "a,b,y"
    for (i = 0; i < 60; i++) { a = i % 11; b = (i*7) % 13; print a "," b "," 3 + 2*a - 4*b + 0.01*(i % 2 ? 1 : -1) }
}' > line.csv
run 0 fit line.csv --target y --basis linear -o line.bln;       err_empty
out_has "rows             60"; out_has "inputs           2, standardised"; out_has "basis            linear"; out_has "stopped by:"
run 0 info line.bln
yes "info: the slopes of a straight line" '
    $1 == "(intercept)" { n++; if (($2 - 3)^2 > 1e-4 || $6 != "data") ok = 0 }
    $1 == "a" { n++; if (($2 - 2)^2 > 1e-5 || !($4 < 2 && 2 < $5)) ok = 0 }
    $1 == "b" { n++; if (($2 + 4)^2 > 1e-5 || !($4 < -4 && -4 < $5)) ok = 0 }
    $1 == "noise" { n++; if (($3 - 0.01)^2 > 1e-5) ok = 0 }
    END { if (n != 4) ok = 0 }' out
run 0 predict line.bln line.csv -o p.csv;                       err_empty
yes "predict: six columns that fit together" '
    BEGIN { FS = "," }
    NR == 1 { if ($0 != "mean,sd,sd_latent,lower,upper") ok = 0; next }
    !($3 > 0 && $3 < $2 && $4 < $1 && $1 < $5 && ($5 - $1 - 1.959963985*$2)^2 < 1e-12) { ok = 0 }
    END { if (NR != 61) ok = 0 }' p.csv
run 0 predict line.bln line.csv;                                same out p.csv "standard output and -o"
run 0 predict line.bln line.csv --interval=0.5 -o q.csv
yes "predict: --interval" 'BEGIN { FS = "," } NR > 1 && ($5 - $1 - 0.6744897502*$2)^2 > 1e-12 { ok = 0 }' q.csv
printf 'b,extra,a\n5,word,2\n' > order.csv; printf 'a,b\n2,5\n' > plain.csv
run 0 predict line.bln order.csv -o 1.csv; run 0 predict line.bln plain.csv -o 2.csv; same 1.csv 2.csv "order of columns"
yes "predict: the value" 'BEGIN { FS = "," } NR == 2 && ($1 + 13)^2 > 1e-4 { ok = 0 }' 1.csv
# Draws: 300 of each row, with its mean and standard deviation within 5 of their own errors (sd/sqrt(2 n)).
run 0 predict line.bln line.csv --draws 300 -o q.csv
yes "predict: --draws" 'BEGIN { FS = "," } NR == 1 { if ($6 != "draw_1" || $305 != "draw_300" || NF != 305) ok = 0; next }
    { m = v = 0; for (k = 6; k <= NF; k++) m += $k/300; for (k = 6; k <= NF; k++) v += ($k - $1)^2/300
      if ((m - $1)^2 > 25*$2^2/300 || (sqrt(v) - $2)^2 > 25*$2^2/600) ok = 0 }' q.csv
run 0 score line.bln line.csv
yes "score: seven lines" '
    NR == 1 && $0 != "n 60" { ok = 0 }
    { names = names " " $1 }
    $1 == "r2" && $2 < 0.999999 { ok = 0 }
    $1 == "rmse" && ($2 - 0.01)^2 > 1e-5 { ok = 0 }
    $1 == "msll" && $2 > -5 { ok = 0 }
    $1 == "coverage95" && $2 < 0.9 { ok = 0 }
    END { if (names != " n r2 rmse smse mll msll coverage95") ok = 0 }' out
run 0 fit line.csv --target y --basis linear --no-scale -o raw.bln; run 0 predict raw.bln plain.csv
yes "fit --no-scale" 'BEGIN { FS = "," } NR == 2 && ($1 + 13)^2 > 1e-4 { ok = 0 }' out
differ out 2.csv "fit with and without --no-scale"
run 0 fit line.csv --target y --basis bias -o bias.bln; run 0 score bias.bln line.csv
yes "a constant explains nothing" '$1 == "r2" && $2*$2 > 1e-6 { ok = 0 } $1 == "msll" && $2*$2 > 0.01 { ok = 0 }' out

# ---- the same command, the same bytes; another seed, others ----
run 0 fit "$data/mcycle.csv" --target accel --basis rbf:n=40+bias -o m1.bln; err_empty
run 0 fit "$data/mcycle.csv" --target accel --basis rbf:n=40+bias -o m2.bln; same m1.bln m2.bln "twice the same fit"
run 0 fit "$data/mcycle.csv" --target accel --basis rbf:n=40+bias --seed 7 -o m3.bln
run 0 predict m1.bln "$data/mcycle.csv" -o m1.csv; run 0 predict m3.bln "$data/mcycle.csv" -o m3.csv; differ m1.csv m3.csv "--seed"
run 0 info m1.bln
yes "predict: sd^2 = sd_latent^2 + noise^2" '
    FILENAME == "out" { if ($1 == "noise") noise = $3; next }
    FNR == 1 { FS = "," ; next }
    ($2^2 - $3^2 - noise^2)^2 > (1e-4*noise^2)^2 { ok = 0 }
    END { if (!noise) ok = 0 }' out m1.csv
once=$(awk '$1 == "iterations" { print $2 }' out)
run 0 fit "$data/mcycle.csv" --target accel --basis rbf:n=40+bias --starts 3 -o m4.bln; out_has "over 3 starts"
yes "fit --starts 3 works more than $once" '$1 == "iterations" && $2 <= '"$once"' { ok = 0 }' out
run 0 fit "$data/mcycle.csv" --target accel --basis spectral:n=10 -o wave.bln; run 0 info wave.bln
yes "info: an angular frequency per unit, of an input with sd 13.1" '
    $1 == "angular" { n++; s = substr($4, 2); if (($3*13.1/s - 1)^2 > 1e-4) ok = 0 } END { if (n != 1) ok = 0 }' out
run 0 fit "$data/mcycle.csv" --target accel --basis inducing:m=12,kernel=matern52 -o points.bln; out_has "process matern52"
run 0 predict points.bln "$data/mcycle.csv" -o points.csv; run 0 score points.bln "$data/mcycle.csv"
yes "score: twelve inducing points follow the curve" '$1 == "r2" { n++; if (!($2 > 0.7)) ok = 0 } END { if (n != 1) ok = 0 }' out
run 0 fit "$data/mcycle.csv" --target accel --basis inducing:m=12,kernel=matern52 -o again.bln
same points.bln again.bln "twice the same points"
run 2 fit "$data/mcycle.csv" --target accel --basis inducing:m=12,kernel=foo -o no.bln; err_has "unknown kernel"
run 0 fit "$data/mcycle.csv" --target accel --basis gp -o process.bln; out_has "features         134"
cp out process
run 0 fit "$data/mcycle.csv" --target accel --basis inducing:m=133 -o all.bln
yes "gp is inducing points on all rows" '
    $1 == "log" { e[++n] = $3 } END { if (n != 2 || (e[1] - e[2])^2 > 1e-4) ok = 0 }' process out
run 0 predict process.bln "$data/mcycle.csv" --draws 2 -o process.csv; err_empty
run 2 fit "$data/mcycle.csv" --target accel --basis gp --stream -o no.bln; err_has "needs all training rows together"
awk 'BEGIN { print "x,y"; for (i = 0; i < 5001; i++) print i "," i % 7 }' > many.csv
run 1 fit many.csv --target y --basis linear+gp -o no.bln; err_has "inducing:m="; err_has "matern32:n="
run 0 fit "$data/mcycle.csv" --target accel --basis inducing:m=12 --integrate --arithmetic qr -o points.t.bln
out_has "degrees, of Student's t"; run 0 score points.t.bln "$data/mcycle.csv"
yes "inducing points, integrated, by QR" '$1 == "r2" { n++; if (!($2 > 0.7)) ok = 0 } END { if (n != 1) ok = 0 }' out

# ---- plot ----
run 0 plot m1.bln "$data/mcycle.csv" --x times -o m.svg; err_empty
yes "plot: an SVG with 133 points, two bands and a curve" '
    /^<svg / { begin++ } /^<\/svg>/ { end++ } /<circle/ { points++ }
    /fill="#[0-9a-f]*" d=/ { bands++ } /stroke-width="2" stroke-linejoin/ { curves++ }
    /nan|inf/ { ok = 0 }
    END { if (begin != 1 || end != 1 || points != 134 || bands != 2 || curves != 1) ok = 0 }' m.svg
run 1 plot m1.bln "$data/mcycle.csv" --x speed -o n.svg;        err_has 'no input column "speed"'; absent n.svg
run 1 plot m1.bln line.csv --x times -o n.svg;                  err_has 'line.csv: no column "times"'; absent n.svg

# ---- cross-validation ----
run 0 cv "$data/boston.csv" --target medv --basis linear --masks "$data/boston_folds.csv"; err_empty
# The linear model on these folds: least squares has a mean R2 of 0.7137 (NumPy's lstsq); the evidence changes that by little.
yes "cv: a table over the five folds" '
    NR == 1 { if ($0 !~ /^fold +n_train +n_test +r2 +rmse +smse +mll +msll +coverage95 +seconds$/) ok = 0; next }
    NF != 10 { ok = 0 }
    NR <= 6 { if ($1 != NR - 1 || $2 + $3 != 506) ok = 0; for (c = 2; c <= 10; c++) { s[c] += $c; q[c] += $c*$c } test += $3 }
    NR == 7 { if ($1 != "mean" || ($4 - 0.7137)^2 > 1e-5) ok = 0 }
    NR == 7 { for (c = 2; c <= 9; c++) if (($c - s[c]/5)^2 > 1e-4*(1 + $c*$c)) ok = 0 }
    NR == 8 { if ($1 != "sd") ok = 0; for (c = 4; c <= 9; c++) if (($c^2 - (q[c] - s[c]^2/5)/4)^2 > 1e-4) ok = 0 }
    NR == 9 { if ($1 != "all" || $3 != 506) ok = 0 } END { if (NR != 9 || test != 506) ok = 0 }' out
run 0 cv "$data/boston.csv" --target medv --basis linear --folds 4 --seed 3
sed 's/ [^ ]*$//' out > cv1
yes "cv: folds that differ by one at most" '
    NR > 1 && NR < 6 { if ($3 < 126 || $3 > 127) ok = 0; n += $3 } END { if (n != 506) ok = 0 }' cv1
run 0 cv "$data/boston.csv" --target medv --basis linear --folds 4 --seed 3
sed 's/ [^ ]*$//' out > cv2; same cv1 cv2 "the same seed"
run 0 cv "$data/boston.csv" --target medv --basis linear --folds 4 --seed 4
sed 's/ [^ ]*$//' out > cv3
differ cv1 cv3 "cv: --seed"
# One row has no r2: a NaN, printed without its sign.
printf 'x,y\n1,2.1\n2,3.9\n3,6.2\n4,8.1\n' > four.csv
run 0 cv four.csv --target y --basis linear --folds 4;  out_has ' nan '
if grep -q -- '-nan' out; then bad "cv: the sign of a NaN"; else good; fi
# What a fold scores is what fit and score give on its rows: nothing of the test rows gets into the fit.
awk 'NR > 1 && NR < 41 || NR == 1' line.csv > train.csv; awk 'NR == 1 || NR > 40' line.csv > test.csv
awk 'BEGIN { print "s"; for (i = 1; i <= 60; i++) print (i >= 40) }' > mask.csv
run 0 cv line.csv --target y --basis rbf:n=5+linear --masks mask.csv; awk 'NR == 2 { print $3; print $5; print $8 }' out > fold
run 0 fit train.csv --target y --basis rbf:n=5+linear -o train.bln; run 0 score train.bln test.csv
awk '$1 == "n" || $1 == "rmse" || $1 == "msll" { printf "%.5g\n", $2 }' out > alone; same fold alone "a fold, and fit with score"
printf 's\n1\n' > short.csv
run 1 cv line.csv --target y --basis linear --masks short.csv;  err_has "short.csv has 1 row, but line.csv has 60"
awk 'BEGIN { print "s"; for (i = 0; i < 60; i++) print (i == 4 ? 2 : 1) }' > two.csv
run 1 cv line.csv --target y --basis linear --masks two.csv;    err_has 'two.csv:6:1: column "s": a mask holds 1'
awk 'BEGIN { print "s"; for (i = 0; i < 60; i++) print 1 }' > ones.csv
run 1 cv line.csv --target y --basis linear --masks ones.csv;   err_has "fold 1/1: no training rows"
run 1 cv line.csv --target y --basis linear --folds 61;         err_has "61 folds of 60 rows"

# ---- words ----
awk 'BEGIN {
    name[0] = "red"; name[1] = "\"dark, blue\""; name[2] = "green"; print "x,colour,y"
    for (i = 0; i < 90; i++) print i % 10 "," name[i % 3] "," i % 10 + 5*(i % 3) + 0.1*(i % 2)
}' > paint.csv
run 0 fit paint.csv --target y --basis linear -o paint.bln;     out_has "inputs           4  (from 2 columns), standardised"
run 0 info paint.bln
out_has "colour: red - dark, blue"; out_has "colour: dark, blue, green, red"
run 0 score paint.bln paint.csv; yes "words tell" '$1 == "r2" && $2 < 0.999 { ok = 0 }' out
run 0 fit paint.csv --target y --basis 'linear:cols=colour' -o some.bln; out_has "features         4"
run 0 fit paint.csv --target y --basis 'linear:cols=colour=red;x' -o some.bln; out_has "features         3"
run 1 fit paint.csv --target y --basis 'linear:cols=color' -o none.bln; err_has 'no input column "color"'; absent none.bln
printf 'x,colour\n3,pink\n' > pink.csv
run 1 predict paint.bln pink.csv;                               err_has 'pink.csv:2:3: column "colour": "pink"'
run 0 predict paint.bln pink.csv --unseen zero
err_has "1 of 1 row with words (column \"colour\") that the training rows did not have"
run 1 plot paint.bln paint.csv --x colour -o n.svg;             err_has 'holds words'

# ---- what is left out, and said ----
printf ',x,k,y\nr1,1,5,2\nr2,2,5,4\nr3,NA,5,9\nr4,4,5,8.1\nr5,5,5,10\n' > rows.csv
run 0 fit rows.csv --target y --basis linear --missing drop -o rows.bln
err_has 'column 1 has no name and is left out'; err_has 'rows with missing values are left out: 1 of 5'
err_has 'column "k" is 5 in all 5 rows: it tells nothing and is left out'
out_has 'rows             4  (1 more had missing values)'
run 0 predict rows.bln rows.csv --missing drop -o r.csv
yes "predict --missing drop keeps the lines side by side" '
    NR == 4 { if ($0 != "NA,NA,NA,NA,NA") ok = 0 } NR != 4 && /NA/ { ok = 0 } END { if (NR != 6) ok = 0 }' r.csv
run 1 predict rows.bln rows.csv;                                err_has '(line 4)'
run 0 score rows.bln rows.csv --missing drop;                   out_has "n 4"
run 0 fit rows.csv --target y --ignore x --basis bias -o k.bln
out_has "features         1"
sed 's/,/;/g' line.csv > semi.csv
run 0 fit semi.csv --target y --basis linear --sep semicolon -o semi.bln; same semi.bln line.bln "--sep"
tr ';' '\t' < semi.csv | sed 's/$/\r/' > tabs.csv
run 0 fit tabs.csv --target y --basis linear --sep tab -o tabs.bln; same tabs.bln line.bln "tabs and CR LF"

# ---- weights, noise variances, offset ----
# y = offset + 3 + 2 x + e; the columns are no inputs. Weighted least squares by hand: omega = w/v, r = y - o.
awk 'BEGIN {
    print "x,w,v,o,y"
    for (i = 0; i < 40; i++) { x = (i*7) % 11; w = i % 4; v = 0.5 + i % 3; o = (i*i) % 17*100
        e = 0.01*(i % 2 ? 1 : -1)*(1 + i % 5); print x "," w "," v "," o "," o + 3 + 2*x + e }
}' > roles.csv
set -- --weights w --noise-var v --offset o
run 0 fit roles.csv --target y --basis linear "$@" --prior flat -o flat.bln; err_empty
out_has "inputs           1"; out_has "weights          w  (sum 60)"
out_has "noise variance   times v"; out_has "offset           o"
run 0 info flat.bln
out_has "weights          w  (sum 60)"; out_has "noise variance   times v"; out_has "offset           o"
yes "fit: weighted least squares" '
    FILENAME != "out" && FNR == 1 { FS = "," }
    FILENAME != "out" { if (FNR > 1) { q = $2/$3; r = $5 - $4; n += $2; s += q; sx += q*$1; sxx += q*$1*$1 }
                        if (FNR > 1) { sr += q*r; sxr += q*$1*r; srr += q*r*r }; next }
    FNR == 1 { FS = " "; $0 = $0; D = s*sxx - sx*sx; b = (s*sxr - sx*sr)/D; a = (sr - b*sx)/s
               var = (srr - a*sr - b*sxr)/(n - 2) }
    $1 == "noise" && $2 == "sd" { found++; if (($3^2/var - 1)^2 > 1e-14) ok = 0 }
    $1 == "(intercept)" { found++; if (($2 - a)^2 > 1e-20 || ($3^2/(var*sxx/D) - 1)^2 > 1e-14) ok = 0 }
    $1 == "x" { found++; if (($2 - b)^2 > 1e-20 || ($3^2/(var*s/D) - 1)^2 > 1e-14) ok = 0 }
    END { if (found != 3) ok = 0 }' roles.csv out
run 0 predict flat.bln roles.csv -o all.csv; err_empty
cut -d, -f1,3,4 roles.csv > least.csv
run 0 predict flat.bln least.csv -o least.p; err_empty;         same least.p all.csv "predict: neither weights nor target"
run 1 plot flat.bln least.csv --x x -o n.svg;                   err_has 'no column "y"'
cut -d, -f1,2,5 roles.csv > none.csv
run 1 predict flat.bln none.csv;                       err_has 'none.csv: no column "o", which the model needs as its offset'
run 1 score flat.bln none.csv;                                  err_has 'no column "o", which the model needs as its offset'
run 1 plot flat.bln none.csv --x x -o n.svg;                    err_has 'none.csv: no column "o"'; absent n.svg
cut -d, -f1,4,5 roles.csv > one.csv
run 0 predict flat.bln one.csv -o one.p
err_has 'note: one.csv: no column "v" (--noise-var of the fit): it is taken as 1'
run 0 info flat.bln
yes "predict: offset and noise variance of the row" '
    FILENAME == "out" { if ($1 == "noise" && $2 == "sd") noise = $3; next }
    FNR == 1 { FS = ","; next }
    FILENAME == "roles.csv" { v[FNR] = $3; f[FNR] = $4 + 3 + 2*$1; next }
    { scale = FILENAME == "all.csv" ? v[FNR] : 1; n++ }
    ($1 - f[FNR])^2 > 0.05^2 || (($2^2 - $3^2)/(noise^2*scale) - 1)^2 > 1e-12 { ok = 0 }
    ($5 - $1 - 1.959963985*$2)^2 > 1e-10 { ok = 0 }
    END { if (n != 80) ok = 0 }' out roles.csv all.csv one.p
# Standardised, raw, or flat: the same line, for the data leave no doubt about it.
run 0 fit roles.csv --target y --basis linear "$@" -o scaled.bln; run 0 predict scaled.bln roles.csv -o scaled.csv
run 0 fit roles.csv --target y --basis linear "$@" --no-scale -o raw.bln; run 0 predict raw.bln roles.csv -o raw.csv
for other in raw all; do yes "standardised and $other" '
    BEGIN { FS = "," } FNR == 1 { next } FILENAME == "scaled.csv" { m[FNR] = $1; s[FNR] = $2; l[FNR] = $3; next }
    { n++ } ($1 - m[FNR])^2 > (0.01*l[FNR])^2 || ($2/s[FNR] - 1)^2 > 0.05^2 { ok = 0 }
    END { if (n != 40) ok = 0 }' scaled.csv $other.csv; done
# An offset is the same as a target without it; weight k is k copies; another unit of target and offset changes nothing else.
awk -F, 'NR == 1 { print "x,w,v,y"; next } { print $1 "," $2 "," $3 "," $5 - $4 }' roles.csv > less.csv
awk -F, 'NR == 1 { print "x,v,o,y"; next } { for (k = 0; k < $2; k++) print $1 "," $3 "," $4 "," $5 }' roles.csv > copies.csv
awk -F, 'BEGIN { OFS = ","; CONVFMT = "%.17g" } NR > 1 { $4 *= 1024; $5 *= 1024 } { print }' roles.csv > unit.csv
basis=rbf:n=10+linear
run 0 fit roles.csv --target y --basis $basis "$@" -o wavy.bln; run 0 predict wavy.bln roles.csv -o wavy.csv
run 0 fit less.csv --target y --basis $basis --weights w --noise-var v -o less.bln
run 0 predict less.bln less.csv -o less.p
run 0 fit copies.csv --target y --basis $basis --noise-var v --offset o -o copies.bln
run 0 predict copies.bln roles.csv -o copies.p
run 0 fit unit.csv --target y --basis $basis "$@" -o unit.bln; run 0 predict unit.bln unit.csv -o unit.p
yes "offset, weights and units" '
    BEGIN { FS = "," } FNR == 1 { next }
    FILENAME == "roles.csv" { o[FNR] = $4; next } FILENAME == "wavy.csv" { m[FNR] = $1; s[FNR] = $2; next }
    { n++; mean = $1; sd = $2 } FILENAME == "less.p" { mean += o[FNR] } FILENAME == "unit.p" { mean /= 1024; sd /= 1024 }
    (mean - m[FNR])^2 > (1e-3*s[FNR])^2 || (sd/s[FNR] - 1)^2 > 1e-6 { ok = 0 } END { if (n != 120) ok = 0 }
    ' roles.csv wavy.csv less.p copies.p unit.p
for model in wavy less copies unit; do "$tool" info $model.bln | sed -n "s/^log evidence */$model /p"; done > evidence
yes "the evidence: of 60 targets, in their units" '
    { e[$1] = $2 } function near(a, b) { return (a - b)^2 < 1e-8 }
    END { ok = near(e["less"], e["wavy"]) && near(e["copies"], e["wavy"]) && near(e["unit"], e["wavy"] - 60*log(1024)) }' evidence
for table in roles unit; do
    run 0 fit $table.csv --target y --basis $basis "$@" --prior flat -o mixed.bln; sed -n "s/^log evidence */$table /p" out
done > evidence
yes "restricted: two dimensions less" '
    { e[$1] = $2 } END { ok = $3 == "(restricted)" && (e["unit"] - e["roles"] + 58*log(1024))^2 < 1e-8 }' evidence
run 0 score wavy.bln roles.csv; awk '{ print $1, sprintf("%.3g", $2) }' out > with
run 0 score less.bln less.csv; awk '{ print $1, sprintf("%.3g", $2) }' out > without
yes "score: the same residuals; r2 is of the targets as they are" '
    FILENAME == "with" { a[$1] = $2; next } $1 !~ /^(r2|smse)$/ && a[$1] != $2 { ok = 0 } $1 == "rmse" && $2 > 0.05 { ok = 0 }
    END { if (!(a["r2"] >= 0.999)) ok = 0 }' with without
run 0 score wavy.bln copies.csv; err_has 'note: copies.csv: no column "w" (--weights of the fit): it is taken as 1'; cp out copied
run 0 score wavy.bln roles.csv; err_empty; out_has "n 60"
yes "score: weight k is k copies, to rounding" '
    FILENAME == "copied" { a[$1] = $2; next } { n++ } (a[$1] - $2)^2 > 1e-14*$2^2 { ok = 0 } END { if (n != 7) ok = 0 }' copied out
awk -F, 'NR > 1 { $2 = 0 } 1' OFS=, roles.csv > weightless.csv; run 0 score wavy.bln weightless.csv; out_has "rmse nan"
run 0 check wavy.bln roles.csv --draws 10; err_has 'column "w" (--weights of the fit) plays no part here: every row counts once'
awk -F, 'NR > 1 { $2 += 0.5 } 1' OFS=, roles.csv > halves.csv
run 0 fit halves.csv --target y --basis linear "$@" -o halves.bln
err_has 'note: column "w" (--weights): the weights are not whole numbers: they count rows'
run 0 fit roles.csv --target y --basis linear "$@" -o whole.bln; err_empty
run 0 cv roles.csv --target y --basis linear "$@" --folds 4;    err_empty
yes "cv: with weights, noise variances and offset" '
    $1 == "mean" { n++; if (!($5 < 0.05 && $8 < -3)) ok = 0 } END { if (n != 1) ok = 0 }' out
run 0 plot wavy.bln roles.csv --x x -o wavy.svg; err_empty
# What is integrated out goes by the rows of the table, not by those of the fold, where 24 of 32 and 136 of 204 would be few.
awk 'BEGIN { print "x,y"; for (i = 0; i < 32; i++) print i/10 "," i/10 + i*i % 7/4 }' > rows32.csv
awk 'BEGIN { print "x,y"; for (i = 0; i < 204; i++) print i/100 "," i*i % 5 + int(i/50) }' > rows204.csv
for rest in 'rows32.csv --folds 4' 'rows204.csv --folds 3 --likelihood poisson'; do
    run 0 cv $rest --target y --basis linear; err_empty; awk '{ $NF = "" } 1' out > chosen
    run 0 cv $rest --target y --basis linear --plug-in; awk '{ $NF = "" } 1' out > plug
    same chosen plug "cv: the inference of fit"
done
awk 'NR < 30' rows32.csv > rows28.csv
run 0 cv rows28.csv --folds 4 --target y --basis linear; awk '{ $NF = "" } 1' out > chosen
run 0 cv rows28.csv --folds 4 --target y --basis linear --plug-in; awk '{ $NF = "" } 1' out > plug
differ chosen plug "cv: few rows"
# A word that only the last fold's test rows have is refused before the first fold.
awk 'BEGIN { print "t,c,y"; for (i = 0; i < 40; i++)
    print i "," (i == 37 ? "late" : i % 2 ? "odd" : "even") "," i + i*i % 7 }' > late.csv
run 1 cv late.csv --target y --basis linear --time t --folds 4
err_has 'fold 4/4: late.csv:39:4: column "c": "late" is no word of the training rows (--unseen zero: then it is none of theirs)'
if [ -s out ]; then bad "cv: folds before the word that stops it"; else good; fi
run 0 cv late.csv --target y --basis linear --time t --folds 4 --unseen zero
yes "plot: the target without its offset" '/y - o by rbf/ { n++ } /nan|inf/ { ok = 0 } END { if (n != 1) ok = 0 }' wavy.svg
run 0 fit less.csv --target y --basis linear --weights w --noise-var v --prior flat -o less.bln
run 0 plot less.bln less.csv --x x -o less.svg; run 0 plot flat.bln roles.csv --x x -o flat.svg
grep '<circle' less.svg > less.points; grep '<circle' flat.svg > flat.points; same less.points flat.points "plot: offset"
run 1 plot wavy.bln roles.csv --x w -o n.svg;                   err_has 'no input column "w"'
for f in 'x + w' 'x*w' 'log(w)'; do
    run 1 fit roles.csv --formula "y ~ $f" --weights w -o n.bln; err_has 'cols=: column "w" is that of --weights, and no input'
done
run 1 fit roles.csv --target y --basis 'linear:cols=v;x' --offset 'sqrt(v)' -o n.bln
err_has 'cols=: column "v" is that of --offset, and no input'
run 1 fit roles.csv --target y --basis linear+group:by=v --noise-var v -o n.bln
err_has 'by=: column "v" is that of --noise-var, and names no groups'; absent n.bln
printf 'x,w,v,y\n1,1,1,1\n2,-1,0,2\n3,1,1,4\n' > bad.csv
run 1 fit bad.csv --target y --basis linear --weights w -o none.bln
err_has 'bad.csv:3:3: column "w": "-1" is no weight: it must be 0 or more'; absent none.bln
run 1 fit bad.csv --target y --basis linear --ignore w --noise-var v -o none.bln
err_has 'bad.csv:3:6: column "v": "0" is no noise variance: it must be more than 0'; absent none.bln
printf 'x,w,o,y\n1,0,a,1\n2,0,2,2\n3,0,,4\n' > bad.csv
run 1 fit bad.csv --target y --basis linear --weights w --ignore o -o none.bln
err_has 'column "w" (--weights): all weights are 0'
run 1 fit bad.csv --target y --basis linear --offset o -o none.bln; err_has 'bad.csv:4:5: column "o": a missing value'
run 1 fit bad.csv --target y --basis linear --offset o --missing drop -o none.bln
err_has 'bad.csv:2:5: column "o": "a" is not a number'
run 1 fit bad.csv --target y --basis linear --offset z -o none.bln; err_has 'no column "z" (--offset)'
run 2 fit bad.csv --target y --basis linear --offset y -o none.bln; err_has '--offset: column "y" is the target'
run 2 fit bad.csv --target y --basis linear --offset o --weights o -o none.bln
err_has 'column "o" stands for both --weights and --offset'
run 2 fit bad.csv --target y --basis linear --offset o --ignore o -o none.bln
err_has '--ignore leaves out column "o" of --offset'
run 2 predict flat.bln roles.csv --offset o;                    err_has 'predict has no option --offset'
printf 'x,o,y\n1,5,6\n2,6,7\n3,8,9\n' > bad.csv
run 1 fit bad.csv --target y --basis linear --offset o -o none.bln
err_has 'the target "y" without its offset is 1 in all 3 training rows'
# A model file of the first version is refused, and says so.
run 1 predict "$tests/line_v1.bln" line.csv; err_has 'line_v1.bln: written by an older version of bayeslin'; err_has 'fit anew'

# ---- least squares, against NIST's Statistical Reference Datasets ----
# The file `wanted`: noise sd, then mean and sd of each coefficient. The figures are those of the data rounded to doubles, in
# rational arithmetic (tests/golden/nist_golden.h); 15 printed digits are within 5e-15 of them.
nist() {
    file=$1
    run 0 info $file.bln
    yes "$file: all digits" '
        FILENAME == "wanted" { want[NR - 1] = $1; rows = NR; next }
        $1 == "noise" && $2 == "sd" { got[0] = $3; n = 1 }
        $NF == "data" { got[n++] = $2; got[n++] = $3 }
        END {
            if (n != rows) ok = 0
            for (i = 0; i < n; i++) if ((got[i] - want[i])^2 > (5.1e-15*want[i])^2) ok = 0
        }' wanted out
}
{ echo x,y; tr ' ' '\n' << 'END'
0.2,0.1 337.4,338.8 118.2,118.1 884.6,888 10.1,9.2 226.5,228.1 666.3,668.5 996.3,998.5 448.6,449.1 777,778.9 558.2,559.2 0.4,0.3
0.6,0.1 775.5,778.1 666.9,668.8 338,339.3 447.5,448.9 11.6,10.8 556,557.7 228.1,228.3 995.8,998 887.6,888.8 120.2,119.6 0.3,0.3
0.3,0.6 556.8,557.6 339.1,339.3 887.2,888 999,998.5 779,778.9 11.1,10.2 118.3,117.6 229.2,228.9 669.1,668.4 448.9,449.2 0.5,0.2
END
} > norris.csv
{ echo x1,x2,x3,x4,x5,x6,y; tr ' ' '\n' << 'END'
83,234289,2356,1590,107608,1947,60323 88.5,259426,2325,1456,108632,1948,61122 88.2,258054,3682,1616,109773,1949,60171
89.5,284599,3351,1650,110929,1950,61187 96.2,328975,2099,3099,112075,1951,63221 98.1,346999,1932,3594,113270,1952,63639
99,365385,1870,3547,115094,1953,64989 100,363112,3578,3350,116219,1954,63761 101.2,397469,2904,3048,117388,1955,66019
104.6,419180,2822,2857,118734,1956,67857 108.4,442769,2936,2798,120445,1957,68169 110.8,444546,4681,2637,121950,1958,66513
112.6,482704,3813,2552,123366,1959,68655 114.2,502601,3931,2514,125368,1960,69564 115.7,518173,4806,2572,127852,1961,69331
116.9,554894,4007,2827,130081,1962,70551
END
} > longley.csv
run 0 fit norris.csv --target y --basis linear --prior flat -o norris.bln; out_has "iterations       none: solved directly"
printf '%s\n' 0.8847963961443813 -0.26232307377402675 0.2328182343011548 1.0021168180204545 0.0004297968481999412 \
    > wanted; nist norris
run 0 fit longley.csv --target y --basis linear --prior flat -o longley.bln
out_has "  linear                                   flat"; out_has "(restricted)"; out_has "inputs           6"
printf '%s\n' 304.8540735619648 -3482258.6345958184 890420.3836073726 15.061872271373323 84.91492577476696 -0.03581917929259102 \
    0.03349100777224318 -2.020229803816825 0.4883996816516994 -1.033226867173592 0.21427416316167527 -0.05110410565358071 \
    0.2260732000693702 1829.151464613552 455.478499142212 > wanted
nist longley
# --no-scale has nothing left to do.
run 0 fit longley.csv --target y --basis linear --prior flat --no-scale -o raw.bln; same raw.bln longley.bln "flat, --no-scale"
# Wampler1: y = 1 + x + ... + x^5 without noise. Nothing is left over, and that is a result.
awk 'BEGIN { print "x,y"; for (x = 0; x <= 20; x++) print x "," 1 + x + x^2 + x^3 + x^4 + x^5 }' > wampler.csv
run 0 fit wampler.csv --target y --basis polynomial:degree=5 --prior flat -o wampler.bln
yes "a residual sd of 0" '
    $1 == "noise" { n++; if ($3 != "0") ok = 0 } /evidence/ && $3 != "inf" { ok = 0 } END { if (n != 1) ok = 0 }' out
run 0 info wampler.bln
yes "Wampler1: every coefficient 1, every sd 0" '$NF == "data" { n++; if ($2 != "1" || $3 != "0" || $4 != "1" || $5 != "1") ok = 0 }
    END { if (n != 6) ok = 0 }' out
run 0 predict wampler.bln wampler.csv
yes "predict: no noise, no width" 'BEGIN { FS = "," } NR == 4 && $0 != "63,0,0,63,63" { ok = 0 } END { if (NR != 22) ok = 0 }' out
run 0 score wampler.bln wampler.csv; out_has "r2 1"; out_has "mll nan"; out_has "coverage95 1"
run 0 plot wampler.bln wampler.csv --x x -o wampler.svg
# Through the origin: a constant that is left out must not come back by standardising.
awk 'BEGIN { print "x,y"; for (x = 60; x <= 70; x++) print x "," x + 70 }' > noint.csv
run 0 fit noint.csv --target y --basis linear:ones=0 --prior flat -o noint.bln
printf '%s\n' 3.567530340063379 2.074380165289256 0.01652892561983471 > wanted; nist noint
# Beside random features, which keep a prior.
run 0 fit line.csv --target y --basis linear+rbf:n=5 --prior flat -o mixed.bln
out_has "  linear                                   flat"
yes "rbf keeps a prior" '
    $1 == "rbf" { n++; if (!($2 >= 0)) ok = 0 } $1 == "noise" && length($3) > 10 { ok = 0 } END { if (n != 1) ok = 0 }' out
run 0 score mixed.bln line.csv; yes "mixed: r2" '$1 == "r2" && $2 < 0.9999 { ok = 0 }' out
run 0 cv line.csv --target y --basis linear --prior flat --folds 3; err_empty
run 0 fit line.csv --target y --basis linear --prior learn -o learn.bln; same learn.bln line.bln "--prior learn is the default"
run 2 fit line.csv --target y --basis rbf --prior flat -o none.bln
err_has '--prior flat: random features and effects of groups need a'
run 2 fit line.csv --target y --basis linear --prior wide -o none.bln
err_has '--prior wants flat, each or learn, not "wide"'
run 0 fit paint.csv --target y --basis linear --prior flat -o paint.bln
out_has "left out         colour=dark, blue: what the other words are compared with"; out_has "features         4"
run 0 fit paint.csv --target y --basis linear:ones=0 --prior flat -o words.bln
awk 'BEGIN { print "a,b,c,y"; for (i = 0; i < 20; i++) { a = i % 7; b = i % 3; print a "," b "," 2*a - b "," i } }' > depend.csv
run 1 fit depend.csv --target y --basis linear --prior flat -o none.bln
err_has '--prior flat: "c" is a combination of "a", "b": the data do not determine their weights; leave one out'
run 1 fit depend.csv --target y --basis rbf:n=9+linear --prior flat -o none.bln; err_has '"c" is a combination of "a", "b": the'
run 0 fit depend.csv --target y --basis linear --prior flat --ignore c -o depend.bln
awk 'BEGIN { print "a,z,y"; for (i = 0; i < 9; i++) print i ",0," i*i }' > zero.csv
run 0 fit zero.csv --target y --basis linear:cols=a\;z --prior flat -o zero.bln; out_has "features         2"
printf 'a,b,y\n1,2,3\n2,5,4\n3,1,1\n' > few.csv
run 1 fit few.csv --target y --basis linear --prior flat -o none.bln
err_has '3 weights with a flat prior, but only 3 rows: no noise variance can be learnt'
printf 'a,b,w,y\n1,2,3,3\n2,5,3,4\n' > few.csv
run 1 fit few.csv --target y --basis linear --prior flat --weights w -o none.bln; err_has '2 rows cannot determine 3 weights'

# ---- few data: --integrate ----
{ echo x,y; tr ' ' '\n' << 'END'
1,0.3 2,1.1 3,0.9 4,2.4 5,1.8 6,3.3 7,2.9 8,4.6 9,3.8 10,5.2
END
} > ten.csv
# With --prior flat, the textbook: m -+ t sqrt(RSS/8) sqrt(v), t(0.975, 8) = 2.306004135204166, v = 1/n + (x - xbar)^2/Sxx, plus 1
# for a new observation; the t's own standard deviation is sqrt(8/6) of its scale.
run 0 fit ten.csv --target y --basis linear --prior flat --integrate -o ten.bln; err_empty
out_has "freedom          8 degrees"; out_has "(restricted)  (integrated)"
run 0 predict ten.bln ten.csv -o ten.p; err_empty; run 0 info ten.bln
cat > textbook.awk <<'END'
    BEGIN { FS = "," } FNR == 1 && FILENAME != "out" { next }
    FILENAME == "ten.csv" { n++; x[n] = $1; y[n] = $2; sx += $1; sy += $2; next }
    FILENAME == "ten.p" && !s2 {
        for (i = 1; i <= n; i++) { sxx += (x[i] - sx/n)^2; sxy += (x[i] - sx/n)*(y[i] - sy/n) }
        b = sxy/sxx; a = sy/n - b*sx/n
        for (i = 1; i <= n; i++) s2 += (y[i] - a - b*x[i])^2/8
        t = 2.306004135204166
    }
    function near(got, want) { return (got - want)^2 < 1e-16*(1 + want^2) }
    FILENAME == "ten.p" {
        v = 1/n + (x[FNR-1] - sx/n)^2/sxx; m = a + b*x[FNR-1]; h = t*sqrt(s2*(1 + v)); rows++
        ok = ok && near($1, m) && near($2, sqrt(s2*(1 + v)*8/6)) && near($3, sqrt(s2*v*8/6)) && near($4, m - h) && near($5, m + h)
    }
    FILENAME == "out" { FS = " "; $0 = $0 }
    FILENAME == "out" && $1 == "x" { found++; h = t*sqrt(s2/sxx); ok = ok && near($2, b) && near($4, b - h) && near($5, b + h) }
    FILENAME == "out" && $1 == "(intercept)" {
        found++; h = t*sqrt(s2*(1/n + (sx/n)^2/sxx)); ok = ok && near($2, a) && near($4, a - h) && near($5, a + h) }
    FILENAME == "out" && $1 == "noise" { found++; ok = ok && near($3, sqrt(s2)) }
    END { if (rows != 10 || found != 3) ok = 0 }
END
yes "--integrate --prior flat is the textbook" "$(cat textbook.awk)" ten.csv ten.p out
# sigma's interval: sqrt(8 s2/chi2), quantiles 0.025 and 0.975 of chi2 with 8 degrees: 2.179730747252651, 17.53454613948465.
yes "the interval of the noise" '
    $1 == "noise" { s = $3; low = $6; high = $8; sub(/\)/, "", high); n++
        if ((low/(s*sqrt(8/17.53454613948465)) - 1)^2 > 1e-6 || (high/(s*sqrt(8/2.179730747252651)) - 1)^2 > 1e-6) ok = 0 }
    END { if (n != 1) ok = 0 }' out
# Scores from the density and the quantiles of the t: the mean of -log p at the rows, by awk, for the flat line above.
run 0 score ten.bln ten.csv
yes "score: density and coverage of the t" '
    BEGIN { FS = "," } FILENAME == "ten.csv" && FNR > 1 { y[FNR] = $2; next }
    FILENAME == "ten.p" && FNR > 1 {                      # scale from the interval; log(Gamma(4.5)/(Gamma(4) sqrt(8 pi)))
        n++; scale = ($5 - $4)/2/2.306004135204166; z = (y[FNR] - $1)/scale; inside += y[FNR] > $4 && y[FNR] < $5
        mll -= -0.9501086121502308 - log(scale) - 4.5*log(1 + z*z/8); next }
    FILENAME == "out" { FS = " "; $0 = $0 }
    $1 == "mll" { found++; if (($2 - mll/n)^2 > 1e-14) ok = 0 } $1 == "coverage95" { found++; if ($2 != inside/n) ok = 0 }
    END { if (found != 2) ok = 0 }' ten.csv ten.p out
# By default the intercept is flat, and the rest integrated: wider than plug-in, whatever the units; a term for itself.
run 0 fit ten.csv --target y --basis linear --integrate -o int.bln; out_has "bias                                 flat"
out_has "freedom          9 degrees"
# Draws are new observations: of each row as many within its interval as that says, to 5 standard errors of 4000.
run 0 predict int.bln ten.csv --interval 0.9 --draws 4000 -o int.draws
yes "draws of an integrated model" '
    BEGIN { FS = "," } FNR == 1 { for (k = 1; k <= NF; k++) { if ($k == "lower") low = k; if ($k == "upper") high = k
                                                              if ($k == "draw_1") first = k }; next }
    { n++; inside = 0; for (k = first; k < first + 4000; k++) inside += $k > $low && $k < $high
      if ((inside/4000 - 0.9)^2 > 25*0.9*0.1/4000) ok = 0 }
    END { if (n != 10 || !low || !high || !first) ok = 0 }' int.draws
# The same integrals over a grid of 400000 points by NumPy and SciPy; the ratio is known at the nodes only.
run 0 info int.bln
yes "what was integrated out" '
    function near(got, want, e) { return (got/want - 1)^2 < e*e } { sub(/\)/, "") }
    $1 == "noise" { n++; ok = ok && near($3, 0.5220707017, 1e-4) && near($6, 0.3530809381, 1e-4) && near($8, 0.9657163782, 1e-4) }
    $1 == "linear" { n++; ok = ok && near($2, 5.338594, 0.02) && near($3, 1.287668, 0.02) && near($4, 36.79464, 0.02) }
    $1 == "x" { n++; ok = ok && near($4, 0.3749073357, 2e-5) && near($5, 0.6362702242, 2e-5) } END { if (n != 3) ok = 0 }' out
run 0 predict int.bln ten.csv -o int.p
run 0 fit ten.csv --target y --basis linear --plug-in -o plug.bln; run 0 predict plug.bln ten.csv -o plug.p
yes "integrated intervals are wider" '
    BEGIN { FS = "," } FNR == 1 { next } FILENAME == "plug.p" { w[FNR] = $5 - $4; m[FNR] = $1; next }
    { n++; if (!($5 - $4 > w[FNR] && $5 - $4 < 2*w[FNR] && ($1 - m[FNR])^2 < 0.04)) ok = 0 }
    END { if (n != 10) ok = 0 }' plug.p int.p
awk -F, 'NR == 1 { print; next } { print 1000 + 64*$1 "," 1024*$2 - 4096 }' ten.csv > moved.csv
run 0 fit moved.csv --target y --basis linear --integrate -o moved.bln; run 0 predict moved.bln moved.csv -o moved.p
yes "whatever the units" '
    BEGIN { FS = "," } FNR == 1 { next } FILENAME == "int.p" { for (c = 1; c <= 5; c++) v[FNR, c] = $c; next }
    { n++; for (c = 1; c <= 5; c++) { got = ($c + (c == 2 || c == 3 ? 0 : 4096))/1024; if ((got - v[FNR, c])^2 > 1e-12) ok = 0 } }
    END { if (n != 10) ok = 0 }' int.p moved.p
for spec in 'linear:ones=0+bias' 'bias+linear:ones=1' 'linear:ones=0'; do
    run 0 fit ten.csv --target y --basis "$spec" --integrate -o same.bln; run 0 predict same.bln ten.csv
    yes "--integrate, $spec" '
        BEGIN { FS = "," } FNR == 1 { next } FILENAME == "int.p" { lower[FNR] = $4; next }
        { n++; if (($4 - lower[FNR])^2 > 1e-16) ok = 0 } END { if (n != 10) ok = 0 }' int.p out
done
run 0 info int.bln --interval 0.5
yes "info: quantiles in order" '
    $1 == "linear" && NF == 4 { n++; if (!($3 < $2 && $2 < $4)) ok = 0 }
    $1 == "x" { n++; if (!($4 < $2 && $2 < $5 && $5 - $4 < 1.3*$3)) ok = 0 } END { if (n != 2) ok = 0 }' out
awk -F, 'NR == 1 { print "x,w,v,o,y"; next } { print $1 "," 1 + NR % 2 "," 1 + NR % 3 "," 10*NR "," $2 + 10*NR }' \
    ten.csv > ten_roles.csv
run 0 fit ten_roles.csv --target y --basis rbf:n=3 --integrate --weights w --noise-var v --offset o -o ten_roles.bln; err_empty
out_has "basis parameters"; out_has "stopped by"
run 0 score ten_roles.bln ten_roles.csv; err_empty
run 0 plot ten_roles.bln ten_roles.csv --x x -o int.svg; err_empty
yes "plot: bands" '/fill="#[0-9a-f]*" d=/ { n++ } /nan|inf/ { ok = 0 } END { if (n != 2) ok = 0 }' int.svg
run 0 cv ten.csv --target y --basis linear --integrate --folds 5; err_empty
run 1 score int.bln ten.csv --loo;                              err_has 'was fitted with --integrate'
run 1 fit ten.csv --target y --basis linear+linear+linear+linear --integrate -o none.bln
err_has '4 terms of the basis have a prior variance each'; absent none.bln
run 1 fit ten.csv --target y --basis rbf:n=900 --integrate -o none.bln; err_has 'is for few data and few features'
# Two rows, one degree of freedom: no mean and no variance, but intervals (a Cauchy). Exact data: no width.
printf 'y\n1\n2\n' > two.csv
run 0 fit two.csv --target y --basis bias --integrate -o two.bln; run 0 predict two.bln two.csv
yes "one degree of freedom" 'BEGIN { FS = "," } NR == 2 && !($1 == "nan" && $4 < -8 && $5 > 11) { ok = 0 }
    END { if (NR != 3) ok = 0 }' out
run 0 info two.bln; run 0 score two.bln two.csv; out_has "rmse nan"; out_has "coverage95 1"
awk 'BEGIN { print "x,y"; for (i = 0; i < 5; i++) print i "," 3 - 2*i }' > exact.csv
run 0 fit exact.csv --target y --basis linear --prior flat --integrate -o exact.bln; run 0 predict exact.bln exact.csv
yes "without noise" 'BEGIN { FS = "," }
    NR == 3 && (($1 - 1)^2 > 1e-28 || $2 != 0 || $3 != 0 || $4 != $1 || $5 != $1) { ok = 0 } END { if (NR != 6) ok = 0 }' out
run 0 score exact.bln exact.csv; out_has "mll nan"

# ---- leave-one-out ----
# PRESS of the flat line: e/(1 - h), with variance s2 (1 + h/(1 - h)).
run 0 fit ten.csv --target y --basis linear --prior flat --loo -o loo.bln
err_has "--integrate gives Student"; out_has "leave-one-out    exact"
awk '$1 == "leave-one-out" { on = 1; next } on { print $1, $2 }' out > printed
run 0 score loo.bln ten.csv --loo;                              same out printed "fit --loo and score --loo"
yes "--loo: PRESS" '
    BEGIN { FS = "," } FNR == 1 && FILENAME == "ten.csv" { next }
    FILENAME == "ten.csv" { n++; x[n] = $1; y[n] = $2; sx += $1; sy += $2; next }
    FNR == 1 {
        FS = " "; $0 = $0
        for (i = 1; i <= n; i++) { sxx += (x[i] - sx/n)^2; sxy += (x[i] - sx/n)*(y[i] - sy/n) }
        b = sxy/sxx; a = sy/n - b*sx/n
        for (i = 1; i <= n; i++) s2 += (y[i] - a - b*x[i])^2/8
        for (i = 1; i <= n; i++) { h = 1/n + (x[i] - sx/n)^2/sxx; e = (y[i] - a - b*x[i])/(1 - h); v = s2/(1 - h)
            press += e*e; mll += 0.5*log(2*3.141592653589793*v) + e*e/(2*v); inside += e*e < 3.841458820694124*v }
    }
    $1 == "n" { found++; if ($2 != 10) ok = 0 } $1 == "rmse" { found++; if (($2^2/(press/n) - 1)^2 > 1e-12) ok = 0 }
    $1 == "mll" { found++; if (($2 - mll/n)^2 > 1e-12) ok = 0 } $1 == "coverage95" { found++; if ($2 != inside/n) ok = 0 }
    END { if (found != 4) ok = 0 }' ten.csv out
# Groups: what a flat line through the others predicts, with the noise variance of all. Group b by hand: rows 4, 5, 6.
awk -F, 'NR == 1 { print "x,g,y"; next } { print $1 "," (NR < 5 ? "a" : NR < 8 ? "b" : "c, d") "," $2 }' ten.csv |
    sed 's/c, d/"c, d"/' > groups.csv
run 0 fit groups.csv --target y --basis linear --prior flat --loo-group g -o groups.bln; out_has "leave-out        3 groups of g"
out_has "inputs           1"
run 0 score groups.bln groups.csv --loo-group g
yes "--loo-group" '
    BEGIN { FS = "," } FNR == 1 && FILENAME == "ten.csv" { next }
    FILENAME == "ten.csv" { n++; x[n] = $1; y[n] = $2; g[n] = n < 4 ? 1 : n < 7 ? 2 : 3; next }
    FNR == 1 { FS = " "; $0 = $0
        for (k = 1; k <= 3; k++) {
            m = sx = sy = sxx = sxy = 0
            for (i = 1; i <= n; i++) if (g[i] != k) { m++; sx += x[i]; sy += y[i]; sxx += x[i]^2; sxy += x[i]*y[i] }
            b = (m*sxy - sx*sy)/(m*sxx - sx^2); a = (sy - b*sx)/m
            for (i = 1; i <= n; i++) if (g[i] == k) press += (y[i] - a - b*x[i])^2
        } }
    $1 == "rmse" { found++; if (($2^2/(press/n) - 1)^2 > 1e-12) ok = 0 } END { if (found != 1) ok = 0 }' ten.csv out
run 1 score groups.bln ten.csv --loo-group g;                   err_has 'ten.csv: no column "g" (--loo-group)'
run 1 score loo.bln line.csv --loo;                             err_has 'no column "x"'
awk 'NR < 9' ten.csv > less.csv; run 1 score loo.bln less.csv --loo; err_has '--loo needs the table of the fit, all its rows'
# Standardised, weighted, with an offset: the same from the model file as at the fit.
run 0 fit roles.csv --target y --basis rbf:n=10+linear --weights w --noise-var v --offset o --loo -o loo_roles.bln
awk '$1 == "leave-one-out" { on = 1; next } on { print $1, $2 }' out > printed
run 0 score loo_roles.bln roles.csv --loo;                      same out printed "--loo with weights, noise variances and offset"
yes "--loo: an offset is no error" '$1 == "rmse" && $2 > 0.1 { ok = 0 }' out
run 1 score loo_roles.bln least.csv --loo;                      err_has 'least.csv: no column "y"'
cut -d, -f1,3,4,5 roles.csv > unweighted.csv
run 1 score loo_roles.bln unweighted.csv --loo;                 err_has 'no column "w", which the model needs as its weights'
# A row that alone knows its word.
awk -F, 'NR == 1 { print "x,k,y"; next } { print $1 "," (NR == 3 ? 1 : 0) "," $2 }' ten.csv > lone.csv
run 0 fit lone.csv --target y --basis linear --prior flat --loo -o lone.bln
err_has 'the other rows say nothing about 1 row of 10'; out_has "  n               9"

# ---- --calibrate ----
# Tails heavier than normal. The flat line: left-out residuals over their sd are e/sqrt(s2 (1 - h)) (as PRESS above), of whose 60
# sizes the ceil(0.95*61) = 58th and the ceil(0.8*61) = 49th are the multiples.
awk 'BEGIN { print "x,y"
    for (i = 0; i < 60; i++) { u = (i*37 + 11) % 60; e = (i % 2 ? 1 : -1)*(-log(1 - (u + 0.5)/60))^1.5; x = (i*17) % 60/10
        print x "," 5 - x + e } }' > tails.csv
run 0 fit tails.csv --target y --basis linear --prior flat --calibrate -o tails.bln; err_empty
out_has "calibrated       95 % intervals are mean -+ "; out_has "in place of 1.96  (60 left out)"
run 0 fit tails.csv --target y --basis linear --prior flat -o normal.bln; run 0 predict normal.bln tails.csv -o normal.p
for level in 0.95 0.8; do
    run 0 predict tails.bln tails.csv --interval $level -o tails.p; err_empty
    run 0 info tails.bln --interval $level
    yes "--calibrate, $level: by PRESS" '
        BEGIN { FS = "," } FNR == 1 && FILENAME != "out" { next }
        FILENAME == "tails.csv" { n++; x[n] = $1; y[n] = $2; sx += $1; sy += $2; next }
        FILENAME == "normal.p" { mean[FNR] = $1; sd[FNR] = $2; latent[FNR] = $3; next }
        FILENAME == "tails.p" && !done { done = 1
            for (i = 1; i <= n; i++) { sxx += (x[i] - sx/n)^2; sxy += (x[i] - sx/n)*(y[i] - sy/n) }
            b = sxy/sxx; a = sy/n - b*sx/n
            for (i = 1; i <= n; i++) s2 += (y[i] - a - b*x[i])^2/(n - 2)
            for (i = 1; i <= n; i++) { h = 1/n + (x[i] - sx/n)^2/sxx; z = (y[i] - a - b*x[i])/sqrt(s2*(1 - h)); if (z < 0) z = -z
                for (k = i; k > 1 && s[k-1] > z; k--) s[k] = s[k-1]
                s[k] = z }
            q = s['$level' == 0.95 ? 58 : 49] }
        FILENAME == "tails.p" { rows++
            if ($1 != mean[FNR] || $2 != sd[FNR] || $3 != latent[FNR]) ok = 0
            if (($5 - $1 - q*$2)^2 > 1e-14*(1 + $5*$5) || ($1 - $4 - q*$2)^2 > 1e-14*(1 + $4*$4)) ok = 0 }
        FILENAME == "out" { FS = " "; $0 = $0 }
        FILENAME == "out" && $1 == "calibrated" { found++; if ($2 != 100*'$level' || ($8/q - 1)^2 > 1e-6) ok = 0 }
        END { if (rows != 60 || found != 1 || (q/1.96 - 1)^2 < 0.01) ok = 0 }' tails.csv normal.p tails.p out
done
# On its own rows, left out, 58 of the 60 lie within by construction, the 58th on the edge; the normal 57.
run 0 score tails.bln tails.csv --loo
yes "score --loo of a calibrated model" '$1 == "coverage95" && ($2 < 0.949 || $2 > 0.968) { ok = 0 }' out
run 0 score tails.bln tails.csv; cp out calibrated; run 0 score normal.bln tails.csv
yes "--calibrate changes no score but coverage95" '
    FILENAME == "calibrated" { a[$1] = $2; next } $1 != "coverage95" && a[$1] != $2 { ok = 0 }' calibrated out
run 0 fit tails.csv --target y --basis linear --prior flat -o twice.bln; same twice.bln normal.bln "a file without --calibrate"
run 0 plot tails.bln tails.csv --x x -o tails.svg; err_empty
yes "plot: calibrated" '/calibrated \(new points\)/ { n++ } END { if (n != 1) ok = 0 }' tails.svg
# Weights as copies of z: with all weights 2 there are 120 rows, and the 115th of them is the 58th of the 60: 115 = ceil(0.95*121).
awk -F, 'NR == 1 { print "x,w,y"; next } { print $1 ",2," $2 }' tails.csv > double.csv
run 0 fit double.csv --target y --basis linear --weights w --calibrate -o double.bln; out_has "(120 left out)"
# Groups of three: 20 of them, so that all must lie within; few rows; a row that alone knows its word.
awk -F, 'NR == 1 { print "x,g,y"; next } { print $1 ",g" NR % 20 "," $2 }' tails.csv > by3.csv
run 0 fit by3.csv --target y --basis linear --calibrate --loo-group g -o by3.bln; out_has "(20 left out)"; out_has "20 groups of g"
run 0 fit ten.csv --target y --basis linear --calibrate -o ten.bln; err_empty; out_has "for want of rows  (10 left out, 19 needed)"
run 0 predict ten.bln ten.csv; err_has "10 rows or groups left out are too few to calibrate 95 % intervals, which need 19"
yes "too few rows: normal, or to the farthest" 'BEGIN { FS = "," } NR > 1 && ($5 - $1)/$2 < 1.9599639 { ok = 0 }' out
run 0 predict ten.bln ten.csv --interval 0.9; err_empty
run 0 fit lone.csv --target y --basis linear --prior flat --calibrate -o lone.bln; out_has "(9 left out, 19 needed)"
err_has '--calibrate: the other rows say nothing about 1 row of 10'
# cv: what a fold scores is what fit --calibrate and score give.
run 0 cv line.csv --target y --basis rbf:n=5+linear --masks mask.csv --calibrate; awk 'NR == 2 { print $3; print $9 }' out > fold
run 0 fit train.csv --target y --basis rbf:n=5+linear --calibrate -o train.bln; run 0 score train.bln test.csv
awk '$1 == "n" || $1 == "coverage95" { printf "%.5g\n", $2 }' out > alone; same fold alone "cv --calibrate"
run 2 fit ten.csv --target y --basis linear --calibrate --integrate -o none.bln; err_has '--calibrate goes by rows left out'
run 1 fit wampler.csv --target y --basis polynomial:degree=5 --prior flat --calibrate -o none.bln; err_has 'perfect fit'
run 2 predict tails.bln tails.csv --calibrate;                  err_has 'predict has no option --calibrate; it belongs to fit, cv'

# ---- several targets ----
# u and v share nothing but the table. With flat priors each output is as if it were alone, to the digits that least squares give.
awk 'BEGIN { print "x,u,w,\"v \"\"2\"\"\",n"
    for (i = 0; i < 50; i++) { x = (i*29) % 50/10
        print x "," 5 - 2*x + 0.3*((i*13) % 7 - 3) "," 1 + i % 3 "," 1000 + 40*x*x + 9*((i*5) % 11 - 5) "," 1 + i % 2
    } }' > pair.csv
v='v "2"'
set -- --basis polynomial:degree=2 --prior flat --weights w --noise-var n
run 0 fit pair.csv --outputs "u, $v" "$@" --loo -o pair.bln; err_empty
out_has "targets          u, $v"; out_has "inputs           1"
sed -n '/^leave-one-out/,$s/^  //p' out | awk '{ print $1, $2 }' > pair.loo
run 0 info pair.bln; out_has "coefficients of u"; out_has "coefficients of $v"
awk '/^coefficients of/ { on = 1 } on && $NF == "data"' out > pair.info
awk '/^noise sd/ { getline; print $NF; getline; print $NF }' out > pair.noise
run 0 predict pair.bln pair.csv -o pair.p; err_empty
run 0 score pair.bln pair.csv; cp out pair.score; run 0 score pair.bln pair.csv --loo; awk '{ print $1, $2 }' out > pair.again
same pair.loo pair.again "--loo of several outputs, and from the file"
: > one.info; : > one.noise; : > one.score
for y in u "$v"; do
    if [ "$y" = u ]; then other=$v; else other=u; fi
    run 0 fit pair.csv --target "$y" --ignore "$other" "$@" -o one.bln
    run 0 info one.bln; awk '/^coefficients/ { on = 1 } on && $NF == "data"' out >> one.info
    awk '/^noise sd/ { print $3 }' out >> one.noise
    run 0 predict one.bln pair.csv -o "one.$y.p"
    { echo "output $y"; "$tool" score one.bln pair.csv; } >> one.score
done
near='function near(a, b) { return a == b || (a - b)^2 <= 1e-14*(a^2 + b^2) } BEGIN { n = 0 }'
for what in info noise score; do
    paste -d '|' pair.$what one.$what > both
    yes "several outputs, $what: as one by one" "$near"' { n++; k = split($0, h, "|"); split(h[1], a, " "); m = split(h[2], b, " ")
        if (k != 2) ok = 0; for (i = 1; i <= m; i++) if (a[i] != b[i] && !near(a[i], b[i])) ok = 0 } END { if (n < 2) ok = 0 }' both
done
paste -d , "one.u.p" "one.$v.p" > both.p
head -n 1 pair.p > head.p
printf '%s,%s\n' mean_u,sd_u,sd_latent_u,lower_u,upper_u '"mean_v ""2""","sd_v ""2""","sd_latent_v ""2""",'\
'"lower_v ""2""","upper_v ""2"""' > want.p
same head.p want.p "predict: names of several outputs"
yes "predict: several outputs, as one by one" "$near"'
    BEGIN { FS = "," } FNR == 1 { next } FILENAME == "pair.p" { for (c = 1; c <= 10; c++) p[FNR, c] = $c; next }
    { n++; for (c = 1; c <= 10; c++) if (NF != 10 || !near($c, p[FNR, c])) ok = 0 } END { if (n != 50) ok = 0 }' pair.p both.p
run 0 predict pair.bln pair.csv --draws 2 -o q.p; head -n 1 q.p | cut -d, -f11- > head.p
printf '%s\n' 'draw_1_u,draw_2_u,"draw_1_v ""2""","draw_2_v ""2"""' > want.p; same head.p want.p "predict: draws of several outputs"
yes "predict: draws of several outputs, each near its mean" '
    BEGIN { FS = "," } FNR > 1 { n++; for (c = 11; c < 15; c++) { k = c < 13 ? 1 : 6; s += (($c - $k)/$(k + 1))^2 } }
    END { if ((s/(4*n) - 1)^2 > 25*2/(4*n)) ok = 0 }' q.p
run 1 predict pair.bln line.csv;  err_has 'no column "x"'
awk -F, 'NR == 1 { print "x"; next } NR == 4 { print "NA"; next } { print $1 }' pair.csv > gap.csv
run 0 predict pair.bln gap.csv --missing drop
yes "predict: a row that was dropped" '
    BEGIN { FS = "," } NR == 4 { if ($0 != "NA,NA,NA,NA,NA,NA,NA,NA,NA,NA") ok = 0; next } NF != 10 || /NA/ { ok = 0 }
    END { if (NR != 51) ok = 0 }' out
# A Gaussian process for both, calibrated: the multiples of each, cv, and the picture of one.
run 0 fit pair.csv --outputs "$v;u" --basis rbf:n=10+linear --calibrate -o gp.bln; err_empty; out_has "sd for u, in place of 1.96"
run 0 info gp.bln; out_has "units of the noise sd"; cp out gp.info
run 0 predict gp.bln pair.csv -o gp.p
yes "calibrated, each by its own multiple" '
    FILENAME == "gp.info" { if ($1 == "calibrated") { q[$11 == "u,"] = $8; n++ } next } FNR == 1 { FS = ","; next }
    { r++; if ((($5 - $1)/$2/q[0] - 1)^2 > 1e-6 || (($10 - $6)/$7/q[1] - 1)^2 > 1e-6) ok = 0 }
    END { if (n != 2 || r != 50 || q[0] == q[1]) ok = 0 }' gp.info gp.p
run 0 cv pair.csv --outputs "u,$v" --basis linear --folds 3
yes "cv: a row for each output of each fold" '
    NR == 1 { if ($11 != "output") ok = 0; next } NR <= 7 { s[(NR % 2)] += $5; if ($1 != int(NR/2)) ok = 0 }
    $11 != (NR % 2 ? "v" : "u") || (NR % 2 && $12 != "\"2\"") { ok = 0 }
    $1 == "mean" { n++; if (($5 - s[NR % 2]/3)^2 > 1e-8*$5^2) ok = 0 } END { if (NR != 13 || n != 2) ok = 0 }' out
run 0 plot gp.bln pair.csv --x x --y u -o gp.svg; err_empty
yes "plot --y" '/u by rbf/ { n++ } END { if (n != 1) ok = 0 }' gp.svg
run 2 plot gp.bln pair.csv --x x -o none.svg;                   err_has 'which is to be drawn? (--y v "2")'; absent none.svg
run 1 plot gp.bln pair.csv --x x --y x -o none.svg;             err_has '--y: the model has no target "x"'
run 0 plot m1.bln "$data/mcycle.csv" --x times --y accel -o y.svg; same y.svg m.svg "plot --y of the only target"
run 0 fit line.csv --outputs y --basis linear -o only.bln;      same only.bln line.bln "--outputs of one"
run 2 fit pair.csv --basis linear -o none.bln;                  err_has '--target is needed, or --outputs for several'
run 2 fit pair.csv --outputs u --target u --basis linear -o n;  err_has 'either --target or --outputs'
run 2 fit pair.csv --outputs u,,v --basis linear -o none.bln;   err_has '--outputs wants names of columns with commas between'
run 2 fit pair.csv --outputs 'u; u' --basis linear -o none.bln; err_has '--outputs names column "u" twice'
run 1 fit pair.csv --outputs u,z --basis linear -o none.bln;    err_has 'pair.csv: no column "z" (--outputs)'
run 2 fit pair.csv --outputs "u,$v" --basis linear --ignore u -o none.bln;   err_has '--ignore leaves out the target "u"'
run 2 fit pair.csv --outputs "u,$v" --basis linear --offset w -o none.bln;   err_has '--offset is for one target, not for several'
run 2 fit pair.csv --outputs "u,$v" --basis linear --integrate -o none.bln;  err_has '--integrate is for one target, not for'
run 1 score gp.bln order.csv;                                   err_has 'order.csv: no column "x"'
cut -d, -f1,2,3,5 pair.csv > half.csv; run 1 score gp.bln half.csv; err_has "no column \"$v\", which the model needs as its target"
printf 'x,a,b\n1,2,7\n2,3,7\n3,5,7\n' > bad.csv
run 1 fit bad.csv --outputs a,b --basis linear -o none.bln;     err_has 'the target "b" is 7 in all 3 training rows'
absent none.bln

# ---- a prior variance for each weight ----
# Two of ten inputs count: the data determine little else, and the evidence is higher than with one variance for all.
awk 'BEGIN { s = 7; for (j = 0; j < 10; j++) printf "x%d,", j; print "y"
    for (i = 0; i < 80; i++) { y = 0
        for (j = 0; j < 11; j++) { r = 0; for (k = 0; k < 12; k++) { s = (s*16807) % 2147483647; r += s/2147483647 }
            r -= 6; if (j < 10) { printf "%.6f,", r; y += (j == 2 ? 3 : j == 7 ? -2 : 0)*r } else y += 0.5*r }
        printf "%.6f\n", y } }' > ten_inputs.csv
run 0 fit ten_inputs.csv --target y --basis linear -o shared.bln; cp out shared.fit
run 0 fit ten_inputs.csv --target y --basis linear --prior each -o each.bln; err_empty; cp out each.fit
yes "--prior each finds the two" '
    { file = FILENAME } $1 == "log" { e[file] = $3 }
    $1 == "linear" && file == "each.fit" { n++; sub(/\(/, "", $10); d = $10
        if ($6 != "10,") ok = 0 }
    END { if (n != 1 || !(d > 1.9 && d < 6) || !(e["each.fit"] > e["shared.fit"] + 3)) ok = 0 }' shared.fit each.fit
run 0 info each.bln
yes "--prior each: what says nothing is near 0" '
    $1 == "x2" { n++; if (($2 - 3)^2 > 0.1) ok = 0 } $1 == "x7" { n++; if (($2 + 2)^2 > 0.1) ok = 0 }
    $1 ~ /^x[013-689]$/ { n++; if ($2^2 > 0.05) ok = 0; small += $3 < 0.02 } END { if (n != 10 || small < 4) ok = 0 }' out
run 0 predict each.bln ten_inputs.csv; err_empty
run 0 fit pair.csv --outputs "u,$v" --basis polynomial:degree=4 --prior each -o both.bln; out_has "one for each of 12, up to"
run 2 fit ten.csv --target y --basis linear --prior each --integrate -o none.bln; err_has '--integrate can integrate three at most'

# ---- how it is learnt ----
# Every optimiser and arithmetic finds the same evidence, to what an optimiser may leave (1e-6 of it, a few times).
for way in '--optimiser lbfgs' '--optimiser mackay' '--optimiser em' '--optimiser mm' '--arithmetic double' '--arithmetic exact' \
           '--arithmetic qr' '--arithmetic qr --optimiser mm --stream'; do
    # shellcheck disable=SC2086
    run 0 fit ten_inputs.csv --target y --basis linear -o way.bln $way; err_empty
    cat out >> ways; awk '$1 == "arithmetic" || $1 == "optimiser" { print $2 }' out > used
    for word in $way; do
        case $word in -*|lbfgs) ;; *) said="info of $way"; cp used out; out_has "$word" ;; esac
    done
done
yes "all optimisers and arithmetics agree" '
    $1 == "log" { n++; if (n == 1) e = $3; if (($3 - e)^2 > (1e-4*e)^2) ok = 0 } END { if (n != 8) ok = 0 }' ways
run 0 info way.bln; out_has "arithmetic       qr"; out_has "optimiser        mm"
no_way() { run 2 fit "$1" --target y -o none.bln --basis "$2" $3; err_has "$4"; }
no_way ten_inputs.csv rbf:n=5 '--optimiser em'            'learns variances alone, and the basis has'
no_way ten_inputs.csv rbf:n=5 '--arithmetic exact'        'is for bases without parameters to learn'
no_way ten_inputs.csv linear '--residual ignored'         'inducing points, and the basis has none'
no_way ten_inputs.csv linear '--noise shared'             'is about the noise of several --outputs'
no_way ten_inputs.csv linear '--optimiser adam'           'wants lbfgs, mackay, em or mm, not "adam"'
no_way ten.csv linear '--integrate --optimiser em'        'and --integrate learns none'
run 2 predict way.bln ten_inputs.csv --arithmetic qr;           err_has 'it belongs to fit, cv, compare, stats'
absent none.bln
# The bound of inducing points is below the evidence of the features alone.
run 0 fit "$data/mcycle.csv" --target accel --basis inducing:m=12,kernel=matern52 --residual ignored -o ignored.bln; cp out ignored
run 0 info points.bln; cp out points; run 0 info ignored.bln; out_has "residual         ignored"
yes "--residual ignored" '$1 == "log" { e[FILENAME] = $3 } END { if (!(e["points"] < e["ignored"] - 0.01)) ok = 0 }' points ignored
run 0 cv "$data/mcycle.csv" --target accel --basis inducing:m=12 --residual ignored --folds 2; err_empty
# Least squares: the correlation of the noise is that of the residuals, a shared variance the mean of the two.
for kind in diagonal correlated shared; do
    run 0 fit pair.csv --outputs "u,$v" --basis linear --prior flat --noise $kind -o $kind.bln; err_empty
    run 0 predict $kind.bln pair.csv -o $kind.p
    run 0 info $kind.bln; awk '/^noise sd/ { getline; u = $2; getline; print u, $3, $4 }' out > $kind.noise
done
run 0 info correlated.bln; out_has "noise            correlated"
paste -d , pair.csv correlated.p | awk -F, 'NR == 1 { for (c = 1; c <= NF; c++) at[$c] = c; next }
    { a = $at["u"] - $at["mean_u"]; b = $at["\"v \"\"2\"\"\""] - $at["\"mean_v \"\"2\"\"\""]; ab += a*b; aa += a*a; bb += b*b }
    END { print ab/sqrt(aa*bb) }' > residuals
yes "--noise correlated: the residuals" '
    FILENAME == "residuals" { r = $1; next } { n++; if (($3 - r)^2 > 1e-8) ok = 0 } END { if (n != 1 || r*r < 1e-4) ok = 0 }' \
    residuals correlated.noise
yes "--noise shared: the mean variance" '
    FILENAME == "diagonal.noise" { m = ($1^2 + $2^2)/2; next } { n++; if ($1 != $2 || ($1^2/m - 1)^2 > 1e-16) ok = 0 }
    END { if (n != 1) ok = 0 }' diagonal.noise shared.noise
run 0 cv pair.csv --outputs "u,$v" --basis rbf:n=5+linear --noise correlated --folds 2; err_empty
run 0 fit pair.csv --outputs "u,$v" --basis rbf:n=5+linear --noise shared --stream --sample 20 -o $kind.bln; err_empty

# ---- models that are none ----
run 1 predict nowhere.bln line.csv;                             err_has 'predict: nowhere.bln: No such file'
run 1 predict line.csv line.csv
if [ "$(grep -o line.csv err | wc -l)" = 1 ]; then good; else bad "$said: the file is named twice"; fi
run 1 predict line.csv line.csv;                                err_has 'line.csv: not a bayeslin model file'
dd if=line.bln of=cut.bln bs=1 count=100 2> /dev/null
run 1 info cut.bln;                                             err_has 'cut.bln: '
run 1 predict line.bln paint.csv;                               err_has 'paint.csv: no column "a"'
run 1 score line.bln plain.csv;                                 err_has 'no column "y", which the model needs as its target'

# ---- files are whole or not there ----
echo old > keep.bln; run 1 fit bad.csv --target nothing --basis linear -o keep.bln; echo old > old; same keep.bln old "a failed fit"
run 1 fit line.csv --target y --basis linear -o no/such/folder.bln; err_has 'no/such/folder.bln: '
run 1 fit line.csv --target y --basis linear -o .;              err_has 'is a folder'
# What is no plain file is written through, not replaced; tried on a pipe of our own, never on a device.
mkfifo pipe; cat pipe > piped & run 0 predict line.bln line.csv -o pipe
if [ -p pipe ]; then good; else bad "-o replaced a pipe"; : > pipe; kill $! 2> /dev/null; fi
wait; same piped p.csv "-o into a pipe"
if [ -w /dev/full ]; then
    for command in "score line.bln line.csv" "info line.bln" "predict line.bln line.csv" \
                   "fit line.csv --target y --basis linear -o f.bln" "cv line.csv --target y --basis linear --folds 2" \
                   "fit --help" "--version"; do
        # shellcheck disable=SC2086
        "$tool" $command > /dev/full 2> err
        if [ $? = 1 ]; then good; else bad "a full disk goes unnoticed: $command"; fi
        said="$command > /dev/full"; err_has "standard output could not be written"
    done
fi
# Nothing is written over what is read: by name, by another name, or through a link. A link stays, and a pipe.
cp line.csv mine.csv; ln -s mine.csv linked.csv; ln mine.csv hard.csv; cp line.bln mine.bln
for name in mine.csv ./mine.csv linked.csv hard.csv; do
    run 1 fit mine.csv --target y --basis linear -o $name;      err_has "$name: would be written over, and holds the data"
    run 1 predict mine.bln mine.csv -o $name;                   err_has "holds the data"
done
run 1 predict mine.bln mine.csv -o mine.bln;                    err_has "mine.bln: would be written over, and holds the model"
run 1 plot mine.bln mine.csv --x a -o mine.bln;                 err_has "holds the model"
same mine.csv line.csv "the data stay"; same mine.bln line.bln "the model stays"
mkdir -p shelf; ln -s shelf/real.bln link.bln
for there in no yes; do
    run 0 fit line.csv --target y --basis linear -o link.bln
    if [ -h link.bln ]; then good; else bad "-o replaced a link ($there)"; fi
    same shelf/real.bln line.bln "through a link ($there)"
done
set -- *.tmp
if [ "$1" = '*.tmp' ]; then good; else bad "left behind: $*"; fi

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
