#!/bin/sh
# test_auto.sh - --basis auto, and no --basis; ends with `N passed, N failed`
#
#     sh tests/tools/test_auto.sh [TOOL]        from the top of the project, after make
. tests/tools/tool.sh

# A line, and a wave of a with a column of words and one that means nothing; log odds that are a wave.
awk 'BEGIN {
    srand(3)
    print "a,b,y" > "line.csv"; print "a,colour,y,z" > "wave.csv"; print "a,yes" > "odds.csv"
    for (i = 0; i < 70; i++) {
        a = 6*rand(); b = rand(); e = rand() + rand() + rand() + rand() - 2
        print a "," b "," 3 + 2*a - 4*b + 0.2*e > "line.csv"
        print a "," (i % 3 ? "red" : "blue") "," 40 + 10*sin(2*a) + (i % 3 ? 3 : 0) + 0.5*e "," 5*a + e > "wave.csv"
        print a "," (sin(2*a) + 0.2*e > 0) > "odds.csv"
    }
}'

# ---- the choice, its table, and the SPEC by hand: the same model, but for how long it took ----
run 0 fit line.csv --target y -o auto.bln;                      err_empty
out_has "bases tried on   70 of 70 rows, by the log evidence"; out_has "chosen           --basis linear"
cp out table
run 0 fit line.csv --target y --basis auto -o again.bln;        same auto.bln again.bln "--basis auto and no --basis"
run 0 fit line.csv --target y --basis linear -o hand.bln;       same auto.bln hand.bln "auto and its choice by hand"
run 0 fit line.csv --target y -o raw.bln --no-scale;            cp out table   # standardised, a fit gives constants a wide prior
run 0 fit line.csv --target y --basis linear -o raw.bln --no-scale
near "log evidence" 3 "$(awk '$3 == "linear" { print $1; exit }' table)" 1e-3 out
run 0 fit wave.csv --target y --ignore z -o wave.bln --loo;     err_empty
out_has "leave-one-out"
spec=$(awk '$1 == "chosen" { print $3 }' out)
case $spec in gp:kernel=*,ard*) good ;; *) bad "a wave: $spec" ;; esac
near "basis" 2 0 1e9 out; out_has "basis            $spec"
run 0 fit wave.csv --target y --ignore z --basis "$spec" -o hand.bln;   same wave.bln hand.bln "auto and its choice by hand"
run 0 predict wave.bln wave.csv -o p.csv;                       run 0 score wave.bln wave.csv
yes "a wave: r2" '$1 == "r2" && $2 < 0.98 { ok = 0 }' out
yes "the table has a row for each basis, the chosen one with the largest evidence but for 4 nats" '
    $1 == "chosen" { chosen = $3; go = 0 } $2 == "evidence" && $3 == "evaluations" { go = 1; next }
    go { n++; score[$3] = $1; if (n == 1 || $1 > top) top = $1; if ($2 < 1) ok = 0 }
    END { if (n < 8 || !(score[chosen] >= top - 4)) ok = 0 }' table
run 0 fit wave.csv --target y --ignore z -o raw.bln --no-scale; out_has "chosen           --basis gp:"

# Where the largest evidence is not chosen, the table says by how much it is less: a nat for the variance and each length scale.
awk 'function of(x) { return x - int(x) } BEGIN { print "a,b,c,d,y"; for (i = 1; i <= 40; i++) {
        a = of(0.618034*i); b = of(0.414214*i); c = of(0.732051*i); d = of(0.236068*i)
        print a "," b "," c "," d "," sin(3*(a + b + c)) + d + of(0.1234567*i*i) } }' > five.csv
