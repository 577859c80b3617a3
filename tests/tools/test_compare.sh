#!/bin/sh
# test_compare.sh - which of several models is best: compare, and cv by groups, by time and as a learning curve
#
#     make build/bayeslin build/json_check && sh tests/tools/test_compare.sh [TOOL]    from the top; ends with `N passed, N failed`
#
# Figures of R 4: for compare, log densities of the rows of lm() without each, dnorm(y, y - e/(1 - h), sqrt(s2/(1 - h)), log = TRUE)
# with residuals e, hat values h and s2 = sigma(m)^2, and loo::loo_compare (2.x) of them; for cv, lm() on the training rows.
. "${0%/*}/tool.sh"
check=$top/build/json_check
is() { if [ "$("$check" out "$1")" = "$2" ]; then good; else bad "$said: $1 is $("$check" out "$1"), not $2"; fi; }
close() {
    if "$check" out "$1" | awk '{ d = $1 - ('"$2"'); if (d < 0) d = -d; exit !(NF == 1 && d <= '"$3"') }'; then good
    else bad "$said: $1 is $("$check" out "$1"), not $2 to $3"; fi
}
boston=$data/boston.csv sleep=$data/sleepstudy.csv

# ---- compare: three bases, and the same as models ----
run 0 compare "$boston" --target medv --prior flat --basis linear:cols=rm --basis 'linear:cols=rm;lstat' \
      --basis 'linear:cols=rm;age' --json
is .models[0].name 'linear:cols=rm;lstat';  is .models[1].name 'linear:cols=rm;age';  is .models[2].name linear:cols=rm
is .models[0].diff 0;  is .models[0].diff_se 0;  is .verdict better;  is .best 'linear:cols=rm;lstat';  is .compared_rows 506
close .models[0].elpd -1587.3082144111 1e-8;    close .models[0].elpd_se 27.4215955194 1e-8
close .models[1].elpd -1652.9810614848 1e-8;    close .models[1].elpd_se 34.6959610505 1e-8
close .models[1].diff -65.6728470738 1e-8;      close .models[1].diff_se 16.7321263203 1e-8
close .models[2].diff -88.5393036763 1e-8;      close .models[2].diff_se 16.0726465002 1e-8
close .models[0].coverage95 "476/506" 1e-12;    is .models[0].doubtful 0;   is .evidences_comparable false
for k in rm 'rm;lstat' 'rm;age'; do run 0 fit "$boston" --target medv --prior flat --basis "linear:cols=$k" -o "$k.bln"; done
run 0 compare rm.bln 'rm;lstat.bln' "$boston" 'rm;age.bln';  err_empty
out_has 'rm;lstat.bln is better than rm;age.bln by 65.67 -+ 16.73.';  out_has 'The log evidences cannot be compared'
near 'rm.bln' 2 -1675.85 0.005 out;  near 'rm.bln' 4 -88.54 0.005 out;  near 'rm.bln' 5 16.07 0.005 out
run 0 compare rm.bln 'rm;lstat.bln' "$boston" --json;  close .models[1].diff -88.5393036763 1e-8;  is .models[0].seconds null

# Two that are nearly the same cannot be told apart; a third that is worse does not change that.
awk 'BEGIN { print "x,z,y"
    for (i = 0; i < 120; i++) { z = i*37 % 101; print i/10 "," z "," 2*i/10 + (i*7919 % 97)/50 } }' > near.csv
