#!/bin/sh
# test_glm.sh - the tool with generalised linear models: fit, cv, predict, score, plot, info with --likelihood
#
#     make build/bayeslin && sh tests/tools/test_glm.sh [TOOL]        from the top of the project; ends with `N passed, N failed`
#
# Truth: R's maximum-likelihood fits (glm of R 4.2.2, epsilon 1e-14) of data from textbooks, closed forms, and the linear model
# where it is the same. Only POSIX sh and its usual companions.
. tests/tools/tool.sh

# ---- usage ----
glm="--target y --basis linear"
run 2 fit d.csv $glm -o m --inference laplace;                       err_has '--inference goes with --likelihood NAME'
run 2 fit d.csv $glm -o m --likelihood nope;                 err_has 'no likelihood "nope"; there are categorical, gaussian,'
err_has ', bernoulli, binomial, poisson'
# Each of these names, which are those of the library's own list, is explained: none is cut off.
if grep -qF ... err; then bad "the message for an unknown likelihood has no room for all names"; else good; fi
"$tool" help glm | tr -c 'a-z0-9_' '\n' > words_of_help
n=0
for name in $(sed -n 's/.*; there are //p' err | tr -d ,); do
    n=$((n + 1))
    if grep -qx "$name" words_of_help; then good; else bad "bayeslin help glm (tools/cli/help.c) says nothing of $name"; fi
    if grep -qF "\`$name\`" "$top/docs/models.md"; then good; else bad "docs/models.md says nothing of $name"; fi
done
if [ $n -ge 17 ]; then good; else bad "only $n likelihoods in: $(cat err)"; fi
run 2 fit d.csv $glm -o m --model poisson;                           err_has 'no option --model; here it is --likelihood'
run 2 fit d.csv $glm -o m --likelihood poisson --inference magic
err_has '--inference wants laplace, full, integrated, nuts, gibbs, cavi, mixture, npv, sgvi or map'
run 2 fit d.csv $glm -o m --family poisson;                          err_has 'no option --family; here it is --likelihood'
run 2 fit d.csv $glm -o m --liklihod poisson;                        err_has 'no option --liklihod; here it is --likelihood'
run 2 fit d.csv $glm -o m --whatever poisson;                        err_has 'no option --whatever'
yes "no guess where letters are no help" '/here it is/ { ok = 0 }' err
run 2 fit d.csv --target y --basis linear -o m --trials n;           err_has '--trials goes with --likelihood'
run 2 fit d.csv --target y --basis linear -o m --inference mixture;  err_has '--inference goes with --likelihood'
for o in --integrate --calibrate --stream '--arithmetic qr' '--optimiser em' '--residual ignored'
do
    run 2 fit d.csv $glm -o m --likelihood poisson $o;               err_has 'is for the linear model'
done
run 2 fit d.csv --outputs y,z --basis linear -o m --likelihood poisson;  err_has '--outputs is for the linear model'
run 2 fit d.csv $glm -o m --likelihood poisson --components 2;       err_has '--components is for --inference mixture'
run 2 fit d.csv $glm -o m --likelihood poisson --entropy jensen;     err_has '--entropy is for --inference mixture'
run 2 fit d.csv $glm -o m --likelihood poisson --inference laplace --batch 9
err_has '--batch is for --inference full, cavi, mixture'
run 2 fit d.csv $glm -o m --likelihood poisson --inference sgvi --components 2;  err_has '--components is for --inference mixture'
run 2 fit d.csv $glm -o m --likelihood laplace --inference full --hyper laplace;  err_has 'leave --hyper laplace out'
run 2 fit d.csv $glm -o m --likelihood laplace --inference map;      err_has "no curvature for --inference map"
run 2 fit d.csv $glm -o m --likelihood poisson --inference map --batch 9 --prior flat;  err_has 'but not with --batch'
run 2 fit d.csv $glm -o m --likelihood poisson --noise-var v;        err_has 'poisson_log has no noise variance'
run 2 fit d.csv $glm -o m --likelihood student_t --trials n;         err_has 'knows neither trials nor exposure'
run 2 fit d.csv $glm -o m --likelihood ordinal --trials n;           err_has 'knows neither trials nor exposure'
run 2 fit d.csv $glm -o m --likelihood poisson --categories 3;       err_has '--categories is for --likelihood ordinal'
run 2 fit d.csv $glm -o m --likelihood ordinal --categories 66;      err_has 'at most 65'
run 2 fit d.csv $glm -o m --likelihood laplace --inference laplace;  err_has 'add --inference full, or mixture'
run 2 fit d.csv $glm -o m --likelihood laplace --prior flat;         err_has 'add --inference full, or mixture'
run 2 fit d.csv $glm -o m --likelihood asymmetric_laplace:0.3 --inference map;  err_has 'no curvature for --inference map'
for q in :2 :0 : :x -; do
    run 2 fit d.csv $glm -o m --likelihood asymmetric_laplace$q;     err_has 'as in asymmetric_laplace:0.9'
done
for option in '--inference laplace' '--method adam' '--entropy pairs' '--expectation rule' '--start mode' '--hyper own'; do
    run 2 fit d.csv --target y --basis linear -o m $option;          err_has "${option% *} goes with --likelihood"
done
run 2 fit d.csv $glm -o m --likelihood poisson --arithmetic auto;    err_has '--arithmetic is for the linear model'
run 2 fit d.csv $glm -o m --likelihood poisson --inference laplace --method adam
err_has '--method is for --inference full, cavi, mixture'
run 2 fit d.csv $glm -o m --likelihood poisson --inference full --batch 2 --tolerance 0.1;  err_has 'searches over all rows'
run 2 fit d.csv $glm -o m --likelihood poisson --inference sgvi --tolerance 0.1;            err_has 'searches over all rows'
run 2 fit d.csv $glm -o m --likelihood poisson --inference mixture --prior flat;  err_has '--prior flat needs --inference laplace'
run 2 fit d.csv $glm -o m --likelihood binomial --trials y;          err_has '--trials: column "y" is the target'
for o in --waic '--loo-by psis' '--start random' '--method plain' '--rate 1' '--natural 0.1' '--expectation local' \
         '--hyper laplace'; do
    run 2 fit d.csv --target y --basis linear -o m $o
    err_has 'goes with --likelihood'
done
glm="$glm -o m --likelihood poisson"
run 2 fit d.csv $glm --start random;                                 err_has '--start is for --inference mixture, npv or sgvi'
run 2 fit d.csv $glm --starts 2;                                     err_has '--starts is for --inference mixture, npv or sgvi'
run 2 fit d.csv $glm --inference mixture --starts 2;                 err_has 'a single component begins at the mode'
run 2 fit d.csv $glm --inference mixture --natural 0.1;              err_has '--natural means nothing without --batch'
run 2 fit d.csv $glm --inference mixture --batch 9 --natural 2;      err_has '--inference mixture: natural must lie between 0 and 1'
run 2 fit d.csv $glm --inference map --batch 9 --natural 0.5;        err_has '--natural is for --inference full, cavi, mixture, npv'
run 2 fit d.csv $glm --inference full --batch 9 --expectation local; err_has '--expectation is for --inference mixture'
run 2 fit d.csv $glm --inference mixture --method newton;            err_has '--method wants adam, amsgrad,'
run 2 fit d.csv $glm --inference mixture --loo-by cavity;       err_has '--loo-by cavity is for --inference laplace, full or cavi'
run 2 fit d.csv $glm --inference mixture --loo-group g;              err_has '--loo-group is for --inference laplace, full or cavi'
run 2 fit d.csv $glm --loo-by psis --loo-group g;                    err_has '--loo-group is for --inference laplace, full or cavi'
run 2 fit d.csv $glm --inference map --waic;                         err_has '--waic: --inference map has no posterior'
run 2 predict m.bln d.csv --draws 0;                                 err_has '--draws wants a whole number from 1'
run 2 predict m.bln d.csv --draws 1000001;                           err_has '--draws: at most 1000000'
run 2 predict m.bln d.csv --seed 0;                                  err_has '--seed is that of draws: add --draws S'
run 2 stats d.csv --target y --basis linear -o s --likelihood poisson
err_has 'stats has no option --likelihood; it belongs to fit, cv'

