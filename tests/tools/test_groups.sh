#!/bin/sh
# test_groups.sh - the tool with effects of groups: fit, predict, info, plot, rows left out, streams; by= in a basis
#
#     make build/bayeslin && sh tests/tools/test_groups.sh [TOOL]    from the top of the project; ends with `N passed, N failed`
#
# Truth: the restricted likelihood and standard deviations of lme4's lmer(Reaction ~ Days + (Days || Subject), sleepstudy).
. "${0%/*}/tool.sh"

sleep="$data/sleepstudy.csv" by='linear+group:by=subject,cols=days'
run 0 fit "$sleep" --target reaction --basis "$by" --prior flat --no-scale -o sleep.bln
out_has "log evidence     -871.83465  (restricted)";   out_has "1|subject                                25.05";   err_empty
run 0 info sleep.bln;   out_has "groups of        subject: 308, 309,"
out_has " subject=(new)";   out_has "days|subject=(new)"
printf 'days,subject\n3,308\n3,unknown\n' > seen.csv
run 1 predict sleep.bln seen.csv
err_has 'seen.csv:3:3: column "subject": "unknown" is no group of the training rows (--unseen new'
run 0 predict sleep.bln seen.csv --unseen new;   cp out new.csv
run 0 predict sleep.bln seen.csv --unseen zero
# the same mean, without the variance between subjects: 25.052^2 + 9 5.987^2, to the digits of the search
if paste -d, new.csv out | awk -F, 'NR == 3 { v = $3*$3 - $8*$8; ok = $1 == $6 && v > 947.5 && v < 952.5 } END { exit !ok }'
then good; else bad "a new subject's variance"; fi
run 0 fit "$sleep" --target reaction --basis "$by" -o sleep.bln;   out_has "1|subject";   cp out whole
# Of many features those of groups are shown if asked for, but always in JSON; a term is named by its columns, each once.
awk 'BEGIN { print "zone,g,y"
    for (i = 0; i < 150; i++) print substr("abc", i % 3 + 1, 1) ",n" int(i/3) "," i % 3 + int(i/3) % 4 + (i*i % 7)/7 }' > many.csv
run 0 fit many.csv --formula 'y ~ zone + (1 | g)' -o many.bln;  out_has '  linear of zone            '
run 0 info many.bln;         out_has '3 of 54 (--all shows the others too)';  yes "no groups" '/^  g=/ { ok = 0 }' out
run 0 info many.bln --all;   yes "all groups" '/^  g=/ { n++ } END { ok = n == 51 }' out
run 0 info many.bln --json;  yes "all groups in JSON" '{ n += gsub(/"name": ?"g=/, "") } END { ok = n == 51 }' out
run 0 predict sleep.bln "$sleep";   cp out all.csv
run 0 fit "$sleep" --target reaction --basis "$by" --stream -o stream.bln;   out_has "$(grep 1.subject whole)"
run 0 predict stream.bln "$sleep"
if cmp -s out all.csv; then good; else bad "groups by --stream"; fi
run 0 fit "$sleep" --target reaction --basis "$by" --loo-group subject -o m.bln;   out_has "leave"
run 0 plot sleep.bln "$sleep" --x days -o groups.svg;   err_empty
run 1 plot sleep.bln "$sleep" --x subject -o groups.svg;   err_has "column \"subject\" holds words"
run 0 fit "$sleep" --target reaction --basis "group:by=1+bias" --integrate -o m.bln;   out_has "1|subject"
run 1 fit "$sleep" --target reaction --basis "group:by=foo" -o m.bln;   err_has 'by=: no input column "foo"'
run 1 fit "$sleep" --target reaction --basis "group:by=reaction" -o m.bln;   err_has 'by=: no input column "reaction"'
run 2 fit "$sleep" --target reaction --basis "$by+linear:cols=subject" -o m.bln;   err_has "name groups (by=)"
run 2 fit "$sleep" --target reaction --basis "linear+group" -o m.bln;   err_has "(by=COLUMN)"
# by=1 where a column is called 1: that one, and not input number 1 as well; by=01 is a number; one indicator is no column
awk 'BEGIN { print "0,1,2"
    for (i = 0; i < 60; i++) print 3*i + 10*(i % 5) + 2*sin(7*i) "," substr("pqrst", i % 5 + 1, 1) "," i }' > pd.csv
run 0 fit pd.csv --target 0 --basis linear+group:by=1 -o m.bln;   near "noise sd" 3 1.4 0.2 out
run 0 info m.bln;   out_has "groups of        1: p, q, r, s, t"
sed '1s/.*/y,g,x/' pd.csv > gx.csv
run 0 fit gx.csv --target y --basis linear+group:by=00 -o m.bln;   near "noise sd" 3 1.4 0.2 out
sed '1s/.*/y,t,x/' pd.csv > tx.csv
run 1 fit tx.csv --target y --basis linear+group:by=t=p -o m.bln;   err_has 'by=: no input column "t=p"'
printf 'y,x,g\n1,2,a\n2,3,a\n3,1,a\n' > one.csv
run 1 fit one.csv --target y --basis linear+group:by=g -o m.bln;   err_has 'column "g" names one group only'