run 0 compare near.csv --target y --basis linear --basis linear:cols=x --json;  is .verdict alike;  err_empty
if "$check" out .sentence | grep -q 'cannot be told apart: they differ by'; then good; else bad "two alike"; fi
run 0 compare near.csv --target y --basis linear --basis linear:cols=x --basis linear:cols=z
if grep -q '^linear:cols=x and linear cannot be told apart: they\|^linear and linear:cols=x cannot be told apart: they' out
then good; else bad "two of three alike"; cat out; fi
# The same twice, and groups, whose numbers are no measurement.
run 0 fit near.csv --target y --basis linear -o a.bln;  run 0 compare a.bln a.bln near.csv;  out_has 'they differ by 0.00 -+ 0.00'
run 0 compare "$sleep" --target reaction --basis linear:cols=days --basis 'linear:cols=days+group:by=subject'
out_has 'linear:cols=days+group:by=subject is better than linear:cols=days by'
for k in linear:cols=days linear:cols=days+group:by=subject; do run 0 fit "$sleep" --target reaction --basis $k -o ${#k}.bln; done
run 0 compare 16.bln 33.bln "$sleep";  out_has '33.bln is better than 16.bln by'
# Without the table: log evidences, which differ as `info` says.
run 0 fit near.csv --target y --basis linear -o a.bln;  run 0 fit near.csv --target y --basis linear:cols=z -o b.bln
run 0 compare b.bln a.bln --json;  is .best a.bln;  is .models[0].elpd nothing;  is .evidences_comparable true
run 0 compare b.bln a.bln;  out_has 'more probable under a.bln than under b.bln'
run 0 compare rm.bln 'rm;age.bln';  out_has 'These log evidences cannot be compared; give the table too'

# What cannot be compared, and why.
head -n 81 near.csv > short.csv;  run 0 fit short.csv --target y --basis linear -o short.bln
run 1 compare a.bln short.bln;  err_has 'a.bln was fitted to 120 rows, short.bln to 80: what they say is about different rows'
run 1 compare a.bln b.bln short.csv;  err_has 'short.csv has 80 rows that can be used, and a.bln was fitted to 120'
sed '5s/[^,]*$/99/' near.csv > other.csv;  run 0 fit other.csv --target y --basis linear -o other.bln
run 1 compare a.bln other.bln;  err_has 'were fitted to different rows: the mean of the target is'
run 1 compare a.bln b.bln other.csv;  err_has 'other.csv is not the table that a.bln was fitted to: the mean of the target is'
sed '5s/^[^,]*/99/' near.csv > other.csv;  run 0 fit other.csv --target y --basis linear -o other.bln
run 1 compare a.bln other.bln;  err_has 'were fitted to different rows: the mean of "x" is'
run 0 fit near.csv --target x --basis linear -o x.bln
run 1 compare a.bln x.bln;  err_has 'a.bln predicts "y", x.bln predicts "x": models of different targets cannot be compared'
run 0 fit "$data/ships.csv" --target incidents --trials service --basis linear --likelihood poisson -o p.bln
run 0 fit "$data/ships.csv" --target incidents --ignore service --basis linear -o n.bln
run 1 compare p.bln n.bln;  err_has 'p.bln gives probabilities of the target, n.bln densities'
run 2 compare a.bln;  err_has 'two models or more'
run 2 compare near.csv --target y --basis linear;  err_has '--basis: two or more are compared'
run 2 compare near.csv --basis linear --basis bias;  err_has '--target is needed'
run 2 compare a.bln b.bln --target y;  err_has '--target is as in the file of each model'
run 2 compare a.bln b.bln near.csv short.csv;  err_has 'one table is wanted'
run 2 compare near.csv --target y --basis linear --basis frob;  err_has '--basis "frob"'
run 2 compare a.bln - - < /dev/null;  err_has 'can be read once'
# Counts of other rows, of which no column is in both models
awk 'BEGIN { print "k,x,g"; for (i = 0; i < 40; i++) print i*7 % 5 "," i/10 "," i % 3 }' > one.csv
awk 'BEGIN { print "k,x,g"; for (i = 0; i < 40; i++) print i*7 % 6 "," i/10 "," i % 3 }' > two.csv
counts="--target k --likelihood poisson"
run 0 fit one.csv $counts --basis linear:cols=x -o kx.bln
run 0 fit one.csv $counts --basis linear:cols=g -o kg.bln
run 0 fit two.csv $counts --basis linear:cols=g -o other.bln
run 0 compare kx.bln kg.bln;  run 0 compare kx.bln kg.bln one.csv
run 1 compare kx.bln other.bln;  err_has 'were fitted to different rows: the mean of the target is 2 and 2.4, its variance'
run 1 compare kx.bln kg.bln two.csv
err_has 'two.csv is not the table that kx.bln was fitted to: the mean of the target is 2.4, not 2'
# Rows that say nothing of each other, and few of them: said.
awk 'BEGIN { print "x,y"; for (i = 0; i < 30; i++) print i % 5 "," i % 3; print "40,90" }' > alone.csv
run 0 compare alone.csv --target y --basis linear --basis bias --likelihood poisson
err_has 'below 100 rows the standard error of a difference is too small';  err_has 'some rows stand nearly alone'
head -n 9 near.csv > tiny.csv;  run 0 fit tiny.csv --target y --basis linear -o t.bln
run 0 fit tiny.csv --target y --basis bias -o u.bln
run 0 compare t.bln u.bln tiny.csv;  out_has '(variances are integrated out)';  out_has 'take cv --folds K'

# ---- cv --group: each group, or several, left out together ----
run 0 cv "$sleep" --target reaction --basis linear:cols=days --prior flat --group subject -o held.csv --json
is '.folds[#]' 18;  is .folds[0].group 308;  is .folds[17].n_test 10;  is .folds[17].n_train 170
close .folds[0].rmse 71.69740159 1e-7;  close .folds[17].rmse 23.00522447 1e-7
close .mean[0].rmse 43.45347537 1e-7;   close .sd[0].rmse 24.61849022 1e-7
yes "cv -o: each row once, in order, as R predicts it" 'BEGIN { FS = "," }
    NR == 1 { if ($0 != "row,fold,reaction,mean,sd,sd_latent,lower,upper") ok = 0; next }
    $1 != NR - 1 { ok = 0 }
    NR == 2 && (($3 - 249.56)^2 > 1e-12 || ($4 - 251.8293658)^2 > 1e-13 || ($5 - 46.47807616)^2 > 1e-15) { ok = 0 }
    { s[$2] += ($3 - $4)^2 } END { if (NR != 181 || (sqrt(s[1]/10) - 71.69740159)^2 > 1e-12) ok = 0 }' held.csv
run 0 cv "$sleep" --target reaction --basis linear:cols=days --group subject --folds 4 --seed 3 --keep subject -o held.csv
yes "cv --group --folds: no group in two folds, folds of about the same size" 'BEGIN { FS = "," }
    NR == 1 { next } { if (($1 in fold) && fold[$1] != $3) ok = 0; fold[$1] = $3; n[$3]++ }
    END { for (k = 1; k <= 4; k++) if (n[k] < 40 || n[k] > 50) ok = 0; if (NR != 181) ok = 0 }' held.csv
run 0 cv "$sleep" --target reaction --basis linear:cols=days --json;  is '.folds[#]' 10;  is .folds[0].n_test 18
run 1 cv "$sleep" --target reaction --basis linear:cols=days --group subject --folds 19;  err_has 'holds 18 groups'
run 1 cv "$sleep" --target reaction --basis linear --group frob;  err_has 'no column "frob" (--group)'
run 2 cv "$sleep" --target reaction --basis linear --group reaction;  err_has '--group: column "reaction" is the target'
run 2 cv "$sleep" --formula 'reaction ~ days' --group reaction;  err_has '--group: column "reaction" is the target'
# the column of the groups is an input where a term names it, and only there
run 0 cv "$sleep" --target reaction --basis linear:cols=days --prior flat --group days -o held.csv --json;  is '.folds[#]' 10
awk -F, '{ x[NR] = $2; y[NR] = $1 } END { for (d = 0; d < 2; d++) { n = sx = sy = xx = xy = 0
    for (i = 2; i <= NR; i++) if (x[i] != d) { n++; sx += x[i]; sy += y[i]; xx += x[i]*x[i]; xy += x[i]*y[i] }
    b = (n*xy - sx*sy)/(n*xx - sx*sx); printf "%.9f\n", (sy - b*sx)/n + b*d } }' "$sleep" > line.txt
