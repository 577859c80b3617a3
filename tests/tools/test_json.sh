#!/bin/sh
# test_json.sh - answers that other programs read: --json of every verb, files called -, kept columns, NumPy's format
#
#     make build/bayeslin build/json_check && sh tests/tools/test_json.sh [TOOL]    from the top; ends with `N passed, N failed`
#
# json_check (tests/tools/json_check.c) accepts what RFC 8259 does, and prints what stands at a path.
. "${0%/*}/tool.sh"
check=$top/build/json_check

# json STATUS ARGUMENTS... - runs the tool with --json; what it writes is one JSON value with this status, and begins and ends alike
json() {
    want=$1; shift
    run "$want" "$@" --json
    if "$check" out .format .verb .status > frame && [ "$(cat frame)" = "1
$1
$want" ]; then good; else bad "$said: no JSON of this verb and status"; cat frame; head -c 600 out; fi
    is '.notes[#]' "$(grep -c '^bayeslin: note: ' err)"
    if [ "$1" != predict ]; then grep -o '"[A-Za-z0-9_]*":' out | tr -d '":' >> members; fi       # those of predict are columns
}
# is PATH VALUE - of the last answer
is() {
    if [ "$("$check" out "$1")" = "$2" ]; then good; else bad "$said: $1 is $("$check" out "$1"), not $2"; fi
}
# close PATH VALUE TOLERANCE
close() {
    if "$check" out "$1" | awk '{ d = $1 - ('"$2"'); if (d < 0) d = -d; exit !(NF == 1 && d <= '"$3"') }'; then good
    else bad "$said: $1 is $("$check" out "$1"), not $2 to $3"; fi
}
# The figures of a line `name value` of the same command without --json, to its digits.
as_text() {
    if [ "$("$check" out "$1" | awk '{ printf "%.'"$3"'g", $1 }')" = "$2" ]; then good
    else bad "$said: $1 is $("$check" out "$1"), and $2 in the lines for people"; fi
}

# ---- fit and info: the figures of the lines ----
awk 'BEGIN { print "a,b,y"; for (i = 0; i < 60; i++) { a = i % 11; b = (i*7) % 13
             print a "," b "," 3 + 2*a - 4*b + 0.01*(i % 2 ? 1 : -1) } }' > line.csv
run 0 fit line.csv --target y --basis linear -o line.bln --loo;  mv out fit.txt
json 0 fit line.csv --target y --basis linear -o again.bln --loo;  same line.bln again.bln "with --json and without"
is .kind slm; is .targets '["y"]'; is .inputs[1] b; is .rows 60; is .dropped 0; is .standardised true; is .seed 0; is .features 3
is .roles.weights null
is .basis linear; is .restricted false; is .model again.bln; is .leave_out.by exact; is .leave_out.scores[0].n 60; is .stop gradient
as_text .log_evidence "$(awk '/^log evidence/ { print $3 }' fit.txt)" 8
as_text .noise_sd[0] "$(awk '/^noise sd/ { print $3 }' fit.txt)" 5
as_text .priors[0].sd "$(awk '/^  linear/ { print $NF }' fit.txt)" 5
as_text .leave_out.scores[0].rmse "$(awk '/^  rmse/ { print $2 }' fit.txt)" 8
run 0 info line.bln; mv out info.txt
json 0 info line.bln; is .interval 0.95; is '.coefficients[#]' 3; is .coefficients[0].name '(intercept)'; is .coefficients[2].of y
for k in 0 1 2; do
    for c in 2:mean 3:sd 4:lower 5:upper; do
        as_text ".coefficients[$k].${c#*:}" \
                "$(awk '/^coefficients/ { at = NR } at && NR == at + 2 + '$k' { print $'${c%:*}' }' info.txt)" 5
    done