# ---- maximum likelihood, as R has it: Bliss's beetles (1935) ----
cat > beetle.csv <<'END'
log10dose,n,killed
1.6907,59,6
1.7242,60,13
1.7552,62,18
1.7842,56,28
1.8113,63,52
1.8369,59,53
1.861,62,61
1.8839,60,60
END
# Newton's steps end where the gradient is rounding, 1e-9 of the weights or less; printed are 9 digits. The standard errors of R
# are by the expected information: the same for the logit link, others for the rest.
beetle="fit beetle.csv --target killed --trials n --basis linear --prior flat -o b.bln"
run 0 $beetle --likelihood binomial_logit;      out_has 'likelihood       binomial_logit'; out_has 'trials           n'; err_empty
out_has "inference        Laplace's method"; out_has '(restricted)  (Laplace)'
run 0 info b.bln
near "(intercept)" 2 -60.7174545616353 1e-6 out;  near "(intercept)" 3 5.18071146334079 1e-6 out
near log10dose 2 34.2703257341469 1e-6 out;       near log10dose 3 2.91214007063572 1e-6 out;   out_has 'log odds'
near log10dose 4 "34.2703257341469 - 1.95996398454*2.91214007063572" 1e-6 out
run 0 $beetle --likelihood binomial_probit;       run 0 info b.bln
near "(intercept)" 2 -34.9352588992114 1e-6 out;  near log10dose 2 19.7279342113403 1e-6 out;   out_has 'probit'
run 0 $beetle --likelihood binomial_cloglog;      run 0 info b.bln
near "(intercept)" 2 -39.5723106061378 1e-6 out;  near log10dose 2 22.0411698207579 1e-6 out;   out_has 'log rate'

# Predictions: whole numbers, as many as trials at most; without the column of trials they are probabilities.
run 0 predict b.bln beetle.csv -o p.csv
paste -d, beetle.csv p.csv > both.csv
yes "expected numbers and intervals of beetles" '{ split($0, v, ",")
    if (NR == 1 && $0 !~ /mean,sd,sd_latent,lower,upper,lower_mean,upper_mean$/) ok = 0
    if (NR > 1 && !(v[4] > 0 && v[4] < v[2] && v[6] < v[5] && v[7] <= v[4] && v[4] <= v[8] && v[8] <= v[2])) ok = 0
    if (NR > 1 && (v[7] != int(v[7]) || v[8] != int(v[8]) || !(v[9] < v[4] && v[4] < v[10]) || (v[4] - v[3])^2 > 36)) ok = 0
    } END { if (NR != 9) ok = 0 }' both.csv
sed 's/,.*//' beetle.csv > dose.csv
run 0 predict b.bln dose.csv -o q.csv;            err_has 'dose.csv: no column "n" (--trials of the fit): it is taken as 1'
paste -d, beetle.csv p.csv q.csv > both.csv
yes "without trials the mean is a probability" '{ split($0, v, ","); if (NR > 1 && (v[4]/v[2] - v[11])^2 > 1e-16) ok = 0 }' both.csv
run 1 score b.bln dose.csv;                       err_has 'no column "killed", which the model needs as its target'
sed 's/,[^,]*,/,/' beetle.csv > no_n.csv
run 1 score b.bln no_n.csv;                       err_has 'no column "n", which the model needs as its numbers of trials'
run 0 score b.bln beetle.csv
for s in n r2 rmse smse mll coverage95; do out_has "$s "; done
if grep -Eq 'msll|log_loss|brier' out; then bad "score: what is not for counts"; else good; fi
run 0 plot b.bln beetle.csv --x log10dose -o b.svg
yes "plot: the figure" '/killed \/ n/ { n++ } /<\/svg>/ { m++ } /NaN|nan|inf/ { ok = 0 } END { if (!n || m != 1) ok = 0 }' b.svg

# ---- counts: insects (Beall 1942, R's InsectSprays), and an exposure, which is an offset of the log mean ----
cat > insects.csv <<'END'
spray,count
A,10
A,7
A,20
A,14
A,14
A,12
B,11
B,17
B,21
B,11
B,16
B,14
C,0
C,1
C,7
C,2
C,3
C,1
END
# With an indicator of each spray alone, the estimates are the logarithms of the means, and their variances one over the sums.
run 0 fit insects.csv --target count --basis linear:ones=0 --likelihood poisson --prior flat -o i.bln
run 0 info i.bln;  out_has 'log mean'
near spray=A 2 "log(77/6)" 1e-7 out;  near spray=A 3 "1/sqrt(77)" 1e-7 out
near spray=B 2 "log(90/6)" 1e-7 out;  near spray=C 2 "log(14/6)" 1e-7 out;  near spray=C 3 "1/sqrt(14)" 1e-7 out
# With f ~ N(m, v), m = log(77/6) and v = 1/77: the mean is e^(m + v/2), that of the rate; its interval is that of f.
run 0 predict i.bln insects.csv -o p.csv
yes "mean and interval of a rate" '{ split($0, v, ",") } NR == 2 { z = 1.959963984540054/sqrt(77); r = 77/6
    if ((v[1] - r*exp(0.5/77))^2 > 1e-12 || (v[6] - r*exp(-z))^2 > 1e-12 || (v[7] - r*exp(z))^2 > 1e-12) ok = 0
    if ((v[3]^2 - v[1]^2*(exp(1/77) - 1))^2 > 1e-12 || (v[2]^2 - v[3]^2 - v[1])^2 > 1e-12) ok = 0 }
    END { if (NR != 19) ok = 0 }' p.csv
# Without row i: f ~ N(m - v g, v), v = 1/77/(1 - 1/6) in spray A, m = log(77/6), g = y - 77/6; its mean count is e^(m - v g + v/2).
run 0 fit insects.csv --target count --basis linear:ones=0 --likelihood poisson --prior flat --loo -o i.bln; err_empty
sed -n '/^leave-one-out/,$s/^  //p' out | awk '{ print $1, $2 }' > printed
for s in n r2 rmse mll coverage95 elpd elpd_se p_eff doubtful; do
    if grep -q "^$s " printed; then good; else bad "fit --loo: no $s"; fi; done
run 0 score i.bln insects.csv --loo;  awk '{ print $1, $2 }' out > again;  same again printed "fit --loo and score --loo"
awk -F, 'NR > 1 { n++; k[n] = $1; y[n] = $2; sum[$1] += $2; N[$1]++ } END {
    for (i = 1; i <= n; i++) { T = sum[k[i]]; v = 1/T/(1 - 1/N[k[i]])
        e = y[i] - exp(log(T/N[k[i]]) - v*(y[i] - T/N[k[i]]) + v/2); s += e^2 }
    printf "%.17g\n", sqrt(s/n) }' insects.csv > want
near rmse 2 "$(cat want)" 1e-6 again
yes "elpd is the sum" '{ a[$1] = $2 } END { if ((a["elpd"] + a["n"]*a["mll"])^2 > 1e-10 || a["doubtful"] != 0) ok = 0 }' again
# A spray with one row of its own is known from nothing else.
{ cat insects.csv; echo D,5; } > lone.csv
run 0 fit lone.csv --target count --basis linear:ones=0 --likelihood poisson --prior flat --loo -o lone.bln
err_has '--loo: the other rows say nothing about 1 row of 19';  out_has 'n               18'
run 0 fit lone.csv --target count --basis linear --likelihood poisson --loo -o lone.bln
err_has '--loo: the leverage is above 0.7 in line 20: this row stands nearly alone';  near doubtful 2 1 0 out
run 1 score lone.bln insects.csv --loo;  err_has '--loo needs the table of the fit, all its rows'
run 1 score i.bln insects.csv --loo-group spray;  err_has '--loo: no row can be predicted from the others'
# Twice the exposure: half the rate. As offset log 2: the same digits but for rounding.
awk -F, 'NR == 1 { print $0 ",t,logt" } NR > 1 { print $0 ",2,0.69314718055994531" }' insects.csv > exposed.csv
flat="fit exposed.csv --target count --basis linear:ones=0 --likelihood poisson --prior flat"
run 0 $flat --trials t --ignore logt -o t.bln
run 0 info t.bln;  near spray=A 2 "log(77/12)" 1e-7 out;  near spray=A 3 "1/sqrt(77)" 1e-7 out
run 0 predict t.bln exposed.csv -o t.csv
run 0 $flat --offset logt --ignore t -o o.bln
run 0 info o.bln;  near spray=A 2 "log(77/12)" 1e-7 out;  out_has 'offset           logt'
run 0 predict o.bln exposed.csv -o o.csv
paste -d, t.csv o.csv > both.csv
yes "exposure and offset: the same predictions" '{ split($0, v, ",")
    for (k = 1; k <= 7 && NR > 1; k++) if ((v[k] - v[k + 7])^2 > 1e-10*(1 + v[k]^2)) ok = 0 }' both.csv