# One variance for the groups of a slice, or none to learn it from; statistics learn no group that the first part has not.
run 2 fit "$sleep" --target reaction --basis "$by" --prior each -o m.bln;   err_has "--prior each learns nothing from one group"
run 2 fit "$sleep" --target reaction --basis group:by=subject+linear --likelihood student_t --prior each -o m.bln
err_has "--prior each"
run 2 fit "$sleep" --target reaction --basis group:by=subject --prior flat -o m.bln;   err_has "effects of groups need a prior"
head -n 91 "$sleep" > part1.csv
(head -n 1 "$sleep"; tail -n 90 "$sleep") > part2.csv
run 0 stats part1.csv --target reaction --basis "$by" --no-scale -o 1.stats
run 2 stats part2.csv --like 1.stats --unseen new -o 2.stats;   err_has "groups are those of the rows that the first statistics"
run 1 stats part2.csv --like 1.stats -o 2.stats;   err_has "is no group of the file of --like"
if grep -q "unseen new" err; then bad "a message that recommends --unseen new"; else good; fi
run 0 stats part2.csv --like 1.stats --unseen zero -o 2.stats
run 2 fit 1.stats --from-stats 1.stats --prior each -o m.bln
run 2 fit --from-stats 1.stats --prior each -o m.bln;   err_has "--prior each learns nothing from one group"

# Groups by number; how many rows are of unseen ones
awk 'BEGIN { print "y,x,g"; for (i = 0; i < 60; i++) print i % 5 + sin(i) "," i "," i % 5 + 1 (i % 2 ? ".0" : "") }' > number.csv
run 0 fit number.csv --target y --basis linear+group:by=g -o m.bln;   err_empty
run 0 info m.bln;   out_has "groups of        g: 1, 2, 3, 4, 5"
printf 'x,g\n1,1\n1,1.00\n1,01\n1,1e0\n' > same.csv
run 0 predict m.bln same.csv;   err_empty
yes "one group" 'NR == 2 { first = $0 } NR > 2 && $0 != first { ok = 0 }' out
printf 'x,g\n1,1\n1,7\n1,8\n' > more.csv
run 0 predict m.bln more.csv --unseen zero;   err_has 'more.csv: 2 of 3 rows of groups (column "g") that the training rows did'
run 0 predict m.bln more.csv --unseen new;    err_has 'more.csv: 2 of 3 rows of groups (column "g") that the training rows did'
printf 'y,g\n1,12345678901234567890\n2,12345678901234567891\n3,12345678901234567890\n4,12345678901234567891\n5,3\n' > long.csv
run 0 fit long.csv --target y --basis bias+group:by=g --plug-in -o m.bln
run 0 info m.bln;   out_has "12345678901234567890, 12345678901234567891, 3"
run 0 fit number.csv --target y --basis bias+group:by=g --ignore x --loo-group g -o m.bln;   out_has "5 groups of g"
sed 's/,[^,]*,/,/' number.csv > gonly.csv
run 2 fit gonly.csv --target y --basis linear+group:by=g -o m.bln;   err_has "bias+group:by=g needs no others"
awk 'BEGIN { print "y,x,g"; for (i = 0; i < 3003; i++) print i % 7 "," i "," i % 1001 }' > many.csv
run 1 fit many.csv --target y --basis linear+group:by=g -o m.bln
err_has "holds more than 1000 different groups, and by= takes no more"

# Counts: a new group's mean may be infinite; the quantiles hold.
awk 'BEGIN { print "y,x,g"; for (i = 0; i < 40; i++) print int(1 + i % 5 + sin(i)) "," i % 8 "," i % 5 }' > counts.csv
run 0 fit counts.csv --target y --basis linear+group:by=g --likelihood poisson -o m.bln
run 0 predict m.bln more.csv --unseen new;    err_has "mean and sd of a group that was not seen"
run 0 predict m.bln more.csv --unseen zero
if grep -q "mean and sd" err; then bad "a note of new groups where there are none"; else good; fi
run 0 fit counts.csv --target y --basis linear+group:by=g --likelihood poisson --plug-in -o m.bln
run 0 predict m.bln more.csv --unseen new
if grep -q "mean and sd" err; then bad "a note where variances are fixed"; else good; fi

# Where effects of groups are: at the mean of standardised inputs with slopes
run 0 fit "$sleep" --target reaction --basis "$by" -o m.bln
run 0 info m.bln;   out_has "  effects of groups are at days = 4.5 (means), the intercept at 0"
for how in "linear+group:by=subject" "$by --no-scale"; do
    run 0 fit "$sleep" --target reaction --basis $how -o m.bln
    run 0 info m.bln
    if grep -q "effects of groups" out; then bad "$how: effects at a mean"; else good; fi
done

# ---- independent intercepts and slopes are a model of where x is 0, which a formula says ----
cp "$data/sleepstudy.csv" sleep.csv
run 0 fit sleep.csv --formula 'reaction ~ days + (days || subject)' -o m.bln
err_has 'with --no-scale they are at x = 0'
run 0 fit sleep.csv --formula 'reaction ~ days + (days || subject)' --no-scale -o m.bln;  err_empty

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