done
run 0 fit "$data/mcycle.csv" --target accel --basis rbf:n=10 -o m.bln;  mv out fit.txt
json 0 info m.bln;  is '.coefficients[#]' 21;  is .parameters[0].units data
as_text .parameters[0].value "$(awk '/^  length scale/ { print $3 }' fit.txt)" 5
as_text .parameters[0].fitted "$(awk '/^  length scale/ { print substr($4, 2) }' fit.txt)" 4
json 0 fit "$data/mcycle.csv" --target accel -o auto.bln
is '.tried[0].basis' linear;  is .tried[0].failure null;  if [ "$("$check" out .basis)" != auto ]; then good; else bad "auto"; fi
head -n 9 line.csv > few.csv
json 0 fit few.csv --target y --basis linear -o few.bln;  is .kind integrated;  is .evidence_by integrated
is .priors[0].kind integrated
run 0 info few.bln; mv out few.txt; json 0 info few.bln
as_text .noise_sd_lower "$(awk '/^noise sd/ { print $6 }' few.txt)" 4
as_text .freedom "$(awk '/^freedom/ { print $2 }' few.txt)" 6
json 0 fit line.csv --target y --basis linear:ones=0 --prior flat -o flat.bln;  is .restricted true;  is .priors[0].sd null
is .priors[0].kind flat                                                          # an infinite sd is null
json 0 fit line.csv --target y --basis linear --prior each -o each.bln;  is .priors[0].kind each;  is .priors[0].weights 2
awk -F, 'NR == 1 { print $0 ",z"; next } { print $0 "," $1 + (NR % 3) }' line.csv > two.csv
json 0 fit two.csv --outputs y,z --basis linear --noise correlated -o two.bln;  is '.noise_sd[#]' 2
is '.noise_correlation[1][1]' 1
json 0 fit line.csv --target y --basis linear --calibrate -o cal.bln;  is .calibrated[0].enough true;  is .calibrated[0].left_out 60
json 0 fit line.csv --target y --basis linear --stream -o stream.bln;  is .rows 60

# ---- other likelihoods ----
json 0 fit "$data/ships.csv" --target incidents --trials service --basis linear --likelihood negative_binomial \
       --inference full --waic -o nb.bln
is .kind glm;  is .likelihood negative_binomial;  is .roles.trials service;  is .inference full;  is '.likelihood_parameters[#]' 1
if "$check" out .waic.elpd_waic | grep -q '^-'; then good; else bad "waic"; fi
json 0 fit "$data/iris.csv" --target species --basis linear --likelihood categorical -o iris.bln
is .classes '["setosa", "versicolor", "virginica"]'
json 0 info iris.bln;  is .coefficients[-1].of virginica
json 0 score iris.bln "$data/iris.csv";  is .confusion[0] '[50, 0, 0]';  is '.scores[0].r2' nothing;  is .classes[2] virginica
json 0 predict iris.bln "$data/iris.csv";  is .predictions[0].class setosa;  is '.columns' \
    '["class", "p_setosa", "p_versicolor", "p_virginica"]'
json 0 fit "$data/ships.csv" --target incidents --trials service --basis linear --likelihood poisson --inference nuts \
       --draws 100 -o nuts.bln
is .draws.chains 4;  is .draws.draws 100

# ---- score, cv, check, stats, merge, plot ----
run 0 score line.bln line.csv;  mv out score.txt;  json 0 score line.bln line.csv;  is .scores[0].output y;  is .scores[0].n 60
for name in r2 rmse smse mll msll coverage95; do
    as_text ".scores[0].$name" "$(awk '$1 == "'$name'" { print $2 }' score.txt)" 8
done
run 0 cv line.csv --target y --basis linear --folds 3;  mv out cv.txt
json 0 cv line.csv --target y --basis linear --folds 3;  is '.folds[#]' 3;  is .folds[1].fold 2;  is .folds[1].n_test 20
as_text .folds[1].rmse "$(awk '$1 == 2 { print $5 }' cv.txt)" 5;  as_text .mean[0].mll "$(awk '$1 == "mean" { print $7 }' cv.txt)" 5
as_text .sd[0].mll "$(awk '$1 == "sd" { print $7 }' cv.txt)" 5
printf 'x,y\n1,2\n2,2\n3,4\n4,2\n5,2\n6,3\n' > same.csv;  printf 'm\n1\n1\n0\n0\n0\n0\n' > mask.csv
json 0 cv same.csv --target y --basis linear --masks mask.csv --plug-in;  is .folds[0].r2 null;  is .sd[0].rmse null    # undefined
run 0 check line.bln line.csv;  mv out check.txt;  json 0 check line.bln line.csv -o check.svg;  is .picture check.svg
is .rows 60;  is .replicates 1000;  is .figures[1].figure sd;  is .figures[1].verdict fits
as_text .figures[1].observed "$(awk '$1 == "sd" { print $2 }' check.txt)" 4
json 0 stats line.csv --target y --basis linear -o one.stats;  is .statistics one.stats;  is .rows 60;  is .arithmetic exact
json 0 merge one.stats one.stats -o both.stats;  is .rows 120
json 0 plot m.bln "$data/mcycle.csv" --x times -o m.svg;  is .picture m.svg
json 0 fit --from-stats both.stats -o both.bln;  is .rows 120