# So with priors, and inputs standardised.
run 0 fit exposed.csv --target count --basis linear --likelihood poisson --trials t --ignore logt -o t.bln
run 0 predict t.bln exposed.csv -o t.csv
run 0 fit exposed.csv --target count --basis linear --likelihood poisson --offset logt --ignore t -o o.bln
run 0 predict o.bln exposed.csv -o o.csv
paste -d, t.csv o.csv > both.csv
yes "standardised: the same predictions" '{ split($0, v, ",")
    for (k = 1; k <= 7 && NR > 1; k++) if ((v[k] - v[k + 7])^2 > 1e-8*(1 + v[k]^2)) ok = 0 }' both.csv
# Weight 2 for each row: the same estimates, half the variances.
awk -F, 'NR == 1 { print $0 ",w" } NR > 1 { print $0 ",2" }' insects.csv > weighted.csv
run 0 fit weighted.csv --target count --basis linear:ones=0 --likelihood poisson --prior flat --weights w -o w.bln
out_has 'weights          w  (sum 36)'
run 0 info w.bln;  near spray=A 2 "log(77/6)" 1e-7 out;  near spray=A 3 "1/sqrt(154)" 1e-7 out
for l in negative_binomial zero_inflated_poisson poisson_softplus; do
    run 0 fit insects.csv --target count --basis linear --likelihood $l -o l.bln
    out_has "likelihood       $l"
    run 0 score l.bln insects.csv;  near mll 2 2.5 0.5 out
done

# ---- two classes, as words ----
awk 'BEGIN {
    print "age,sick"
    for (i = 0; i < 60; i++) print 20 + i "," ((i*37 % 60)/60 < 1/(1 + exp(-(i - 30)/8)) ? "yes" : "no")
}' > c.csv
sed 's/yes$/1/; s/no$/0/' c.csv > c01.csv
run 0 fit c.csv --target sick --basis rbf:n=6+linear --likelihood bernoulli -o c.bln;  err_empty
out_has 'likelihood       binomial_logit  (1 is yes, 0 is no)'
run 0 fit c01.csv --target sick --basis rbf:n=6+linear --likelihood bernoulli -o c01.bln
run 0 predict c.bln c.csv -o p.csv;  run 0 predict c01.bln c01.csv -o q.csv
sed 's/,yes$/,1/; s/,no$/,0/' p.csv > a;  same a q.csv "words or numbers"
yes "probabilities" '{ split($0, v, ","); if (NR > 1) { if (!(v[1] > 0 && v[1] < 1 && v[6] < v[1] && v[1] < v[7])) ok = 0
    if ((v[2]^2 - v[1]*(1 - v[1]))^2 > 1e-16 || v[4]*(1 - v[4]) || v[5]*(1 - v[5])) ok = 0 } }' p.csv
run 0 score c.bln c.csv;  cp out scores
# log loss, error rate and Brier score from the probabilities.
paste -d, c01.csv p.csv | awk -F, 'NR > 1 { n++; e += ($3 > 0.5) != $2; b += ($3 - $2)^2; l -= log($2 == 1 ? $3 : 1 - $3) }
    END { printf "%.17g %.17g %.17g\n", l/n, e/n, b/n }' > want
read -r loss error brier < want
near log_loss 2 "$loss" 1e-7 scores;  near mll 2 "$loss" 1e-7 scores;  near error_rate 2 "$error" 1e-7 scores
near brier 2 "$brier" 1e-7 scores
run 0 score c.bln c.csv --loo
yes "score --loo of two classes" '{ a[$1] = $2 } END { if (!(a["log_loss"] > '"$loss"' && a["error_rate"] >= '"$error"')) ok = 0
    if (!(a["brier"] > '"$brier"')) ok = 0
    if ((a["log_loss"] - a["mll"])^2 > 1e-14 || (a["elpd"] + 60*a["mll"])^2 > 1e-10 || !(a["p_eff"] > 1)) ok = 0 }' out
run 0 plot c.bln c.csv --x age -o c.svg;  if grep -q 'sick = yes' c.svg; then good; else bad "plot: which class"; fi
run 0 cv c.csv --target sick --basis linear --likelihood binomial_probit --folds 3
yes "cv: a line for each fold" 'NR == 1 { if (NF != 8 || $7 != "brier") ok = 0 }
    $1 == "mean" { m++; if (!($5 > 0.2 && $5 < 0.8)) ok = 0 }
    END { if (NR != 7 || m != 1) ok = 0 }' out
sed '7s/,.*/,maybe/' c.csv > three.csv
run 1 fit three.csv --target sick --basis linear --likelihood bernoulli -o n.bln;  err_has 'has 3 words'; absent n.bln
run 1 score c.bln three.csv;                                         err_has 'three.csv:7:'; err_has 'none of the two classes'
sed 's/yes/no/' c.csv > one.csv
run 1 fit one.csv --target sick --basis linear --likelihood bernoulli -o n.bln;    err_has 'has 1 word:'
printf 'x,y\n1,0\n2,0\n3,1\n4,1\n' > sep.csv
run 1 fit sep.csv --target y --basis linear --likelihood bernoulli --prior flat -o n.bln
err_has 'no maximum'; absent n.bln
run 0 fit sep.csv --target y --basis linear --likelihood bernoulli -o n.bln
printf 'x,z,y\n1,2,0\n2,4,1\n3,6,0\n4,8,1\n5,10,1\n' > twice.csv
run 1 fit twice.csv --target y --basis linear --likelihood bernoulli --prior flat -o n2.bln
err_has '"z" is a combination of "x"'

# Numbers in place of words: the larger is 1, whatever they are; the model keeps them. Others are none.
sed 's/yes$/2/; s/no$/1/' c.csv > c12.csv;  sed 's/yes$/+1/; s/no$/-1/' c.csv > cpm.csv
for i in 12 pm; do
    run 0 fit c$i.csv --target sick --basis rbf:n=6+linear --likelihood bernoulli -o n.bln;  err_empty
    out_has "classes          $(if [ $i = 12 ]; then echo '1 and 2 in the target: probabilities are those of 2'; else
                                                     echo '-1 and 1 in the target: probabilities are those of 1'; fi)"
    run 0 info n.bln;  out_has 'in the target: probabilities are those of'
    run 0 predict n.bln c$i.csv -o q.csv;  cut -d, -f1-7 q.csv > a;  cut -d, -f1-7 p.csv > b;  same a b "classes as numbers $i"
    run 0 score n.bln c$i.csv
    sed '/^confusion/,$d' out > a;  sed '/^confusion/,$d' scores > b;  same a b "scores of classes as numbers $i"
done
run 0 plot n.bln cpm.csv --x age -o n.svg;  if grep -q 'sick = 1' n.svg; then good; else bad "plot: which number"; fi
run 0 cv c12.csv --target sick --basis linear --likelihood bernoulli --folds 3
sed 's/ [^ ]*$//' out > a;  run 0 cv c01.csv --target sick --basis linear --likelihood bernoulli --folds 3
sed 's/ [^ ]*$//' out > b;  same a b "cv of classes as numbers"
sed '7s/,.*/,3/' c12.csv > c3.csv
run 1 fit c3.csv --target sick --basis linear --likelihood bernoulli -o n3.bln
err_has 'does not suit binomial_logit'
err_has 'classes are two words or two numbers, and successes in several trials need --trials'
run 0 fit c12.csv --target sick --basis linear --likelihood bernoulli -o n.bln
run 1 score n.bln c3.csv;                                            err_has 'c3.csv:7:4: column "sick": "3" is none of the two'
sed 's/,1$/,2/' c12.csv > c2.csv
run 1 fit c2.csv --target sick --basis linear --likelihood bernoulli -o n2.bln
err_has 'the target "sick" is 2 wherever it is: that is one class, and this likelihood is for two'; absent n2.bln
for i in 0 1; do
    awk -F, -v i=$i 'NR == 1 { print } NR > 1 { print $1 "," i }' c01.csv > same.csv
    run 0 fit same.csv --target sick --basis linear --likelihood bernoulli -o s.bln
    err_has "all rows are of one class ($i)"