yes "least squares without a day" 'FILENAME == "line.txt" { want[FNR] = $1; next }
    FNR == 2 || FNR == 3 { split($0, v, ","); e = v[4] - want[FNR - 1]; if (e*e > 1e-12) ok = 0; n++ }
    END { if (n != 2) ok = 0 }' line.txt held.csv
run 0 cv "$sleep" --formula 'reaction ~ days' --group days;  out_has 'n_train'
run 0 cv "$sleep" --target reaction --basis linear --group days --folds 2
err_has 'column "days" (--group) is no input of terms that read all columns: cols=days in the basis makes it one'
run 0 fit "$sleep" --target reaction --basis linear --loo-group days -o g.bln
err_has 'column "days" (--loo-group) is no input of terms that read all columns'
run 0 fit "$sleep" --target reaction --basis linear:cols=days --loo-group subject -o g.bln
if grep -q "is no input of" err; then bad "no term reads all columns"; else good; fi
run 2 score g.bln "$sleep" --loo-group reaction;  err_has '--loo-group: column "reaction" is the target'
run 2 cv "$sleep" --target reaction --basis linear --time reaction --folds 3;  err_has '--time: column "reaction" is the target'
run 2 cv "$sleep" --target reaction --basis linear --group subject --time days;  err_has '--group and --time'

