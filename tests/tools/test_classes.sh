#!/bin/sh
# test_classes.sh - the tool with a target of several classes: fit, cv, predict, score, plot, info with --likelihood categorical
#
#     make build/bayeslin && sh tests/tools/test_classes.sh [TOOL]    from the top of the project; ends with `N passed, N failed`
#
# Truth: R's nnet::multinom (reltol 1e-15) on MASS's birthwt, closed forms, and scores worked out from what predict writes.
. "${0%/*}/tool.sh"

is="--likelihood categorical"

# ---- maximum likelihood: the coefficients of nnet::multinom, race (1 white, 2 black, 3 other) ~ age + lwt + smoke ----
sed -n '/golden_birthwt\[/,/};/p' "$tests/../golden/birthwt_golden.h" | tr -d '\n ' | grep -o '{[0-9]*,[0-9]*,[0-9]*,[0-9]*}' |
    awk 'BEGIN { print "race,age,lwt,smoke" } { print substr($0, 2, length($0) - 2) }' > birthwt.csv
if [ "$(wc -l < birthwt.csv)" -eq 190 ]; then good; else bad "birthwt has $(wc -l < birthwt.csv) lines"; fi
run 0 fit birthwt.csv --target race $is --basis linear --prior flat -o b.bln;  err_empty
out_has 'likelihood       categorical_reference'
out_has 'classes          3: 1, 2, 3, compared with the first'
run 0 info b.bln
out_has 'coefficients of 2'
out_has 'coefficients of 3'
sed -n '/golden_multinom\[/,/};/p' "$tests/../golden/birthwt_golden.h" | sed 1d | tr ',}; ' '\n' | grep '[0-9]' > want
awk '/^coefficients/ { on = 1 } on && /log odds/ { print $2 }' out > got
yes "coefficients of nnet::multinom" '{ if (FNR == NR) w[FNR] = $1; else { n++; d = $1 - w[FNR]; if (d < 0) d = -d
    if (d > 1e-6*(w[FNR] < 0 ? -w[FNR] : w[FNR])) ok = 0 } } END { if (n != 8) ok = 0 }' want got
run 0 fit birthwt.csv --target race $is --basis linear --prior flat --inference map -o b.bln;  err_empty
run 1 fit "$data/iris.csv" --target species $is --basis linear --prior flat -o none.bln
err_has 'no maximum (separable classes';  absent none.bln

# ---- iris: words are classes ----
run 0 fit "$data/iris.csv" --target species $is --basis linear -o i.bln;  err_empty
out_has 'classes          3: setosa, versicolor, virginica'
out_has 'inference        variational, a full Gaussian'
run 0 predict i.bln "$data/iris.csv" --draws 40 -o p.csv;  err_empty
head=$(sed -n 1p p.csv | cut -d, -f1-6)
if [ "$head" = class,p_setosa,p_versicolor,p_virginica,draw_1,draw_2 ]; then good; else bad "header: $head"; fi
yes "probabilities add up, and the class is the most probable" '{ split($0, v, ","); if (NR > 1) { n++
    if ((v[2] + v[3] + v[4] - 1)^2 > 1e-16) ok = 0
    best = v[2] >= v[3] && v[2] >= v[4] ? "setosa" : v[3] >= v[4] ? "versicolor" : "virginica"; if (v[1] != best) ok = 0 } }
    END { if (n != 150) ok = 0 }' p.csv
# 6000 draws, whose shares have standard deviations of up to 0.0065: 5 of them.
yes "draws have the probabilities" '{ split($0, v, ",")
    if (NR > 1) { want += v[4]; for (k = 5; k <= 44; k++) got += v[k] == "virginica" } }
    END { if ((got/6000 - want/150)^2 > 0.0325^2) ok = 0 }' p.csv