# ---- diagnose: its doubts are an answer too ----
awk 'BEGIN { print "chain,a,b"
    for (c = 1; c <= 2; c++) for (i = 0; i < 200; i++) print c "," (i*7919 % 200) "," c*10 + i % 3 }' > draws.csv
json 3 diagnose draws.csv;  is .chains 2;  is .draws 200;  is .parameters[0].name a;  is .divergent null
if [ "$("$check" out '.warnings[#]')" -ge 1 ] && "$check" out .doubt | grep -q 'not to be relied on'
then good; else bad "doubt"; fi

# ---- predictions ----
run 0 predict line.bln line.csv -o p.csv
json 0 predict line.bln line.csv --keep b;  is .rows 60;  is .columns '["b", "mean", "sd", "sd_latent", "lower", "upper"]'
is '.predictions[#]' 60;  is .predictions[3].b 8;  as_text .predictions[3].mean "$(awk -F, 'NR == 5 { print $1 }' p.csv)" 10
json 0 predict line.bln line.csv -o q.csv;  same p.csv q.csv "-o beside --json";  is .output q.csv;  is .predictions nothing
sed '4s/^[^,]*/NA/' line.csv > gap.csv
json 0 predict line.bln gap.csv --missing drop --keep a;  is .predictions[2].mean null;  is .predictions[2].a NA
is .predictions[3].a 3
run 2 predict line.bln line.csv -o p.json;  err_has 'write > p.json';  absent p.json

# ---- failures: the reason in JSON, the exit status as ever ----
json 1 fit nowhere.csv --target y --basis linear -o none.bln;  is .error "$(sed 's/^bayeslin fit: //' err)";  is .rows nothing
json 2 fit line.csv --target y --basis frob -o none.bln
json 2 score line.bln;  is .error 'which DATA.csv?'
json 1 cv line.csv --target y --basis linear --folds 99;  is .folds nothing
json 1 info line.csv
run 2 fit line.csv --target y --basis linear -o - --json;  err_has '--json writes to standard output, and so would -'
absent none.bln
# Notes are in both places; names are texts whatever they hold.
printf 'x,"a ""quoted\\ \001 name",y\n1,u,2\n2,v,3\n3,\303\251,5\n4,\377,4\n' > odd.csv
json 0 fit odd.csv --target y --basis linear --plug-in --no-scale -o odd.bln;  is .inputs[1] 'a \"quoted\\ \u0001 name=u'
json 0 info odd.bln;  is .words[0].words '["u", "v", "é", "'"$(printf '\357\277\275')"'"]'
awk -F, '{ print $0 "," (NR > 1 ? 7 : "same") }' line.csv > constant.csv
json 0 fit constant.csv --target y --basis linear -o none.bln
    is .notes[0] 'constant.csv: column \"same\" is 7 in all 60 rows: it tells nothing and is left out'
rm -f none.bln

# ---- files called - ----
"$tool" fit - --target y --basis linear -o - < line.csv 2> err > dash.bln;  same dash.bln line.bln "fit - -o -"
if grep -q '^log evidence' err; then good; else bad "fit -o -: the lines go to standard error"; fi
"$tool" predict - line.csv -o - < line.bln > out 2> err;  same out p.csv "predict - -o -"
"$tool" predict line.bln - < line.csv > out 2> err;  same out p.csv "predict MODEL -"
"$tool" stats - --target y --basis linear -o - < line.csv 2> err > dash.stats;  same dash.stats one.stats "stats - -o -"
"$tool" merge one.stats - -o - < one.stats 2> err > dash.stats;  same dash.stats both.stats "merge"
"$tool" fit --from-stats - -o dash.bln < both.stats > out 2> err;  same dash.bln both.bln "fit --from-stats -"
"$tool" fit - --stream --target y --basis linear -o dash.bln < line.csv > out 2> err;  same dash.bln stream.bln "fit - --stream"
"$tool" plot m.bln - --x times -o - < "$data/mcycle.csv" 2> err > out;  same out m.svg "plot"
"$tool" diagnose - < draws.csv > out 2> err;  if grep -q '^2 chains' out; then good; else bad "diagnose -"; fi
"$tool" diagnose - < nuts.bln > out 2> err;  if grep -q '^4 chains' out; then good; else bad "diagnose - of a model"; cat err; fi
printf 'a,b\n1,x\n' | "$tool" predict line.bln - > out 2> err
if grep -q 'standard input:2:3: column "b": "x"' err; then good; else bad "where it is wrong in standard input"; cat err; fi
run 2 predict - -;  err_has 'can be read once'