# ---- cv --time: from the past, the next block ----
run 0 cv "$sleep" --target reaction --basis linear:cols=days --prior flat --time days --folds 3 --json
close .folds[0].rmse 41.60309718 1e-7;  close .folds[1].rmse 54.49855476 1e-7;  close .folds[2].rmse 62.50317897 1e-7
is .folds[0].n_train 54;  is .folds[1].n_train 90;  is .folds[2].n_train 144;  is .folds[2].n_test 36       # days stay together
awk -F, 'NR == 1 { print $0 ",when"; next } { printf "%s,2024-0%d-%02d\n", $0, 1 + int($2/4), 1 + $2 % 4 }' "$sleep" > when.csv
run 0 cv when.csv --target reaction --basis linear:cols=days --prior flat --ignore when --time when --folds 3 --json
close .folds[1].rmse 54.49855476 1e-7
run 0 cv when.csv --target reaction --basis linear:cols=days --ignore when --time when --folds 1 --json;  is '.folds[#]' 1
sed '7s/[^,]*$/March/' when.csv > bad.csv
run 1 cv bad.csv --target reaction --basis linear:cols=days --ignore when --time when --folds 3
err_has 'bad.csv:7:'; err_has '"March" is no date like those before it: numbers are wanted, or dates as 2024-03-31'
run 1 cv "$sleep" --target reaction --basis linear --time days --folds 20;  err_has 'too few moments'
run 1 cv "$sleep" --target reaction --basis linear --time frob --folds 2;   err_has 'no column "frob" (--time)'
run 2 cv "$sleep" --target reaction --basis linear --time days;             err_has '--time wants --folds K'

# ---- cv --curve: the last line is cv itself; less rows, larger errors of these data ----
run 0 cv "$boston" --target medv --basis linear --folds 5;  awk '$1 == "mean" { $1 = $NF = ""; print }' out > mean.txt
run 0 cv "$boston" --target medv --basis linear --folds 5 --curve
awk '$1 == "all" { $1 = $NF = ""; print }' out > all.txt;  same all.txt mean.txt "all rows of a learning curve"
yes "a curve that falls" '$1 ~ /^1|all/ { n++; if (n > 1 && !($5 < before && $2 > 1.9*rows)) ok = 0; before = $5; rows = $2 }
    END { if (n != 5) ok = 0 }' out
run 0 cv "$boston" --target medv --basis linear --folds 2 --curve --json
is '.curve[#]' 5;  is .curve[0].share 0.0625;  is .curve[4].mean[0].n_train 253;  is .folds nothing
head -n 61 near.csv > sixty.csv;  run 0 cv sixty.csv --target y --basis linear --folds 3 --curve --json
is '.curve[#]' 3;  is .curve[0].mean[0].n_train 10
run 2 cv "$boston" --target medv --basis linear --folds 5 --curve -o o.csv;  err_has '--curve makes several'
sed '1s/reaction/mean/' "$sleep" > mean.csv
run 1 cv mean.csv --target mean --basis linear --folds 2 -o o.csv
err_has 'column "mean": there is a column of that name';  absent o.csv
run 2 cv "$boston" --target medv --basis linear --folds 5 --keep rm;  err_has '--keep is about the columns of -o'

# ---- cv -o of classes ----
run 0 cv "$data/iris.csv" --target species --likelihood categorical --basis linear --folds 3 -o held.csv
yes "cv -o of classes: the error rate is that of the lines" 'FILENAME == "out" { if ($1 ~ /^[123]$/) want += $5/3; next }
    FNR == 1 { FS = ","; if ($0 != "row,fold,species,class,p_setosa,p_versicolor,p_virginica") ok = 0; next }
    { $0 = $0; wrong += $3 != $4; n++ } END { if (n != 150 || (wrong/150 - want)^2 > 1e-9) ok = 0 }' out held.csv

# ---- tables that are not those of the fit, and weights ----
awk -F, 'BEGIN { OFS = "," } NR > 1 { $6 *= 2 } { print }' "$boston" > wrong.csv
run 0 fit "$boston" --target medv --basis linear --plug-in -o one.bln
run 0 fit "$boston" --target medv --basis linear:cols=rm --plug-in -o two.bln
run 1 compare one.bln two.bln wrong.csv;  err_has 'is not the table that'
awk 'BEGIN { print "x,y,w"; for (i = 1; i <= 60; i++) print i/10 "," i/10 + (i*7 % 5) "," i % 3 + 1 }' > weigh.csv
run 0 fit weigh.csv --target y --basis linear:cols=x --weights w -o w1.bln
run 0 fit weigh.csv --target y --basis bias --ignore w -o w2.bln
sed '3s/,[0-9.]*,/,50,/' weigh.csv > heavy.csv;  run 0 fit weigh.csv --target y --basis linear --weights w -o w3.bln
run 0 compare w1.bln w3.bln weigh.csv;  run 1 compare w1.bln w3.bln heavy.csv;  err_has 'is not the table that'
run 0 compare w1.bln w2.bln --json;  yes "weights make other evidences" '/"evidences_comparable": *true/ { ok = 0 }' out

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