done
awk -F, 'NR == 1 { print } NR > 1 { print $1 ",0" }' c01.csv > same.csv
run 0 fit same.csv --target sick --basis linear --likelihood poisson -o s.bln;  err_has 'the target is 0 in all rows'
run 1 fit same.csv --target sick --basis linear --likelihood poisson --inference npv -o z.bln
err_has 'use a variational bound'; absent z.bln

# ---- rows left out, and the information criterion, against an own computation with scipy: the prior sd, 1.29767 (inputs by their
# sd with 1/n), at the top of Laplace's evidence, its normal in closed form, expectations by 120 Gauss-Hermite nodes ----
# The cavity's figures are closed. The evidence is found to 1e-6 of 30, log of the prior variance so to 1e-3, which elpd takes
# times 0.06. Of 4000 draws, a row's own each, the sum of the estimates has a standard deviation of 0.0232 around the limit of
# PSIS, -log E 1/p, and around WAIC; p_waic one of 0.0128: 5 of them. (The posterior itself, on a grid: elpd -28.7497, and
# -28.7398 by WAIC.)
by_laplace="--target sick --basis linear --likelihood bernoulli --inference laplace --no-hyper-prior"
run 0 fit c.csv $by_laplace --loo --waic -o n.bln
out_has 'leave-one-out    by a step of Newton'; out_has 'information criterion (WAIC)'
near 'log evidence' 3 -30.335859 1e-5 out
sed 's/^  //' out > a
near 'elpd ' 2 -28.755109 1e-4 a;            near elpd_se 2 4.389191 1e-4 a;        near p_eff 2 1.762717 1e-4 a
near elpd_waic 2 -28.763026 0.116 a;         near p_waic 2 1.770634 0.064 a
run 0 score n.bln c.csv --loo-by psis --waic;  cp out b
near 'elpd ' 2 -28.762248 0.116 b;           near p_eff 2 1.769856 0.116 b
yes "the same WAIC" 'FNR == NR { a[$1] = $2; next } /waic/ { n++; if (a[$1] != $2) ok = 0 }
    END { if (n != 4 || a["doubtful_waic"] > 2) ok = 0 }' a b
yes "PSIS is by draws" '$1 == "elpd" { if ($2 == x) ok = 0; x = $2; n++ } END { if (n != 2) ok = 0 }' a b
run 0 score n.bln c.csv --loo-by auto;  cp out b;  run 0 score n.bln c.csv --loo;  same b out "--loo-by auto"
run 0 fit c.csv --target sick --basis linear --likelihood bernoulli --loo-by auto -o n.bln
out_has 'leave-one-out    by a step of Newton'
head -n 20 c.csv > part.csv
run 1 score n.bln part.csv --waic;                                   err_has '--waic needs the table of the fit'
run 0 fit c.csv --target sick --basis linear --likelihood bernoulli --inference mixture --no-hyper-prior -o n.bln
near 'log evidence' 3 -30.325907 1e-5 out
run 1 score n.bln c.csv --loo-by cavity;                             err_has 'the posterior of n.bln is a mixture'
run 0 score n.bln c.csv --waic;                                      near elpd_waic 2 -28.676017 0.117 out

# ---- groups: of a Gaussian likelihood as the linear model's, exactly; of one row each, as rows ----
awk -F, 'NR == 1 { print $0 ",g,i" } NR > 1 { print $0 "," int(NR/7) "," NR }' c.csv > groups.csv
awk 'BEGIN { print "x,g,y"; for (i = 0; i < 60; i++) print i/7 "," int(i/7) "," 3 + 2*i/7 + 4*sin(i*i) }' > lines.csv
group="fit lines.csv --target y --basis linear --tolerance 1e-12 --loo-group g"
run 0 $group -o s.bln;                                       awk '/leave-out/ { on = 1 } on' out > a
run 0 $group --likelihood gaussian --inference full --no-hyper-prior -o n.bln;     awk '/leave-out/ { on = 1 } on' out > b
out_has '9 groups of g, by a step of Newton'
yes "groups of the linear model" 'FNR == NR { a[$1] = $2; next }
    $1 in a && $1 != "leave-out" { n++; if ((a[$1] - $2)^2 > 1e-8*(1 + $2^2)) ok = 0 } END { if (n != 7) ok = 0 }' a b
group="fit groups.csv $by_laplace"
run 0 $group --ignore g --loo-group i -o n.bln;  awk '/leave-out/ { on = 1 } on' out | sed 1d > a
run 0 $group --ignore g --ignore i --loo -o n.bln;  awk '/leave-one-out/ { on = 1 } on' out | sed 1d > b
yes "groups of a row are rows" 'FNR == NR { a[$1] = $2; next } { n++; if ((a[$1] - $2)^2 > 1e-12) ok = 0 }
    END { if (n != 9) ok = 0 }' a b
run 0 score n.bln groups.csv --loo-group g;                         near 'elpd ' 2 -28.350192 1e-4 out     # scipy, as above

# ---- draws: means of 400 within 5 standard errors, every number of trials possible; the same with the same seed ----
run 0 $beetle --likelihood binomial_logit
run 0 predict b.bln beetle.csv --draws 400 --seed 4 -o p.csv;  err_empty
paste -d, beetle.csv p.csv > both.csv
yes "draws of beetles" '{ split($0, v, ",") } NR == 1 { if (v[11] != "draw_1" || v[410] != "draw_400") ok = 0 }
    NR > 1 { m = 0; for (k = 11; k <= 410; k++) { m += v[k]/400; if (v[k] != int(v[k]) || v[k] < 0 || v[k] > v[2]) ok = 0 }
        if ((m - v[4])^2 > 25*v[5]^2/400) ok = 0 } END { if (NR != 9) ok = 0 }' both.csv
run 0 predict b.bln beetle.csv --draws 400 --seed 4 -o q.csv;  same p.csv q.csv "draws of one seed"
run 0 predict b.bln beetle.csv --draws 400 -o q.csv;           differ p.csv q.csv "draws of two seeds"
run 0 predict b.bln beetle.csv -o q.csv;  cut -d, -f1-7 p.csv > r.csv;  same q.csv r.csv "figures beside draws"

# ---- draws of the posterior itself: as many as are kept, all of them in a table, within 0.2 standard deviations (1000 draws: 6
# standard errors) of the average over hyper-parameters; the same with the same seed; what is not for others ----
coefficients() { awk '$1 == "coefficients" { on = 1 } on && $2 + 0 == $2' "$1"; }
sick="fit c.csv --target sick --basis linear --likelihood bernoulli"
run 0 $sick --inference integrated -o i.bln;                          run 0 info i.bln;  coefficients out > a
run 0 $sick --inference nuts --seed 2 --trace t.csv --loo --waic -o n.bln;  err_empty
out_has 'no-U-turn sampler, 1000 draws';  out_has 'transitions      1300 of each chain';  out_has 'by reweighted draws (PSIS)'
near elpd_waic 2 -28.4 1.5 out
yes "all draws" 'BEGIN { FS = "," } NR == 1 { if ($0 !~ /^chain,draw,w\[1\],w\[age\],prior_var.linear.,lp__,.*divergent__/) ok = 0 }
    END { if (NR != 4001) ok = 0 }' t.csv
run 0 info n.bln;  coefficients out > b
yes "coefficients beside those of integrated" 'FNR == NR { m[$1] = $2; s[$1] = $3; next }
    { n++; if (($2 - m[$1])^2 > 0.04*s[$1]^2 || $3 < 0.85*s[$1] || $3 > 1.25*s[$1]) ok = 0 } END { if (n < 2) ok = 0 }' a b