run 0 fit five.csv --target y -o five.bln; out_has "with a nat less for each variance and length scale of a kernel"
out_has "the log evidence below is another"
yes "the comparison" '
    $1 == "chosen" { chosen = $3 }
    !chosen && NF == 3 && $2 ~ /^[0-9]+$/ { score[$3] = $1; if (top == "" || $1 > score[top]) top = $3 }
    chosen && NF == 2 && $2 ~ /^(gp|linear)/ && $1 < 0 { n++; at[$2] = $1
        gap = score[$2] - $1 - ($2 == "linear" ? 0 : $2 ~ /,ard/ ? 5 : 2); if (gap^2 > 1e-10) ok = 0 }
    END { if (n != 2 || top == chosen || !(at[chosen] > at[top])) ok = 0 }' out
run 0 fit five.csv --target y --no-scale -o five.bln
if grep -q "the log evidence below" out; then bad "not standardised: the same evidence"; else good; fi

# A half of noise and a half of a quick wave: the most evidence has a length scale that the noise follows, and errors are larger.
awk 'function of(x) { return x - int(x) } BEGIN { print "a,y"; for (i = 1; i <= 40; i++) {
        a = 4*of(0.618034*i) - 2; e = of(0.9370039*i*i) - 0.5
        print a "," (a > 0.5 ? 3*e : sin(5*a)) } }' > half.csv
run 0 fit half.csv --target y -o half.bln;                      out_has "chosen           --basis gp:kernel=rbf+linear"
out_has "gp:kernel=rbf,length=1e-1+bias is not taken: squared errors of its rows, each left"
out_has "  out, are larger than another basis's, by 3.45 standard errors of the differences"
run 0 fit half.csv --target y -o half.bln --json;               out_has '"excess": 3.4'

# ---- other models ----
run 0 fit odds.csv --target yes --likelihood bernoulli -o odds.bln
out_has "chosen           --basis gp:kernel="; err_empty
run 0 fit wave.csv --outputs y,z --basis auto -o two.bln;       out_has "chosen           --basis gp:kernel="
run 0 fit line.csv --target y --integrate -o few.bln;           out_has "chosen           --basis linear"
run 0 fit line.csv --target y --calibrate -o wide.bln;          out_has "chosen           --basis linear"

# ---- cv chooses in each fold, by its training rows alone ----
run 0 cv wave.csv --target y --ignore z --folds 2;              err_has "fold 1/2: chosen: --basis gp:"
err_has "fold 2/2: chosen: --basis gp:"
yes "cv: two folds with an error below the wave" '$1 == 1 || $1 == 2 { n++; if (!($5 < 3)) ok = 0 } END { if (n != 2) ok = 0 }' out

# ---- the budget ----
run 0 fit wave.csv --target y --ignore z --basis auto:budget=2e7 -o small.bln
out_has "by the log density of others"; out_has "chosen           --basis "
spec=$(awk '$1 == "chosen" { print $3 }' out)
case $spec in gp:*) bad "a small budget: $spec" ;; *) good ;; esac
run 0 fit wave.csv --target y --ignore z --basis "$spec" -o hand.bln;   same small.bln hand.bln "auto and its choice by hand"

# ---- what it refuses ----
for budget in 0 -1 x nan ''; do
    run 2 fit line.csv --target y --basis auto:budget=$budget -o no.bln;      err_has 'budget wants a number of operations above 0'
done
run 2 fit line.csv --target y --basis auto:size=3 -o no.bln;    err_has 'auto has one option, budget=FLOPS'
run 2 fit line.csv --target y --basis auto+linear -o no.bln;    err_has 'unknown term'
for option in "--prior flat" "--prior each" --stream "--arithmetic qr" "--optimiser mm" "--residual ignored"; do
    run 2 fit line.csv --target y $option -o no.bln;            err_has "--basis is needed: ${option%% [qim]*}"
    run 2 fit line.csv --target y --basis auto $option -o no.bln;             err_has "--basis is needed"
done
run 2 stats line.csv --target y -o no.stats;                    err_has '--basis is needed: stats'
printf 'a,y\n1,2\n2,2\n3,2\n' > flat.csv
run 1 fit flat.csv --target y -o no.bln;                        err_has 'there is nothing to learn'
absent no.bln no.stats

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