run 0 score i.bln "$data/iris.csv";  err_empty;  cp out scores
paste -d, "$data/iris.csv" p.csv | awk -F, 'NR > 1 { n++; k = $5 == "setosa" ? 7 : $5 == "versicolor" ? 8 : 9
    e += $6 != $5; l -= log($k)
    for (j = 7; j <= 9; j++) b += ($j - (j == k))^2; table[$5 " " $6]++ }
    END { printf "%.17g %.17g %.17g %d %d %d\n", l/n, e/n, b/n, table["setosa setosa"], table["versicolor virginica"],
          table["virginica versicolor"] }' > want
read -r loss error brier first second third < want
near log_loss 2 "$loss" 1e-7 scores;  near error_rate 2 "$error" 1e-7 scores;  near brier 2 "$brier" 1e-7 scores
near setosa 2 "$first" 0 scores;  near versicolor 4 "$second" 0 scores;  near virginica 3 "$third" 0 scores
run 0 cv "$data/iris.csv" --target species $is --basis linear --folds 3 --seed 2;  err_empty
yes "cv: scores of classes" 'NR == 1 { if ($4 != "log_loss" || $5 != "error_rate" || $6 != "brier" || NF != 7) ok = 0 }
    $1 == "mean" { m++; if (!($4 < 0.2 && $5 < 0.1 && $6 < 0.15)) ok = 0 } END { if (NR != 7 || m != 1) ok = 0 }' out
run 0 fit "$data/iris.csv" --target species $is --basis linear --inference laplace -o l.bln
err_has "Laplace's method misleads here"
out_has 'log evidence'
run 0 info l.bln --interval 0.5;  out_has 'coefficients of setosa';  out_has 'coefficients of virginica'
# The prior is alike for all classes, which have no other one to be compared with: their weights add up to nothing.
yes "weights of all classes add up to 0" '/^  petal_width/ { s += $2; a += $2^2; n++ }
    END { if (n != 3 || s^2 > 1e-6*a) ok = 0 }' out

# ---- pictures: probabilities over one input, regions of two ----
run 0 plot i.bln "$data/iris.csv" --x petal_length -o one.svg;  err_empty
run 0 plot i.bln "$data/iris.csv" --x petal_length --y petal_width -o two.svg;  err_empty
for f in one two; do
    points=$(grep -cE '<circle|<rect .* width="5" height="5"/>|<path d="M[0-9. ]* l3.4 6 h-6.8z"' $f.svg)   # a shape for each class
    if [ "$points" -ge 150 ] && grep -q virginica $f.svg && grep -q '</svg>' $f.svg; then good; else bad "$f.svg"; fi
done
if [ "$(grep -c '<rect' two.svg)" -gt 500 ]; then good; else bad "no regions in two.svg"; fi
run 1 plot i.bln "$data/iris.csv" --x petal_length --y nothing -o no.svg;  err_has '--y: the model has no input column "nothing"'
run 2 plot i.bln "$data/iris.csv" --x petal_length --y petal_length -o no.svg;  err_has '--x and --y are the same column'
absent no.svg

# ---- numbers are classes too, whatever they are, and names may need quotes ----
awk -F, 'NR == 1 { print; next } { $5 = $5 == "setosa" ? 10 : $5 == "versicolor" ? 9 : -1; print $1 "," $2 "," $3 "," $4 "," $5 }' \
    "$data/iris.csv" > numbers.csv
sed '1d' "$data/iris.csv" |
    awk -F, 'BEGIN { print "a,b,c,d,species" } { print $1 "," $2 "," $3 "," $4 ",\"" $5 ", \"\"dried\"\"\"" }' > quoted.csv
run 0 fit numbers.csv --target species $is --basis linear -o n.bln;  err_empty
out_has 'classes          3: -1, 9, 10'
run 0 predict n.bln numbers.csv -o q.csv
if [ "$(sed -n 1p q.csv)" = class,p_-1,p_9,p_10 ]; then good; else bad "header of numbers"; fi
# Classes in another order are the same but for where the search ends, at 1e-5 standard deviations of the posterior.
yes "numbers or words" '{ split($0, v, ",")
    if (FNR == NR) a[FNR] = v[2]; else if (FNR > 1 && (a[FNR] - v[4])^2 > 1e-10) ok = 0 }' p.csv q.csv