run 0 $sick --inference nuts --seed 2 -o m.bln;                        run 0 info m.bln;  coefficients out > a
same a b "draws of one seed"
run 0 predict n.bln c.csv -o p.csv;                                    run 0 score n.bln c.csv --loo;  near doubtful 2 0 0.5 out
run 1 score n.bln c.csv --loo-by cavity;                               err_has 'which go by psis'
run 0 $sick --inference nuts --chains 2 --warmup 100 --draws 100 --keep 50 --accept 0.9 -o m.bln;  out_has ', 50 draws'
run 2 $sick --inference nuts --accept 1.5 -o m;                        err_has 'accept must be in (0, 1)'
run 2 $sick --inference nuts --keep 3 -o m;                            err_has 'keep is at least the number of chains'
run 2 $sick --inference full --draws 10 -o m;                          err_has '--draws is for --inference nuts'
run 2 $sick --inference nuts --loo-group x -o m;            err_has '--loo-group is for --inference laplace, full or cavi'
run 2 $sick --trace t.csv -o m;                                        err_has '--trace is for --inference nuts'
run 2 $sick --inference nuts --prior flat -o m;                        err_has '--prior flat needs --inference laplace'
run 1 $sick --inference nuts --no-hyper-prior -o m;                    err_has 'cannot be sampled without their priors'
run 0 $sick --inference gibbs --seed 2 --trace t.csv --loo -o n.bln;   err_empty
out_has 'Gibbs sampling with data augmentation, 1000 draws'
yes "all draws" 'BEGIN { FS = "," } NR == 1 { if ($0 !~ /^chain,draw,w\[1\],w\[age\],prior_var\[linear\],lp__$/) ok = 0 }
    END { if (NR != 4001) ok = 0 }' t.csv
run 0 info n.bln;  coefficients out > a
yes "coefficients beside those of nuts" 'FNR == NR { m[$1] = $2; s[$1] = $3; next }
    { n++; if (($2 - m[$1])^2 > 0.04*s[$1]^2 || $3 < 0.85*s[$1] || $3 > 1.25*s[$1]) ok = 0 } END { if (n < 2) ok = 0 }' b a

run 0 fit c.csv --target sick --basis rbf:n=3 --likelihood bernoulli --inference gibbs --theta drawn --draws 300 \
    --trace t.csv -o n.bln
out_has '256 draws'
yes "length scales among the draws" 'NR == 1 { if ($0 !~ /theta\[/) ok = 0 }' t.csv

# Fewer chains, and an end where the draws are worth as many independent ones, long before all draws are made.
run 0 fit c.csv --target sick --basis linear --likelihood bernoulli --inference gibbs --chains 2 --draws 60 -o n.bln
out_has '2 chains of 60,'
run 0 fit c.csv --target sick --basis linear --likelihood bernoulli --inference gibbs --target-ess 500 --draws 100000 -o n.bln
yes "an end by --target-ess" '$1 == "draws" { n = 1; if (!($5 + 0 < 10000 && $10 >= 500)) ok = 0 } END { if (!n) ok = 0 }' out

# nohup and background jobs of scripts begin with Ctrl-C ignored, and all draws are made.
rm -f ignored
(trap '' INT; : > ignored; exec "$tool" fit c.csv --target sick --basis linear --likelihood bernoulli --inference gibbs -o n.bln) \
    > out 2> err &
job=$! said="a fit that is to ignore Ctrl-C"
until test -f ignored; do :; done
while kill -INT $job 2> /dev/null; do :; done
if wait $job; then good; else bad "$said: it ends"; fi
out_has '4 chains of 1000,';  err_empty

# What inducing points miss moves the draws, and is refused where the function has no prior variance.
points='fit c.csv --target sick --basis inducing:m=4 --likelihood bernoulli --inference gibbs --draws 100 --warmup 80'
for way in ignored bound drawn; do run 0 $points --missed $way --trace $way.csv -o n.bln; done
differ "what points miss, while sampling" ignored.csv bound.csv
differ "what points miss, while sampling" bound.csv drawn.csv
run 1 $points --missed bound --prior each -o n.bln;  err_has 'per_weight'
run 2 $points --missed some -o n.bln;                err_has '--missed'

# ---- mixtures: several starts, and steps of other kinds, which are allowed 0.3 standard deviations for each of two means, two
# variances and a prior variance: 5 0.3^2/2 = 0.225 from the bound, and nothing adds to it. Three
# components could be the same one; a search ends at 1e-8 of what it looks for ----
mix="fit c.csv --target sick --basis linear --likelihood bernoulli --inference mixture --no-hyper-prior -o x.bln"
best=-30.325907                                                        # scipy, as above
run 0 $mix --start random --starts 3;  out_has 'over 3 starts';      near 'log evidence' 3 $best 1e-5 out
for o in '--natural 0.1' '--natural 0.05 --method plain --rate 0.01' '--method adagrad --rate 0.3' '--expectation local' \
         '--expectation weights --rate 0.01'; do
    run 0 $mix --batch 20 $o;                                        near 'log evidence' 3 "$best - 0.1125" 0.1126 out
done
run 0 $mix --components 3 --starts 4 --seed 2;  out_has 'over 4 starts'
yes "three components are no worse than one" '$1 " " $2 == "log evidence" { if (!($3 > '"$best"' - 1e-5)) ok = 0 }' out

# ---- another inference with the hyper-parameters of Laplace's evidence: the same prior, and quick for full, whose own differs ----
sds() { sed -n '/^prior sd/,/^[^ ]/p' out | grep '^  ' > "$1"; }
sick='fit c.csv --target sick --basis linear --likelihood bernoulli -o x.bln'
run 0 $sick --plug-in;  sds a;  cp out a.info
for i in full mixture map 'sgvi --max-iterations 5' 'mixture --batch 20 --max-iterations 5'; do
    run 0 $sick --hyper laplace --inference $i;                      sds b;  same a b "hyper-parameters of $i"
done
run 0 $sick --inference mixture;                                     sds b;  differ a b "hyper-parameters of the bound"
run 0 $sick --hyper laplace
grep -v -e seconds -e model a.info > a;  grep -v -e seconds -e model out > b;  same a b "laplace with its own"

# ---- categories in order ----
printf 'a,y\n1,0\n2,1\n3,1\n4,0\n5,2\n6,2\n7,1\n8,3\n9,3\n' > o.csv
run 0 fit o.csv --target y --basis linear --likelihood ordinal -o o.bln;  out_has 'first cut'
run 0 predict o.bln o.csv -o p.csv
yes "probabilities of categories" '{ split($0, v, ","); if (NR == 1 && v[8] v[11] != "p_0p_3") ok = 0
    if (NR > 1) { if ((v[8] + v[9] + v[10] + v[11] - 1)^2 > 1e-16 || (v[9] + 2*v[10] + 3*v[11] - v[1])^2 > 1e-14) ok = 0 } }' p.csv
error=$(paste -d, o.csv p.csv | awk -F, 'NR > 1 { g = 0; for (k = 1; k < 4; k++) if ($(10 + k) > $(10 + g)) g = k; e += g != $2 }
    END { print e/(NR - 1) }')
run 0 score o.bln o.csv;  near error_rate 2 "$error" 1e-5 out
run 0 score o.bln o.csv --loo;  if grep -q error_rate out; then bad "score --loo: a guess of categories"; else good; fi
run 0 fit o.csv --target y --basis linear --likelihood ordinal --categories 5 -o o5.bln
err_has 'no row is in category 4: how probable it is, only the priors say'
sed 's/,2$/,3/' o.csv > gap_o.csv
run 0 fit gap_o.csv --target y --basis linear --likelihood ordinal --categories 6 -o o6.bln
err_has 'no row is in the categories 2, 4, 5: how probable they are, only the priors say'
run 0 predict o6.bln gap_o.csv -o p.csv
yes "categories without rows have little probability" '{ split($0, v, ",")
    if (NR > 1 && !(v[10] < 0.2 && v[12] < 0.2 && v[13] < 0.2)) ok = 0 }' p.csv