# ---- kept columns ----
printf 'id,a,b,"the, name"\n01,2,5,"x, ""y"""\n02,3,6,\n' > new.csv
run 0 predict line.bln new.csv -o plain.csv
run 0 predict line.bln new.csv --keep id --keep 'the, name' -o kept.csv
printf 'id,"the, name"\n01,"x, ""y"""\n02,\n' | paste -d, - plain.csv > want.csv;  same kept.csv want.csv "--keep"
run 0 predict line.bln new.csv --keep 'id, a';  cut -d, -f1,2 out > a;  printf 'id,a\n01,2\n02,3\n' > b
same a b "--keep with a list"
run 1 predict line.bln new.csv --keep frob;  err_has 'new.csv: no column "frob" (--keep)'
run 2 predict line.bln new.csv --keep id,id;  err_has '--keep names column "id" twice'
sed '1s/id/sd/' new.csv > sd.csv;  run 1 predict line.bln sd.csv --keep sd;  err_has '--keep "sd": there is a column of that name'

# ---- NumPy: version 1.0, 128 bytes of header, doubles with the least significant byte first ----
run 0 predict line.bln gap.csv --missing drop -o p.npy
err_has 'p.npy: 60 x 5 numbers, in columns mean, sd, sd_latent, lower, upper'
if [ "$(wc -c < p.npy)" -eq $((128 + 60*5*8)) ]; then good; else bad "size of p.npy"; fi
if [ "$(head -c 10 p.npy | od -An -tx1 | tr -d ' \n')" = 934e554d505901007600 ]; then good; else bad "magic of p.npy"; fi
if [ "$(head -c 128 p.npy | tail -c 118 | sed 's/ *$//')" = "{'descr': '<f8', 'fortran_order': False, 'shape': (60, 5), }" ]
then good; else bad "header of p.npy"; fi
if [ "$(head -c 128 p.npy | tail -c 1 | od -An -tx1 | tr -d ' \n')" = 0a ]; then good; else bad "end of the header of p.npy"; fi
# The bits of 1, of a row that is missing, and of the classes of iris, 0 to 2.
printf 'x,y\n0,1\n1,1\n2,1\n3,1\n4,1\n5,1\n6,1.5\n' > one.csv
run 0 predict iris.bln "$data/iris.csv" -o iris.npy;  err_has 'of classes 0 setosa, 1 versicolor, 2 virginica'
if [ "$(tail -c 32 iris.npy | head -c 8 | od -An -tx1 | tr -d ' \n')" = 0000000000000040 ]
then good; else bad "class 2 as a double"; fi
case $(tail -c +$((128 + 2*40 + 1)) p.npy | head -c 8 | od -An -tx1 | tr -d ' \n') in
    000000000000f87f|000000000000f8ff) good ;; *) bad "a missing row is NaN" ;; esac
run 2 predict line.bln line.csv --keep a -o k.npy;  err_has 'k.npy holds numbers alone';  absent k.npy