run 0 fit quoted.csv --target species $is --basis linear -o u.bln;  err_empty
run 0 predict u.bln quoted.csv -o r.csv
head=$(sed -n 1p r.csv | grep '^class,"p_setosa, ""dried""",')
if grep -q '^"setosa, ""dried""",' r.csv && [ "$head" ]; then good; else bad "quotes"; fi
run 0 score u.bln quoted.csv;  near log_loss 2 "$loss" 1e-7 out

# ---- missing rows, weights, unseen classes ----
awk -F, 'NR == 4 { print ",,,," ; next } { print }' "$data/iris.csv" > gap.csv
run 0 predict i.bln gap.csv --missing drop --draws 1 -o g.csv
if [ "$(sed -n 4p g.csv)" = NA,NA,NA,NA,NA ]; then good; else bad "a row that is missing"; fi
awk -F, '{ print $0 "," (NR == 1 ? "w" : NR < 12 ? 2 : 1) } NR > 1 && NR < 12 { }' "$data/iris.csv" > weighted.csv
awk '{ print } NR > 1 && NR < 12' "$data/iris.csv" > copied.csv
run 0 fit weighted.csv --target species --weights w $is --basis linear --no-scale --inference laplace -o w.bln
run 0 fit copied.csv --target species $is --basis linear --no-scale --inference laplace -o c.bln
run 0 score w.bln "$data/iris.csv";  cp out a;  run 0 score c.bln "$data/iris.csv"
yes "a weight is that many copies" '/^log_loss/ { s = -s + $2 } END { if (s^2 > 1e-12) ok = 0 }' a out
run 0 score w.bln copied.csv; cp out a;  run 0 score w.bln weighted.csv; out_has "n 160"
same a out "scores and confusion: a weight is that many copies"
sed '9s/,setosa/,rosa/' "$data/iris.csv" > other.csv
run 1 score i.bln other.csv;  err_has 'other.csv:9:';  err_has 'is none of the classes of the training rows'
awk -F, 'NR == 1 || $5 == "setosa"' "$data/iris.csv" > single.csv
run 1 fit single.csv --target species $is --basis linear -o none.bln;  err_has 'has 1 word: there is nothing to tell apart'
run 1 fit "$data/boston.csv" --target medv $is --basis linear -o none.bln;  err_has 'and there may be 64 classes at most'
run 1 fit "$data/iris.csv" --target species --likelihood bernoulli --basis linear -o none.bln
err_has '--likelihood categorical takes more'
absent none.bln

# ---- what does not go with classes ----
for o in '--inference mixture' '--inference npv' '--inference sgvi'; do
    run 2 fit "$data/iris.csv" --target species $is --basis linear -o none.bln $o;  err_has 'this method takes one latent only'
done
run 2 fit "$data/iris.csv" --target species $is --basis linear -o none.bln --offset sepal_width;  err_has '--offset: of classes'
for o in --loo --waic; do
    run 2 fit "$data/iris.csv" --target species $is --basis linear -o none.bln $o;  err_has "$o: rows of classes are not left out"
done
run 2 fit "$data/iris.csv" --target species $is --basis linear -o none.bln --categories 3;  err_has 'is for --likelihood ordinal'
run 1 score i.bln "$data/iris.csv" --loo;  err_has '--loo: rows of classes are not left out'
absent none.bln

# ---- two classes are those of bernoulli: a prior of half the variance for each makes that of the difference ----
awk -F, 'NR == 1 || $5 != "setosa"' "$data/iris.csv" > two.csv
run 0 fit two.csv --target species $is --basis linear --inference laplace --no-hyper-prior -o two.bln
awk '/^log evidence/ { print $3 }' out > a
run 0 fit two.csv --target species --likelihood bernoulli --basis linear --inference laplace --no-hyper-prior -o yes.bln
awk '/^log evidence/ { print $3 }' out > b
yes "the evidence of two classes is that of yes or no" '{ s = -s + $1 } END { if (s^2 > 1e-8) ok = 0 }' a b

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