run 0 fit gap_o.csv --target y --basis linear --likelihood ordinal --categories 6 --no-hyper-prior -o o6.bln
run 0 predict o6.bln gap_o.csv -o p.csv
yes "and next to none without priors" '{ split($0, v, ",")
    if (NR > 1 && !(v[10] < 1e-3 && v[12] < 1e-3 && v[13] < 1e-3)) ok = 0 }' p.csv
run 0 fit o.csv --target y --basis linear --likelihood ordinal --prior flat -o of.bln
err_has 'the first cut and the constant, whose prior is flat, say the same: the cut stays at -1.099'
run 0 fit o.csv --target y --basis linear:ones=0 --likelihood ordinal --prior flat -o of.bln;  err_empty
run 0 fit o.csv --target y --basis linear --likelihood ordinal -o of.bln;  err_empty
run 0 predict o5.bln o.csv;  out_has ',p_4'

# Categories that nothing lies between: gaps and prior grow together, which Laplace's evidence likes and its posterior cannot tell.
printf 'x,y\n1,0\n2,0\n3,1\n4,1\n5,1\n6,2\n' > o3.csv
run 0 fit o3.csv --target y --basis linear --likelihood ordinal --plug-in -o o3.bln
err_empty;  out_has 'inference        variational, a full Gaussian'
run 0 score o3.bln o3.csv;  near mll 2 0.42 0.1 out
run 0 fit o3.csv --target y --basis linear --likelihood ordinal --no-hyper-prior -o o3.bln
run 0 score o3.bln o3.csv;  near mll 2 0.15 0.1 out
run 0 fit o3.csv --target y --basis linear --likelihood ordinal --inference laplace --no-hyper-prior -o o3.bln
err_has 'the categories are all but separated'

# ---- two classes have their names in every fold ----
for y in '0 1' 'no yes' '1 2'; do for rare in 0 1; do
    echo "$y" | awk -v rare=$rare '{ print "x,y"; for (i = 1; i <= 5; i++) print i "," ((i == 5) == rare ? $2 : $1) }' > rare.csv
    run 0 cv rare.csv --target y --basis linear --likelihood bernoulli --folds 5
    grep '^[0-9m]' out | awk '{ $NF = ""; print }' > rare_is
    if [ "$y" = '0 1' ]; then mv rare_is rare_$rare; else same rare_is rare_$rare "$y"; fi
done; done

# ---- what cannot be predicted, and what cannot be drawn ----
run 0 fit rare.csv --target y --basis linear --likelihood bernoulli -o rare.bln
printf 'x\n1\n\n1e300\n' > far.csv
run 1 predict rare.bln far.csv -o far_p.csv;  err_has 'far.csv:4: the prediction overflows';  absent far_p.csv
printf 'x,y\n1,1\n\n1e300,1\n' > far.csv;  run 1 score rare.bln far.csv;  err_has 'far.csv:4: the prediction overflows'
printf 'x,n,y\n1,10,9\n2,0,0\n3,7,6\n4,5,4\n' > idle.csv
run 0 fit idle.csv --target y --trials n --basis linear --likelihood binomial -o idle.bln
run 0 plot idle.bln idle.csv --x x -o idle.svg
if [ "$(grep -c '<circle' idle.svg)" = 4 ]; then good; else bad "points of rows with trials, and the one of the legend"; fi
printf 'x,n,y\n1,0,0\n2,0,0\n' > idle.csv
run 1 plot idle.bln idle.csv --x x -o nothing.svg;  err_has 'no row can be drawn: no trials in all';  absent nothing.svg

# ---- targets outside the domain are named by their place ----
outside() {      # text, options, message
    printf "$1" > bad.csv
    run 1 fit bad.csv --target y --basis linear -o none.bln $2;  err_has "$3";  absent none.bln
}
outside 'a,y\n1,0\n2,2.5\n3,1\n' '--likelihood poisson' 'bad.csv:3:3: column "y": "2.5" does not suit poisson_log: y must'
outside 'a,y\n1,0\n2,-1\n3,1\n' '--likelihood negative_binomial' 'bad.csv:3:3: column "y": "-1" does not suit'
outside 'a,y\n1,0\n2,2\n3,1\n' '--likelihood bernoulli' 'bad.csv:3:3: column "y": "2" does not suit binomial_logit: y is'
outside 'a,n,y\n1,3,0\n2,2,3\n3,1,1\n' '--likelihood binomial --trials n' 'bad.csv:3:5: column "y": "3" does not suit'
outside 'a,n,y\n1,3,0\n2,0,3\n3,1,1\n' '--likelihood poisson --trials n' 'bad.csv:3:3: column "n": "0" does not suit poisson_log:'
outside 'a,n,y\n1,3,0\n2,-2,3\n3,1,1\n' '--likelihood poisson --trials n' 'column "n": "-2" is no number of trials'
outside 'a,y\n1,0\n2,99\n3,1\n' '--likelihood ordinal' 'goes up to 99'
outside 'a,y\n1,0\n2,3\n3,1\n' '--likelihood ordinal --categories 3' 'bad.csv:3:3: column "y": "3" does not suit ordinal'
outside 'a,y\n1,u\n2,v\n3,u\n' '--likelihood poisson' 'is not a number'
printf 'a,y\n1,0\n2,2.5\n3,1\n' > bad.csv
run 0 fit insects.csv --target count --basis bias --likelihood poisson -o i.bln
printf 'spray,count\nA,1\nA,1.5\n' > bad.csv
run 1 score i.bln bad.csv;                                           err_has 'bad.csv:3:3: column "count": "1.5" does not suit'
run 1 cv bad.csv --target count --basis bias --likelihood poisson --folds 2;  err_has 'bad.csv:3:3: column "count"'

# ---- the linear model's own likelihood: real targets are standardised, and all comes back in their units ----
awk 'BEGIN {
    print "x,v,o,y"
    for (i = 0; i < 40; i++) print i/4 "," 1 + i % 3 "," i % 5 "," 300 + 7*i/4 + i % 5 + 4*sin(i*i)
}' > line.csv
common="line.csv --target y --basis linear --noise-var v --offset o --no-scale"     # without a wide prior of the constant
# Both learn by their evidence, which is the same, to the tolerances of the searches; the curvature does the rest.
run 0 fit $common --tolerance 1e-12 -o s.bln;                                         cp out slm
run 0 fit $common --tolerance 1e-12 -o g.bln --likelihood gaussian --inference laplace --no-hyper-prior;  cp out glm
run 0 fit $common --tolerance 1e-12 -o f.bln --likelihood gaussian --inference full --no-hyper-prior;  cp out full
run 0 predict s.bln line.csv -o s.csv;  run 0 predict g.bln line.csv -o g.csv
paste -d, s.csv g.csv > both.csv
yes "gaussian likelihood and linear model" '{ split($0, v, ",")
    for (k = 1; k <= 5 && NR > 1; k++) if ((v[k] - v[k + 5])^2 > 1e-8*v[k]^2) ok = 0 }' both.csv
run 0 score s.bln line.csv; cp out s.txt; run 0 score g.bln line.csv
yes "the same scores" 'FNR == NR { a[$1] = $2 } FNR < NR && !($1 in a && (a[$1] - $2)^2 < 1e-8*(1 + $2^2)) { ok = 0 }
    END { if (NR != 14) ok = 0 }' s.txt out
run 0 score s.bln line.csv --loo; cp out s.txt; run 0 score g.bln line.csv --loo
yes "the same scores without the row" 'FNR == NR { a[$1] = $2 }
    FNR < NR && $1 in a { n++; if ((a[$1] - $2)^2 > 1e-8*(1 + $2^2)) ok = 0 }
    $1 == "elpd" { if ($2 > -20) ok = 0 } END { if (n != 7) ok = 0 }' s.txt out