# ---- classes beside probabilities ----
awk 'BEGIN { print "x,y"; for (i = 0; i < 40; i++) print i "," (i*7 % 40 < i ? "yes" : "no") }' > yes.csv
run 0 fit yes.csv --target y --basis linear --likelihood bernoulli -o yes.bln;  run 0 predict yes.bln yes.csv
yes "two classes" 'BEGIN { FS = "," } NR == 1 { if ($8 != "class") ok = 0; next } $8 != ($1 > 0.5 ? "yes" : "no") { ok = 0 }' out
awk 'BEGIN { print "x,y"; for (i = 0; i < 60; i++) print i "," (i + i*7 % 20 < 25 ? 0 : i + i*7 % 20 < 50 ? 1 : 2) }' > order.csv
run 0 fit order.csv --target y --basis linear --likelihood ordinal -o order.bln;  run 0 predict order.bln order.csv
yes "ordered classes" 'BEGIN { FS = "," } NR == 1 { if ($0 !~ /,p_0,p_1,p_2,class$/) ok = 0; next }
    { k = 0; if ($9 > $8) k = 1; if ($10 > $9 && $10 > $8) k = 2; if ($11 != k) ok = 0; n[k]++ }
    END { if (!n[0] || !n[2]) ok = 0 }' out

# ---- pictures ----
for end in png pdf JPG; do
    run 2 plot m.bln "$data/mcycle.csv" --x times -o m.$end;  err_has '-o m.svg; then, for'
absent m.$end; done
run 2 check line.bln line.csv -o c.png;  err_has 'pictures are written as SVG'

# ---- what pictures say beside the picture, and formulas ----
json 0 fit line.csv --formula 'y ~ a' --plug-in -o f.bln;  is .formula '--target y --basis linear:cols=a'
json 0 plot f.bln line.csv --show residuals -o f.svg;  is .bars_outside 0
json 0 plot f.bln line.csv --show evidence -o f.svg;  is '.hyper_parameters[0].name' 'prior sd of linear of a'
run 0 fit line.csv --formula 'y ~ a' -o -;  cp out standard.bln;  run 0 info standard.bln

# ---- what has no verb, and the covariance ----
run 2 frob --json;  is .verb null;  is .status 2;  is .format 1
case $("$check" out .error) in *frob*) good ;; *) bad "no reason" ;; esac
run 2 --json;  is .verb null
run 0 info line.bln --covariance;  cp out table.csv
json 0 info line.bln --covariance;  is '.covariance[#]' 3;  is '.covariance_of[1].name' a;  is '.covariance_of[1].of' y
for i in 0 1 2; do for k in 0 1 2; do
    as_text ".covariance[$i][$k]" "$(awk -F, 'NR == '$((i + 2))' { print $'$((k + 2))' }' table.csv)" 10
done; done

# ---- one row has no sd; .NPY is .npy ----
head -n 2 line.csv > one.csv
json 0 check line.bln one.csv;  is '.figures[#]' 3;  err_has 'column "y": sd, skewness of 1 row have no value'
run 0 check line.bln one.csv;  if grep -q nan out; then bad "check says nan of one row"; else good; fi
run 0 predict line.bln line.csv -o p.npy;  run 0 predict line.bln line.csv -o P.NPY;  same p.npy P.NPY "capitals"

# ---- docs/json.md has all members: those that the answers above have, and those that the source of the tool names ----
cat "$top"/tools/cli/*.c | tr '\n' ' ' | grep -oE 'json_[a-z]+\([a-z>.*&-]+, *"[A-Za-z0-9_]+"' | sed 's/.*"\(.*\)"/\1/' >> members
sort -u members > named
if [ "$(wc -l < named)" -gt 140 ]; then good; else bad "the members of answers were not found"; fi
while read -r member; do
    if grep -q "\`$member\`" "$top/docs/json.md"; then good; else bad "docs/json.md lacks the member $member"; fi
done < named

# ---- every verb has an answer in JSON, which is tested here or beside its tests, and an example in docs ----
n=0
for verb in $("$tool" --help | sed -n 's/^  bayeslin \([a-z]*\)  *[A-Z].*/\1/p' | grep -vx help); do
    n=$((n + 1))
    if grep -q "\`$verb\`" "$top/docs/json.md"; then good; else bad "docs/json.md says nothing of $verb"; fi
    if grep -qE "bayeslin $verb( |\`|\$)" "$top"/docs/*.md; then good; else bad "no example of bayeslin $verb in docs"; fi
    if grep -qE "json [0-3] $verb |run [0-3] $verb .*--json" "$tests"/*.sh; then good; else bad "no test of $verb --json"; fi
done
if [ $n -ge 11 ]; then good; else bad "only $n verbs in bayeslin --help"; fi

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
