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
run 0 predict sleep.bln "$sleep";   cp out all.csv
run 0 fit "$sleep" --target reaction --basis "$by" --stream -o stream.bln;   out_has "$(grep 1.subject whole)"
run 0 predict stream.bln "$sleep"
if cmp -s out all.csv; then good; else bad "groups by --stream"; fi
run 0 fit "$sleep" --target reaction --basis "$by" --loo-group subject -o m.bln;   out_has "leave"
run 0 plot sleep.bln "$sleep" --x days -o groups.svg;   err_empty
run 1 plot sleep.bln "$sleep" --x subject -o groups.svg
run 0 fit "$sleep" --target reaction --basis "group:by=1+bias" --integrate -o m.bln;   out_has "1|subject"
run 1 fit "$sleep" --target reaction --basis "group:by=foo" -o m.bln;   err_has 'by=: no input column "foo"'
run 1 fit "$sleep" --target reaction --basis "group:by=reaction" -o m.bln;   err_has 'by=: no input column "reaction"'
run 2 fit "$sleep" --target reaction --basis "$by+linear:cols=subject" -o m.bln;   err_has "name groups (by=)"
run 2 fit "$sleep" --target reaction --basis "linear+group" -o m.bln;   err_has "(by=COLUMN)"
# by=1 where a column is called 1: that one, and not input number 1 as well; by=01 is a number; one indicator is no column
awk 'BEGIN { print "0,1,2"; for (i = 0; i < 60; i++) print 3*i + 10*(i % 5) + 2*sin(7*i) "," substr("pqrst", i % 5 + 1, 1) "," i }' > pd.csv
run 0 fit pd.csv --target 0 --basis linear:cols=2+group:by=1 -o m.bln;   cp out named
run 0 fit pd.csv --target 0 --basis linear+group:by=1 -o m.bln;   near "noise sd" 3 1.4 0.2 out
run 0 info m.bln;   out_has "groups of        1: p, q, r, s, t"
sed '1s/.*/y,g,x/' pd.csv > gx.csv
run 0 fit gx.csv --target y --basis linear+group:by=00 -o m.bln;   near "noise sd" 3 1.4 0.2 out
sed '1s/.*/y,t,x/' pd.csv > tx.csv
run 1 fit tx.csv --target y --basis linear+group:by=t=p -o m.bln;   err_has 'by=: no input column "t=p"'
printf 'y,x,g\n1,2,a\n2,3,a\n3,1,a\n' > one.csv
run 1 fit one.csv --target y --basis linear+group:by=g -o m.bln;   err_has 'column "g" names one group only'

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