cp out g.txt
run 0 fit $common --tolerance 1e-12 -o m.bln --likelihood gaussian --inference mixture --loo
out_has 'leave-one-out    by reweighted draws (PSIS)'
yes "the same evidence" '$1 == "log" { e[++n] = $3 } END { if (n != 2 || (e[1] - e[2])^2 > 1e-6) ok = 0 }' slm glm
yes "and the same bound" '$1 == "log" { e[++n] = $3 } END { if (n != 2 || (e[1] - e[2])^2 > 1e-6) ok = 0 }' slm full
run 0 fit $common --no-scale --prior flat -o g.bln --likelihood gaussian --inference laplace
run 0 fit $common --prior each -o g.bln --likelihood student_t
out_has 'degrees of freedom'; out_has 'one for each'
run 0 fit $common -o g.bln --likelihood laplace --inference mixture --components 2 --entropy jensen --seed 3
out_has 'inference        variational, 2 components'; out_has '(lower bound)'
run 0 fit $common -o f.bln --likelihood laplace --inference full
out_has 'inference        variational, a full Gaussian'
run 0 fit $common -o f.bln --likelihood laplace --inference mixture --batch 10 --max-iterations 5
run 0 predict f.bln line.csv;  run 0 predict g.bln line.csv;  run 0 info g.bln;  run 0 plot g.bln line.csv --x x -o g.svg
if grep -q 'y - o' g.svg; then good; else bad "plot: the offset of a real target"; fi
# A factor of the target is a factor of all that is said about it, but for rounding.
awk -F, 'NR == 1 { print } NR > 1 { print $1 "," $2 "," 1000*$3 "," 1000*$4 }' line.csv > kilo.csv
run 0 fit line.csv --target y --basis linear --offset o --ignore v --likelihood student_t -o a.bln;  cp out a
run 0 fit kilo.csv --target y --basis linear --offset o --ignore v --likelihood student_t -o b.bln;  cp out b
yes "equivariance of the scale" '$1 == "scale" { s[++n] = $2 } END { if (n != 2 || (s[2]/s[1] - 1000)^2 > 1) ok = 0 }' a b
run 0 score a.bln line.csv --loo;  cp out a.loo;  run 0 score b.bln kilo.csv --loo;  cp out b.loo
yes "equivariance without the row" '$1 == "elpd" { s[++n] = $2 } $1 == "elpd_se" { e[n] = $2 }
    END { if (n != 2 || (s[1] - s[2] - 40*log(1000))^2 > 1e-4 || (e[1] - e[2])^2 > 1e-6) ok = 0 }' a.loo b.loo
run 0 score a.bln line.csv;  cp out a;  run 0 score b.bln kilo.csv
yes "and of the density" '$1 == "mll" { s[++n] = $2 } END { if (n != 2 || (s[2] - s[1] - log(1000))^2 > 1e-8) ok = 0 }' a out

# ---- a point, a mixture by second order, one by draws: all verbs ----
# The point without priors is maximum likelihood: Bliss's beetles again, with R's log-likelihood; predictions know no doubt of f.
run 2 $beetle --likelihood binomial --inference map --loo;         err_has '--loo: --inference map has no posterior'
run 0 $beetle --likelihood binomial --inference map
out_has 'inference        MAP: a point';  near 'log density' 3 -18.71513 1e-5 out
run 1 score b.bln beetle.csv --loo;                                err_has 'b.bln is by --inference map and has no posterior'
run 0 info b.bln;  near log10dose 2 34.27033 1e-5 out;  near log10dose 3 0 0 out
run 0 predict b.bln beetle.csv -o p.csv
yes "a point has no variance" '{ split($0, v, ",") } NR > 1 { if (v[3] != 0 || v[6] != v[1] || v[7] != v[1] || !(v[2] > 0)) ok = 0 }
    END { if (NR != 9) ok = 0 }' p.csv
for i in map 'map --batch 10' 'full --batch 20' sgvi 'npv --components 2 --seed 5' 'npv --batch 20'; do
    run 0 fit c.csv --target sick --basis linear --likelihood bernoulli --inference $i --max-iterations 30 -o m.bln
    run 0 info m.bln;  run 0 predict m.bln c.csv -o p.csv;  run 0 score m.bln c.csv;  near log_loss 2 0.5 0.12 out
    run 0 plot m.bln c.csv --x age -o m.svg
    run 0 cv c.csv --target sick --basis linear --likelihood bernoulli --inference $i --max-iterations 30 --folds 2
done
run 0 fit c.csv --target sick --basis linear --likelihood bernoulli --inference npv -o m.bln
out_has 'nonparametric variational, 1 component'; out_has '(second order, no bound)'
run 0 fit c.csv --target sick --basis linear --likelihood bernoulli --inference sgvi --max-iterations 9 -o m.bln
out_has 'variational, by draws of the weights'; out_has '(lower bound)'

# ---- a quantile: of 0, 1, ..., 9 above 2 x, at each x, nine in ten are below 8 to 9 ----
awk 'BEGIN { print "x,y"; for (i = 0; i < 200; i++) print i % 20 "," 2*(i % 20) + int(i/20) }' > q.csv
run 0 fit q.csv --target y --basis linear --likelihood asymmetric_laplace:0.9 -o q.bln
run 0 info q.bln; out_has 'asymmetric_laplace:0.9'
run 0 predict q.bln q.csv -o p.csv
yes "a quantile" '{ split($0, v, ",") } NR > 1 { x = (NR - 2) % 20
    if (!(v[1] > 2*x + 7.5 && v[1] < 2*x + 9.5 && v[3] < v[1] && v[4] > v[1])) ok = 0 }
    NR == 1 { if ($0 != "quantile,sd_quantile,lower_quantile,upper_quantile") ok = 0 } END { if (NR != 201) ok = 0 }' p.csv
run 0 score q.bln q.csv
yes "pinball loss and share below, from the predictions" 'BEGIN { FS = "[, ]" }
    FILENAME == "p.csv" { q[FNR] = $1; next }
    FILENAME == "q.csv" { if (FNR > 1) { r = $2 - q[FNR]; loss += (r < 0 ? -0.1 : 0.9)*r/200; below += (r < 0)/200 } next }
    /rmse|coverage/ { ok = 0 }
    $1 == "pinball" { found++; if (($2/loss - 1)^2 > 1e-12) ok = 0 }  $1 == "below" { found++; if (($2 - below)^2 > 1e-12) ok = 0 }
    END { if (found != 2) ok = 0 }' p.csv q.csv out
run 0 check q.bln q.csv;  out_has 'share below 0.9 q.'
for how in --loo --waic; do
    run 1 score q.bln q.csv $how;  cp err score.err;  run 2 fit q.csv --target y --basis linear -o no.bln \
        --likelihood asymmetric_laplace:0.9 $how;  err_has "$how: the density beside a quantile is made up"
    if grep -q "^bayeslin score: $how: q.bln is of a quantile, beside which" score.err; then good; else bad "score $how"; fi
done
yes "its share below is the only figure, and right" '/skewness|than the model/ { ok = 0 }' out
awk 'BEGIN { FS = OFS = "," } NR > 1 { $2 = $2 + 3 } { print }' q.csv > up.csv
run 0 check q.bln up.csv; out_has "smaller than the model's"
run 0 cv q.csv --folds 4 --target y --basis linear --likelihood asymmetric_laplace:0.9;  out_has 'pinball       below'

# ---- files ----
run 0 info c.bln
head -c 300 c.bln > cut.bln;        run 1 info cut.bln;  err_has 'truncated'
run 2 score c.bln
run 1 stats c.csv --like c.bln -o s.stats;  err_has 'a model of --likelihood, of which there are no statistics'; absent s.stats

# ---- what goes wrong by an option, said with the option ----
awk 'BEGIN { print "x,n,w,y"
    for (i = 1; i < 40; i++) print i "," 90*((7*i) % 40) "," (i > 20 ? "yes" : "no") "," i % 7 + int(i/5) }' > hint.csv
run 1 fit hint.csv --target y --basis linear:cols=x --likelihood poisson --offset n -o none.bln
err_has '"n" goes to 3510: is --offset '"'log(n)' meant?"; absent none.bln
run 0 fit hint.csv --target y --basis linear:cols=x --likelihood poisson --offset 'log(n)' -o hint.bln
run 1 fit hint.csv --target w --basis linear:cols=x -o none.bln
err_has 'words are a target of --likelihood bernoulli (two of them) or categorical'
err_has 'For --likelihood ordinal write them into the table as 0, 1, 2, ..., from the lowest to the highest'
run 1 fit hint.csv --target w --basis linear:cols=x --likelihood bernoulli --prior flat -o none.bln
err_has 'no maximum (separable classes'; err_has '(without --prior flat they are learnt)'
run 0 fit hint.csv --target w --basis linear:cols=x --likelihood bernoulli -o hint.bln
# A likelihood alone makes the model, but for the linear model's own.
run 0 fit hint.csv --target y --basis linear:cols=x --likelihood gaussian -o hint.bln;  out_has 'noise sd'
run 0 fit hint.csv --target y --basis linear:cols=x --likelihood gaussian --inference full -o hint.bln
out_has 'likelihood       gaussian'
run 0 predict c.bln c.csv -o p.csv; sed '3s/^[^,]*/NA/' c.csv > gap.csv
run 0 predict c.bln gap.csv --missing drop -o p.csv
run 0 predict c.bln gap.csv --missing drop --draws 2 -o q.csv
if [ "$(sed -n 3p q.csv)" = NA,NA,NA,NA,NA,NA,NA,NA,NA,NA ]; then good; else bad "draws of a row that is missing"; fi
yes "a row that is missing" 'NR == 3 { if ($0 != "NA,NA,NA,NA,NA,NA,NA,NA") ok = 0 } END { if (NR != 61) ok = 0 }' p.csv

# ---- a mean and its noise, both functions of the inputs ----
# y = 1 + 2 x + 3 exp(x/2) e, e normal by sums of twelve uniforms: slopes within five standard errors, in the units of the data.
awk 'function u() { seed = (16807*seed) % 2147483647; return seed/2147483647 }
     BEGIN { seed = 7; print "x,y,z"
             for (i = 0; i < 1500; i++) {
                 x = 4*u() - 2; e = -6; for (k = 0; k < 12; k++) e += u()
                 y = 1 + 2*x + 3*exp(0.5*x)*e; printf "%.9g,%.9g,%.9g\n", x, y, 100*y - 7 } }' > noise.csv
noise="--basis linear --ignore z --likelihood gaussian_scale"
run 0 fit noise.csv --target y $noise -o noise.bln;  err_empty
out_has 'prior sd of the weights of the log sd'
run 0 info noise.bln
out_has 'coefficients of mean';  out_has 'coefficients of log sd'
grep '^  x ' out > slopes
yes "the slopes of mean and log sd are 2 and 0.5, and known" '
    { want = NR == 1 ? 2 : 0.5; if (($2 - want)^2 > 25*$3^2 || $3 > (NR == 1 ? 0.12 : 0.04)) ok = 0 }
    $6 != (NR == 1 ? "y" : "log") { ok = 0 }
    END { if (NR != 2) ok = 0 }' slopes
run 0 predict noise.bln noise.csv -o y.csv
run 0 fit noise.csv --target z --basis linear --ignore y --likelihood gaussian_scale -o noisez.bln
run 0 predict noisez.bln noise.csv -o z.csv
paste -d, y.csv z.csv | sed 1d > both
yes "predictions are in the units of the target" '
    BEGIN { FS = "," }
    { d = ($8 - 100*$1 + 7)^2 + ($9 - 100*$2)^2 + ($11 - 100*$4 + 7)^2 + ($14 - 100*$7 + 7)^2 }
    d > 1e-4*$9^2 || !($6 < $1 && $1 < $7) { ok = 0 }' both
run 0 plot noise.bln noise.csv --show draws --x x -o noise.svg
run 0 plot noise.bln noise.csv --show evidence -o noise.svg;  out_has 'prior sd of linear, mean'
out_has 'prior sd of linear, log sd'
run 0 fit noise.csv --target y $noise --prior each -o each.bln;  out_has 'one for each of 2'
run 0 info each.bln --json;  out_has '"of": "log sd"'
# The motorcycle data: the density of rows left out, and what the 95 % bands hold.
run 0 cv "$data/mcycle.csv" --target accel --basis rbf:n=20 --folds 10 -o none.csv
awk '$1 == "all" { print $7, $9 }' out > constant
for name in gaussian_scale heteroscedastic; do
    run 0 cv "$data/mcycle.csv" --target accel --basis rbf:n=20 --folds 10 --likelihood $name
    awk '$1 == "all" { print $7, $9 }' out | paste -d' ' - constant > densities               # ours first
    if [ $name = gaussian_scale ]; then
        yes "the figures of docs/tool.md" '
            { if (($1 - 4.26)^2 > 0.0001 || ($3 - 4.58)^2 > 0.0001 || ($2 - 0.97)^2 > 0.0001) ok = 0 }' densities
    fi
    yes "noise that changes is worth 0.25 nats a row of the motorcycle data" '
        { if (!($1 < $3 - 0.25 && $2 > 0.9 && $2 <= 0.99)) ok = 0 }' densities
done
run 0 fit noise.csv --target y --basis linear --ignore z --likelihood heteroscedastic_t --inference laplace -o t.bln
out_has 'least scale';  out_has 'degrees of freedom'
run 0 fit "$data/mcycle.csv" --target accel --basis linear --likelihood heteroscedastic --inference gibbs --draws 100 --warmup 50 \
    --trace draws.csv -o g.bln
head -1 draws.csv > out
for w in 'w[times]' 'w[log excess: times]' 'prior_var[log excess: linear]'; do out_has "$w"; done
# One y far off: some draws have less than 1 degree of freedom, and y has no mean.
awk 'BEGIN { print "x,y"; for (i = 0; i < 12; i++) print i*7 % 12 "," (i == 4 ? 1e15 : 0.3*(i % 5)) }' > far.csv
run 0 fit far.csv --target y --basis linear --likelihood heteroscedastic_t --inference gibbs --draws 50 --warmup 50 -o far.bln
run 0 predict far.bln far.csv -o p.csv
err_has 'far.csv: 12 of 12 rows have no mean (nan): t with 1 degree of freedom or less has none'
yes "intervals where there is no mean" 'NR > 1 { split($0, v, ","); if (!(v[1] == "nan" && v[4] + 0 < v[5] + 0)) ok = 0 }' p.csv
run 0 score t.bln noise.csv;  err_empty
# cavi ends at the bound of full, to a hundredth of a nat of what is learnt, and its sweeps alone below it.
for way in full cavi 'cavi --bound collapsed'; do
    run 0 fit "$data/mcycle.csv" --target accel --basis rbf:n=10 --likelihood heteroscedastic --inference $way -o c.bln
    awk '/^log evidence/ { print $3 }' out
done > bounds
yes "the bounds of full, cavi and its sweeps" '
    { v[NR] = $1 } END { if (NR != 3 || (v[1] - v[2])^2 > 1e-4 || !(v[3] < v[1])) ok = 0 }' bounds
for o in --loo --waic; do
    run 2 fit noise.csv --target y $noise -o none.bln $o;  err_has "$o: rows of a mean and its noise are not left out"
    run 1 score noise.bln noise.csv $o;  err_has "$o: rows of a mean and its noise are not left out"
done
run 2 fit noise.csv --target y --basis linear --likelihood gaussian_scale --offset z -o none.bln
err_has 'a mean and its noise would need one each'
run 2 fit noise.csv --target y $noise --inference gibbs -o none.bln
err_has '--inference gibbs: no auxiliary variables are known'
absent none.bln
run 0 compare noise.bln t.bln noise.csv;  out_has 'a mean and its noise'
if grep -q 'below 100 rows' err; then bad 'compare speaks of rows that it did not compare'; else good; fi
# gls(accel ~ times, weights = varExp(form = ~times), method = "ML") of nlme 3.1: log sd is 4.256124638266 - 0.018054051468 times.
run 0 fit "$data/mcycle.csv" --target accel --basis linear --likelihood gaussian_scale --prior flat --inference map -o f.bln
near 'log density' 3 -694.323994186 1e-5 out
run 0 info f.bln
awk '/^coefficients of/ { of = $NF } /^  (\(intercept\)|times)/ { print of, $1, $2 }' out > flat
yes "as generalised least squares with noise that changes" '
    { v[$1 $2] = $NF }
    function off(a, b) { return (a - b)^2 > 1e-10*b^2 }
    END { if (off(v["mean(intercept)"], -59.159794431111) || off(v["meantimes"], 1.315517787822)) ok = 0
          if (off(v["sdtimes"], -0.018054051468) || off(v["sd(intercept)"], 4.256124638266)) ok = 0 }' flat

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
