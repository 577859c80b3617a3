#!/bin/sh
# test_formula.sh - words, products, formulas: coefficients against R's, mistakes with their place
#
#     make build/bayeslin && sh tests/tools/test_formula.sh [TOOL]    from the top of the project; ends with `N passed, N failed`
#
# Tables and figures are those of R 4.2.2: lm and glm with control = list(epsilon = 1e-14), words in the order of their bytes
# (read.csv with stringsAsFactors of what write.csv has written).
. "${0%/*}/tool.sh"

# figure NAME MEAN SD [TOLERANCE] - of the last info: the row of that name has these, relatively to 1e-6
figure() {
    yes "$said: \"$1\" is not $2, $3" '
        index($0, "  '"$1"' ") == 1 { split(substr($0, length("'"$1"'") + 4), v, " "); n++
            if (!(n == 1 && near(v[1], '"$2"') && near(v[2], '"$3"'))) ok = 0 }
        function near(a, b) { a -= b; return a*a <= ('"${4:-1e-6}"'*b)^2 }
        END { if (n != 1) ok = 0 }' out
}
# fit with flat priors, then info
least() { run 0 fit "$@" --prior flat -o m.bln; run 0 info m.bln; }

# ---- tables ----
# warpbreaks: wool and tension change slowest to quickest as in R
echo '26 30 54 25 70 52 51 26 67 18 21 29 17 12 18 35 30 36 36 21 24 18 10 43 28 15 26
27 14 29 19 29 31 41 20 44 42 26 19 16 39 28 21 39 29 20 21 24 17 13 15 15 16 28' | tr ' ' '\n' |
    awk 'BEGIN { print "breaks,wool,tension" }
         { i = NR - 1; print $1 "," (i < 27 ? "A" : "B") "," substr("LMH", int(i/9) % 3 + 1, 1) }' > warpbreaks.csv
# as.data.frame(Titanic)
echo '0 0 35 0 0 0 17 0 118 154 387 670 4 13 89 3 5 11 13 0 1 13 14 0 57 14 75 192 140 80 76 20' | tr ' ' '\n' |
    awk 'BEGIN { print "Class,Sex,Age,Survived,Freq"; split("1st 2nd 3rd Crew", class, " ") }
         { i = NR - 1; print class[i % 4 + 1] "," (int(i/4) % 2 ? "Female" : "Male") "," (int(i/8) % 2 ? "Adult" : "Child") "," \
                       (i < 16 ? "No" : "Yes") "," $1 }' > titanic.csv
# ToothGrowth
echo '4.2 11.5 7.3 5.8 6.4 10 11.2 11.2 5.2 7 16.5 16.5 15.2 17.3 22.5 17.3 13.6 14.5 18.8 15.5 23.6 18.5 33.9 25.5 26.4
32.5 26.7 21.5 23.3 29.5 15.2 21.5 17.6 9.7 14.5 10 8.2 9.4 16.5 9.7 19.7 23.3 23.6 26.4 20 25.2 25.8 21.2 14.5 27.3
25.5 26.4 22.4 24.5 24.8 30.9 26.4 27.3 29.4 23' | tr ' ' '\n' |
    awk 'BEGIN { print "len,supp,dose"; split("0.5 1 2", dose, " ") }
         { i = NR - 1; print $1 "," (i < 30 ? "VC" : "OJ") "," dose[int(i/10) % 3 + 1] }' > tooth.csv
# esoph, summed over tobgp
echo '25-34,0-39g/day,0,61 35-44,0-39g/day,1,88 45-54,0-39g/day,1,77 55-64,0-39g/day,12,77 65-74,0-39g/day,11,60 75+,0-39g/day,4,23
25-34,120+,1,4 35-44,120+,4,6 45-54,120+,13,2 55-64,120+,18,8 65-74,120+,6,2 75+,120+,3,0 25-34,40-79,0,45 35-44,40-79,4,76
45-54,40-79,20,61 55-64,40-79,22,62 65-74,40-79,25,28 75+,40-79,4,8 25-34,80-119,0,5 35-44,80-119,0,20 45-54,80-119,12,27
55-64,80-119,24,19 65-74,80-119,13,16 75+,80-119,2,0' | tr ' ' '\n' |
    awk 'BEGIN { print "agegp,alcgp,ncases,ncontrols" } 1' > esoph.csv
# mtcars
echo '21,6,110,2.62 21,6,110,2.875 22.8,4,93,2.32 21.4,6,110,3.215 18.7,8,175,3.44 18.1,6,105,3.46 14.3,8,245,3.57 24.4,4,62,3.19
22.8,4,95,3.15 19.2,6,123,3.44 17.8,6,123,3.44 16.4,8,180,4.07 17.3,8,180,3.73 15.2,8,180,3.78 10.4,8,205,5.25 10.4,8,215,5.424
14.7,8,230,5.345 32.4,4,66,2.2 30.4,4,52,1.615 33.9,4,65,1.835 21.5,4,97,2.465 15.5,8,150,3.52 15.2,8,150,3.435 13.3,8,245,3.84
19.2,8,175,3.845 27.3,4,66,1.935 26,4,91,2.14 30.4,4,113,1.513 15.8,8,264,3.17 19.7,6,175,2.77 15,8,335,3.57 21.4,4,109,2.78' |
    tr ' ' '\n' | awk 'BEGIN { print "mpg,cyl,hp,wt" } 1' > mtcars.csv

# ---- R's figures ----
least warpbreaks.csv --formula 'breaks ~ wool*tension' --likelihood poisson; cp m.bln warp.bln
figure "(intercept)" 3.20093812 0.0672672794
figure "wool: B - A" -0.268263987 0.102186333
figure "tension: L - H" 0.595798726 0.0837773983
figure "tension: M - H" -0.0228842938 0.0956792376
figure "(wool: B - A) * (tension: L - H)" -0.188363174 0.12989542
figure "(wool: B - A) * (tension: M - H)" 0.449813641 0.137596076
out_has "words are compared with wool=A, tension=H: the intercept is f there"
cp out formula.info
set -- --basis 'linear:cols=wool;tension+linear:ones=0,cols=wool*tension'
least warpbreaks.csv --target breaks "$@" --likelihood poisson
said="the SPEC of a formula"; same out formula.info "--formula and what it stands for"
least titanic.csv --formula 'Survived ~ Class + Sex*Age' --likelihood bernoulli --weights Freq
figure "(intercept)" 2.18161861 0.176124476
figure "Class: 2nd - 1st" -1.03378595 0.199815332
figure "Class: 3rd - 1st" -1.8104993 0.175941601
figure "Class: Crew - 1st" -0.803324643 0.159808823
figure "Sex: Male - Female" -2.61719001 0.151021619
figure "Age: Child - Adult" -0.109997927 0.335319021
figure "(Sex: Male - Female) * (Age: Child - Adult)" 1.90210372 0.433092521
# a frequency table scores like the table of its 2201 people
run 0 score m.bln titanic.csv; out_has "n 2201"; err_empty; awk '{ print $1, sprintf("%.6g", $2) }' out > counted
awk -F, 'NR == 1 { for (k = 1; k <= NF; k++) if ($k == "Freq") at = k; print; next }
    { n = $at; $at = 1; for (k = 0; k < n; k++) print }' OFS=, titanic.csv > people.csv
run 0 score m.bln people.csv; awk '{ print $1, sprintf("%.6g", $2) }' out > people; same counted people "a frequency table"
yes "more than chance" '/^error_rate/ { n++; if (!($2 < 0.3)) ok = 0 } END { if (n != 1) ok = 0 }' out
run 0 fit titanic.csv --target Survived --basis linear --likelihood bernoulli --weights Freq --prior flat -o m.bln
out_has "left out         Class=1st, Sex=Female, Age=Adult: what the other words are compared with"; err_empty
least tooth.csv --formula 'len ~ supp*log(dose)'
figure "(intercept)" 20.6633333 0.679148115;                 figure "supp: VC - OJ" -3.7 0.960460476
figure "log(dose)" 9.25488869 1.20000946;                    figure "(supp: VC - OJ) * log(dose)" 3.84478228 1.69706965
least esoph.csv --formula 'cbind(ncases, ncontrols) ~ agegp + alcgp' --likelihood binomial
figure "(intercept)" -6.14719136 1.04188175;                 figure "agegp: 35-44 - 25-34" 1.63112148 1.08001739
figure "agegp: 45-54 - 25-34" 3.42584428 1.03894158;         figure "agegp: 55-64 - 25-34" 3.94345645 1.03462674
figure "agegp: 65-74 - 25-34" 4.35677657 1.0413403;          figure "agegp: 75+ - 25-34" 4.42422893 1.09140426
figure "alcgp: 120+ - 0-39g/day" 3.68001239 0.376337225;     figure "alcgp: 40-79 - 0-39g/day" 1.43430974 0.244785777
figure "alcgp: 80-119 - 0-39g/day" 2.00711037 0.277615318
out_has "trials           ncases+ncontrols"
run 0 predict m.bln esoph.csv -o p.csv
printf 'x,a,b\n1,1,9\n2,4,6\n3,5,5\n4,9,1\n' > dose.csv
run 2 fit dose.csv --formula 'cbind(a, b) ~ x' --likelihood poisson -o no.bln; err_has 'for --likelihood binomial'
run 0 fit dose.csv --formula 'cbind(a, b) ~ x' --likelihood binomial -o m.bln; run 0 plot m.bln dose.csv --x x -o d.svg
least mtcars.csv --formula 'mpg ~ factor(cyl)*wt + hp + I(hp^2)'
figure "(intercept)" 45.31545 3.80284887;                    figure "cyl: 6 - 4" -4.96394958 8.83856693
figure "cyl: 8 - 4" -10.7556015 4.7708282;                   figure wt -5.20949792 1.25086107
figure hp -0.0970802546 0.0429106619;                        figure "hp^2" 0.000176837548 9.80880989e-05
figure "(cyl: 6 - 4) * wt" 1.52961515 2.88237261;            figure "(cyl: 8 - 4) * wt" 3.38006995 1.48231118
# without an intercept; a product without one of its factors; an offset; powers; a cell without rows, where R has NA
least tooth.csv --formula 'len ~ 0 + supp + factor(dose)'
figure "supp=OJ" 12.455 0.98827953;                          figure "supp=VC" 8.755 0.98827953
figure "dose: 1 - 0.5" 9.13 1.21039029;                      figure "dose: 2 - 0.5" 15.495 1.21039029
least tooth.csv --formula 'len ~ supp + supp:dose'
figure "supp: VC - OJ" -8.255 2.23642923
figure "supp=OJ * dose" 7.81142857 1.19542171;               figure "supp=VC * dose" 11.7157143 1.19542171
least tooth.csv --formula 'len ~ supp + offset(log(dose))'
figure "(intercept)" 20.6633333 1.27677414;                  figure "supp: VC - OJ" -3.7 1.8056313
out_has "offset           log(dose)"
least tooth.csv --formula 'len ~ supp + poly(dose, 2)'
figure "(intercept)" -0.64 2.90941616;                       figure "supp: VC - OJ" -3.7 0.98827953
figure dose 30.155 5.5467051;                                figure "dose^2" -7.93 2.13492779
awk -F, 'NR == 1 || $2 != "VC" || $3 != "2"' tooth.csv > empty.csv
run 0 fit empty.csv --formula 'len ~ supp*factor(dose)' --prior flat -o m.bln; err_has '"supp=VC*dose=2" is 0 in all 50 rows'
run 0 info m.bln
figure "(intercept)" 13.23 1.05928907;                       figure "supp: VC - OJ" -5.25 1.49806097
figure "dose: 2 - 0.5" 12.83 1.49806097;                     figure "(supp: VC - OJ) * (dose: 1 - 0.5)" -0.68 2.11857814
run 0 fit tooth.csv --formula 'len ~ supp:factor(dose)' --prior flat -o m.bln
err_has '"supp=VC*dose=2" is a combination of the features before it, and is left out'

# ---- another reference, contrasts, covariance ----
run 0 info warp.bln --reference tension=M
figure "(intercept)" 3.1780538303 0.0680413817;              figure "wool: B - A" 0.181549654 0.0921446335
figure "tension: H - M" 0.0228842938 0.0956792376;           figure "(wool: B - A) * (tension: H - M)" -0.449813641 0.137596076
run 0 info warp.bln --contrast 'tension=H-M,wool=A-B'
figure "tension: H - M" 0.0228842938 0.0956792376;           figure "wool: A - B" 0.268263987 0.102186333
# Counts of the cells A,H and so on: 221, 401, 216; log means and their variances 1/count.
run 0 info warp.bln --contrast tension=mean
figure "tension: L - mean" "(2*log(401) - log(221) - log(216))/3" "sqrt(4/401 + 1/221 + 1/216)/3"
figure "tension: M - mean" "(2*log(216) - log(221) - log(401))/3" "sqrt(4/216 + 1/221 + 1/401)/3"
run 0 info warp.bln --covariance
yes "covariance: of the intercept and a difference" '
    BEGIN { FS = "," } NR == 1 && $0 !~ /^name,"\(intercept\)","wool: B - A","tension: L - H",/ { ok = 0 }
    NR == 3 && !($1 == "\"wool: B - A\"" && ($2 + 1/221)^2 < 1e-20 && ($4 - 1/221)^2 < 1e-20) { ok = 0 }
    END { if (NR != 7) ok = 0 }' out
run 2 info warp.bln --reference tension=X;                   err_has 'column "tension" has no word "X": its first is "H"'
run 0 info warp.bln --reference tension=M,wool=B;            out_has 'words are compared with wool=B, tension=M'
run 2 info warp.bln --reference wool=B,tension=X;            err_has 'column "tension" has no word "X"'
run 2 info warp.bln --reference X;                           err_has '--reference wants COLUMN=WORD of a column of words, not "X"'
run 2 info warp.bln --contrast tension=H-X;                  err_has '"H-X" is no difference of words of column "tension"'
run 2 info warp.bln --contrast X=a-b;                        err_has '--contrast wants COLUMN=WORD-WORD'

# ---- a learnt prior: all words alike, and their differences ----
# The indicators' weights have prior sd 1/s each, and the data know their sum with the constant alone: 3 words, 30 rows.
awk 'BEGIN { print "zone,c,y"; for (i = 0; i < 60; i++)
    print substr("abc", i % 3 + 1, 1) ",7," (i % 3 == 0 ? 1 : i % 3 == 1 ? 2 : 4) + 0.1*((i*7) % 11 - 5) }' > zone.csv
run 0 fit zone.csv --target y --basis linear -o zone.bln;    err_has '"c" is 7 in all 60 rows'; out_has "features         4"
run 0 info zone.bln
yes "differences as narrow as 20 rows of each make them" '
    $1 == "noise" && $2 == "sd" { noise = $3 }
    /^  zone: b - a / || /^  zone: c - a / { n++; sd = $6; if (!(sd < 1.02*noise*sqrt(2/20) && sd > 0.95*noise*sqrt(2/20))) ok = 0 }
    /^  \(intercept\) / { n++; if (!($3 < 1.02*noise*sqrt(1/20))) ok = 0 }
    END { if (n != 3) ok = 0 }' out
run 0 info zone.bln --reference zone=b --contrast zone=c-a;  cp out b.info
run 0 info zone.bln
yes "c - a is c - b less a - b, with any reference" '
    /^  zone: / { v[FILENAME $2 $4] = $5; s[FILENAME $2 $4] = $6 }
    END { if ((v["outca"] - v["b.infoca"])^2 > 1e-7 || (v["b.infocb"] - v["b.infoab"] - v["outca"])^2 > 1e-7) ok = 0
          if ((s["outca"] - s["b.infoca"])^2 > 1e-9 || !(s["outca"] > 0)) ok = 0 }' out b.info
for how in "--integrate" "--likelihood student_t --inference nuts" "--likelihood gaussian --inference full"; do
    # shellcheck disable=SC2086
    run 0 fit zone.csv --target y --basis linear $how -o m.bln; run 0 info m.bln
    yes "$how: differences" '
        /^  zone: b - a / { n++; if (($5 - 1)^2 > 0.04 || !($6 > 0.05 && $6 < 0.15 && $7 < $5 && $5 < $8)) ok = 0 }
        END { if (n != 1) ok = 0 }' out
done
# Powers of standardised inputs come back in the units of the data: nearly no noise.
awk 'BEGIN { print "x,z,y"; for (i = 0; i < 80; i++) { x = 100 + i % 9; z = (i*5) % 7
    print x "," z "," 3 + 2*x - 0.5*x*x + 0.25*x*z + 0.001*(i % 2 ? 1 : -1) } }' > power.csv
run 0 fit power.csv --target y --basis polynomial:degree=2,interactions -o m.bln; run 0 info m.bln
yes "coefficients of x, x^2 and x z" '
    /^  \(intercept\) / { n++; if (($2 - 3)^2 > 3^2*$3^2) ok = 0 }
    /^  x +[-0-9]/ { n++; if (($2 - 2)^2 > 3^2*$3^2 || $3 > 0.02) ok = 0 }
    /^  x\^2 / { n++; if (($2 + 0.5)^2 > 1e-8) ok = 0 }               /^  x \* z / { n++; if (($4 - 0.25)^2 > 1e-8) ok = 0 }
    END { if (n != 4) ok = 0 }' out

# ---- columns that are made: also where a model is used ----
printf 't,y\n1,2\n2,3\n4,4\n8,5\n16,6\n32,7\n64,8\n128,9.1\n' > log.csv
run 0 fit log.csv --formula 'y ~ log(t)' -o log.bln;         run 0 plot log.bln log.csv --x t -o l.svg
run 0 predict log.bln log.csv
yes "predict: log(t)" 'BEGIN { FS = "," } NR > 1 && ($1 - NR)^2 > 0.01 { ok = 0 }' out
printf 't\n5\n0\n' > zero.csv
run 1 predict log.bln zero.csv
err_has 'zero.csv:3:1: column "t": "0" has no logarithm, which needs a number above 0 (log(t) of the basis)'
printf 't,y\n1,2\n-4,3\n' > minus.csv
run 1 fit minus.csv --target y --basis 'linear:cols=sqrt(t)' -o none.bln
err_has 'minus.csv:3:1: column "t": "-4" has no square root'
run 1 fit minus.csv --formula 'y ~ 1 + offset(log(t))' -o none.bln;         err_has 'column "t": "-4" has no logarithm'
run 1 fit zone.csv --target y --basis 'linear:cols=log(zone)' -o none.bln;  err_has 'column "zone" holds words, which have no log'
run 1 fit zone.csv --target y --basis 'linear:cols=zone*q' -o none.bln;     err_has 'no input column "q"'
run 0 cv tooth.csv --formula 'len ~ supp*dose' --folds 3;    err_has "the formula is --target len --basis 'linear:cols=supp;dose+"
run 0 fit tooth.csv --formula 'len ~ supp*dose' --stream -o s.bln;          run 0 predict s.bln tooth.csv -o s.p
run 0 fit tooth.csv --formula 'len ~ supp*dose' -o m.bln;    run 0 predict m.bln tooth.csv -o m.p
said="products in a stream"; yes "$said" 'BEGIN { FS = "," } FNR == 1 { f++ } f == 1 { a[FNR] = $1 }
    f == 2 && FNR > 1 && (a[FNR] - $1)^2 > 1e-8 { ok = 0 }' s.p m.p
run 0 fit tooth.csv --formula 'len ~ gp(dose) + (1 | supp)' -o m.bln;       out_has "--basis bias+gp:cols=dose+group:by=supp"
run 0 fit tooth.csv --formula 'len ~ . - supp' -o m.bln;     out_has "--ignore supp --target len --basis linear"
run 0 fit tooth.csv --formula 'cbind(len, dose) ~ supp' -o m.bln;           out_has "--outputs len,dose --basis linear:cols=supp"
awk -F, '{ print $0 "," (NR == 1 ? "free text" : NR == 9 ? "" : "row " NR) }' tooth.csv > more.csv
run 0 fit more.csv --formula 'len ~ supp' -o m.bln;          err_empty

# ---- sums in parentheses stand for the sums that they make, as in R; - takes all their terms away ----
means() {      # FORMULA WHAT-IT-IS-WRITTEN-OUT
    run 0 fit mtcars.csv --formula "mpg ~ $1" --prior flat -o m.bln; grep '^formula' out > is
    run 0 fit mtcars.csv --formula "mpg ~ $2" --prior flat -o m.bln; grep '^formula' out > written
    same is written "$1 is $2"
}
means '(cyl + hp)^2' 'cyl + hp + cyl:hp';  means '(cyl + hp + wt)^2' 'cyl + hp + wt + cyl:hp + cyl:wt + hp:wt'
means '(cyl + hp + wt)^3' 'cyl*hp*wt';                 means 'cyl*(hp + wt)' 'cyl + hp + wt + cyl:hp + cyl:wt'
means '(hp + wt)*cyl' 'hp + wt + cyl + hp:cyl + wt:cyl';  means 'cyl:(hp + wt) + hp' 'cyl:hp + cyl:wt + hp'
means 'factor(cyl)/wt' 'factor(cyl) + factor(cyl):wt'; means '(cyl + hp)/wt' 'cyl + hp + cyl:hp:wt'
means 'cyl/hp/wt' 'cyl + cyl:hp + cyl:hp:wt';          means '(cyl + hp)' 'cyl + hp';  means '((cyl))*log(hp)' 'cyl*log(hp)'
means '(cyl + hp + wt)^2 - hp:wt' 'cyl + hp + wt + cyl:hp + cyl:wt'
means 'cyl*hp*wt - (cyl + hp)^2' 'wt + cyl:wt + hp:wt + cyl:hp:wt'
run 0 fit mtcars.csv --formula 'mpg ~ hp + (wt + (1 | cyl))' -o m.bln; out_has "group:by=cyl"

# ---- mistakes, with a mark below their place ----
mistake() {     # FORMULA MESSAGE COLUMN
    run "${4:-2}" fit tooth.csv --formula "$1" -o none.bln
    err_has "$2"
    yes "$1: the mark" '/^ *\^$/ { n++; if (index($0, "^") != '"$3"' + 4) ok = 0 } END { if (n != 1) ok = 0 }' err
    absent none.bln
}
mistake 'len ~ supp + dos' 'tooth.csv: no column "dos" (--formula)' 14 1
mistake 'len supp' '~ belongs here' 5
mistake '~ supp' 'the target is missing' 1
mistake 'log(len) ~ supp' 'the target is a column, not log( )' 1
mistake 'len ~ supp +' 'it ends too early' 13
mistake 'len ~ supp dose' '+ or - belongs between terms' 12
mistake 'log(len) ~ supp' 'write a column log_len of that into the table, and that before the ~; predictions are then of it' 1
mistake 'len/n ~ supp' 'the successes before ~, and --trials n behind the formula' 4
mistake 'len ~ supp^2' 'write powers as I(x^2); (a + b)^2 is of sums in parentheses' 11
mistake 'len ~ (supp + dose' 'a ) is missing here: (a + b)' 19
mistake 'len ~ (supp + dose)^10' 'a power is a whole number from 2 to 9' 21
mistake 'len ~ (supp + gp(dose))^2' 'of gp(x) and groups there are none' 7
mistake 'len ~ (supp + .)^2' 'products of all columns are not known: name the columns' 15
mistake 'len ~ (a + b + c + d + e + f + g)^7' 'a product has 6 factors at most' 7
mistake 'len ~ ((((((((((((((((((((((supp))))))))))))))))))))))' 'too many parentheses within each other' 27
mistake "len ~ ($(awk 'BEGIN { for (i = 1; i < 40; i++) printf "v%d + ", i; print "v40" }'))^2" 'there are 500 terms at most' 7
mistake 'len ~ (supp*dose | supp)' 'before | stand 1, 0 and columns' 7
mistake 'len ~ bs(dose)' 'write s(x)' 7
mistake 'len ~ sin(dose)' 'sin( ) is not known: there are log, sqrt, exp, factor, poly, I, gp, s and offset' 7
mistake 'len ~ log(dose + 1)' 'a column alone stands in log( )' 16
mistake 'len ~ I(dose + 1)' 'I( ) takes powers such as I(x^2)' 14
mistake 'len ~ (dose | supp)' 'write (x || g)' 13
mistake 'len ~ dose | supp' 'effects of groups stand in parentheses' 12
mistake 'len ~ (1 | supp' 'a ) is missing here: (1 | g)' 16
mistake 'len ~ supp*gp(dose)' 'of gp(x) and groups there are none' 7
mistake 'len ~ .*supp' 'products of all columns are not known: name the columns' 8
mistake 'len ~ supp - supp - 1' 'y ~ 1 is a constant' 22
mistake 'len ~ dose + factor(dose):supp' 'dose is a number in one term and names in another' 31
mistake 'len ~ supp - offset(dose)' 'an offset is added' 14
mistake 'len ~ größe)' 'this ) has no ( before it' 12;  mistake 'len ~ _a' 'no column "_a"' 7 1
mistake 'len ~ s()' 'the name of a column belongs here' 9;  mistake 'len ~ (`supp' 'the name of a column belongs' 8
mistake 'len ~ (.x + dose)' 'no column ".x"' 8 1;    mistake '+ ~ supp' 'the name of a column belongs here' 1
mistake 'len ~ 12' 'the name of a column belongs here' 7;   mistake 'len ~ .5' 'no column ".5" (--formula)' 7 1
mistake 'len ~ (a + b + c + d + e + f + g)^9' 'a product has 6 factors at most' 7
mistake 'len ~ (a:b:c + d:e:f + g + a)/dose' 'a product has 6 factors at most' 7
mistake 'len ~ factor(dose) + d' 'no column "d" (--formula)' 22 1
# what stands where a name, a number or a sign belongs
name='the name of a column belongs here'
mistake 'len ~ `supp' "$name" 7;                     mistake 'len ~ ``' "$name" 7
mistake 'len ~ I()' "$name" 9;                       mistake 'len ~ 1.5' "$name" 7
mistake 'len ~ poly()' "$name" 12;                   mistake 'len ~ gp(dose, )' "$name" 16
mistake 'len ~ offset()' "$name" 14;                 mistake 'len ~ log()' "$name" 11
mistake 'len ~ (1 | )' "$name" 12;                   mistake 'len ~ (1 + | supp)' "$name" 12
mistake 'len ~ (dose + * | supp)' "$name" 15;        mistake 'len ~ supp:' 'it ends too early' 12
mistake 'len ~ supp*:dose' "$name" 12;               mistake 'cbind( ~ supp' "$name" 8
mistake 'cbind(len, ) ~ supp' "$name" 12;            mistake 'len ~ (supp + )' "$name" 15
mistake 'len ~ log(exp(dose))' 'exp( cannot stand inside another call' 11
mistake 'len ~ `a+b`' '"a+b": names with + * , ; in them cannot stand in a basis' 7
power='a power is a whole number from 2 to 9'
mistake 'len ~ I(dose^1)' "$power" 14;               mistake 'len ~ I(dose*dose^12)' "$power" 19
mistake 'len ~ I(dose^x)' "$power" 14;               mistake 'len ~ (supp + dose)^1' "$power" 21
mistake 'len ~ (supp + dose)^x' "$power" 21;         mistake 'len ~ I(dose*' 'it ends too early' 14
mistake 'len ~ I(dose' 'I( ) takes powers such as I(x^2)' 13
degree='a degree is a whole number from 1 to 20'
mistake 'len ~ poly(dose, 0)' "$degree" 18;          mistake 'len ~ poly(dose, 21)' "$degree" 18
mistake 'len ~ poly(dose, degree = x)' "$degree" 27
mistake 'len ~ poly(dose, 2, simple)' 'poly takes a column and a degree, as poly(x, 3)' 21
mistake 'len ~ poly(dose, 2' 'a ) is missing here: poly(x, 3)' 19
mistake 'len ~ gp(dose, k = 3)' 'columns alone stand here: length scale and smoothness are learnt' 16
mistake 'len ~ gp(dose' 'a ) is missing here: gp(x)' 14
mistake 'len ~ offset(dose' 'a ) is missing here: offset(x)' 18
mistake 'len ~ offset(log(dose' 'a ) is missing here: offset(log(n))' 22
mistake 'len ~ offset(log(dose)' 'a ) is missing here: offset(x)' 23
mistake 'len ~ offset(abs(dose))' 'abs( cannot stand inside another call' 14
mistake 'len ~ offset(dose) + offset(dose)' 'there is one offset: add them up' 22
mistake 'len ~ log(dose' 'a ) is missing here: log(x)' 15
mistake 'len ~ (1 | supp:dose)' 'groups are the words of one column' 16
mistake 'len ~ (1 | supp/dose)' 'for (1 | a/b) write (1 | a) + (1 | ab)' 16
mistake 'len ~ supp:gp(dose)' 'of gp(x) and groups there are none' 12
mistake 'len ~ gp(dose):supp' 'of gp(x) and groups there are none' 7
mistake 'len ~ gp(dose)/supp' 'of gp(x) and groups there are none' 7
mistake 'len ~ supp:offset(dose)' 'of gp(x) and groups there are none' 12
mistake 'len ~ supp %in% dose' 'write a %in% b as a:b' 12
mistake 'len ~ supp ~ dose' 'there is one ~' 12;     mistake 'len ~ supp)' 'this ) has no ( before it' 11
mistake 'len ~ .:supp' 'products of all columns' 8;  mistake 'len ~ .^2' 'products of all columns' 8
mistake 'len ~ .x' 'tooth.csv: no column ".x"' 7 1;  mistake 'len ~ supp - .' 'no column "." (--formula)' 14 1
mistake 'len ~ a:b:c:d:e:f:g' 'a product has 6 factors at most' 7
mistake 'len ~ (a:b:c + d:e:f + g)/dose' 'a product has 6 factors at most' 7
mistake 'len ~ (a + (b + c*d*e*f*g*h*i))' 'a product has 6 factors at most' 17
mistake 'log() ~ supp' 'write a column log_y of that' 1
mistake 'len/(dose) ~ supp' '--trials COL behind the formula' 4
mistake 'cbind(len dose) ~ supp' 'cbind takes successes and failures' 11
mistake 'cbind(len, dose - len) ~ supp' 'a column of failures belongs here' 17
mistake 'cbind(len, dose ~ supp' 'a ) is missing here: cbind(a, b)' 17
mistake 'len' 'a ~ is missing: y ~ x' 4;             mistake "$(printf 'len ~ x\001')" '+ or - belongs between terms' 8
run 2 fit tooth.csv --formula "len ~ supp +$(printf '%490s' '')x)" -o none.bln
err_has 'this ) has no ( before it'; yes "a line too long to mark" '/\^/ { ok = 0 }' err

# ---- what it stands for: of `stats`, which is quick ----
stands() {      # FORMULA OPTIONS
    run 0 stats tooth.csv --formula "$1" -o s.bls
    yes "$1 is $2" 'index($0, "note: the formula is ") { n++; if (substr($0, index($0, " is ") + 4) != "'"$2"'") ok = 0 }
        END { if (n != 1) ok = 0 }' err
}
stands 'len ~ supp + supp + supp:supp + (supp)' '--target len --basis linear:cols=supp'
stands 'len~`supp`*dose+dose:supp' "--target len --basis 'linear:cols=supp;dose+linear:ones=0,cols=supp*dose'"
stands 'len ~ . + dose + log(dose)' "--target len --basis 'linear+linear:ones=0,cols=log(dose)'"
stands 'len ~ 0 + .' '--no-scale --target len --basis linear:ones=0'
stands 'len ~ -1 + supp:dose' "--no-scale --target len --basis 'linear:ones=0,cols=supp*dose'"
stands 'len ~ dose - 0 - poly(dose)' '--target len --basis linear:cols=dose';  stands 'len ~ 1' '--target len --basis bias'
stands 'len ~ 0 + poly( dose , degree = 2 )' '--no-scale --target len --basis polynomial:degree=2,ones=0,cols=dose'
stands 'len ~ poly(dose, 12, raw = TRUE) - supp' '--target len --basis bias+polynomial:degree=12,ones=0,cols=dose'
stands 'len ~ supp + offset( sqrt (dose))' "--target len --offset 'sqrt(dose)' --basis linear:cols=supp"
stands 'len ~ offset(exp(dose)) + supp' "--target len --offset 'exp(dose)' --basis linear:cols=supp"
stands "$(printf 'len ~ . -\t`dose`\t- supp:dose')" '--ignore dose --target len --basis linear'
stands 'len ~ . - dose - dose:supp - (supp + dose) - factor(supp)' '--ignore dose --target len --basis linear'
stands 'len ~ as.factor(dose)' "--target len --basis 'linear:cols=factor(dose)'"
stands 'len ~ sqrt(dose) + exp(dose)' "--target len --basis 'linear:cols=sqrt(dose);exp(dose)'"
stands 'len ~ (`supp` + dose)' "--target len --basis 'linear:cols=supp;dose'"
stands 'len ~ . + dose:supp' "--target len --basis 'linear+linear:ones=0,cols=dose*supp'"
stands 'len ~ 0 + factor(dose):supp' "--no-scale --target len --basis 'linear:ones=0,cols=factor(dose)*supp'"
stands 'len ~ (0 + dose | supp)' '--target len --basis bias+group:by=supp,cols=dose,ones=0'
stands 'len ~ (1 + dose || supp)' '--target len --basis bias+group:by=supp,cols=dose'
err_has "(x || g): the intercepts of groups, independent of the slopes, are those at the mean of x"
run 0 stats mtcars.csv --formula 'mpg ~ (wt + hp || cyl)' --no-scale -o s.bls
err_has 'group:by=cyl,cols=wt;hp'; yes "no note of the mean" '/the mean of x/ { ok = 0 }' err
run 0 stats mtcars.csv --formula 'mpg ~ (wt || cyl) + (hp || cyl)' -o s.bls;  err_has 'are those at the mean of x'
run 0 stats tooth.csv --formula 'len ~ 0 + supp' --no-scale -o s.bls;  err_has 'is --target len --basis linear:ones=0,cols=supp'
run 0 fit dose.csv --formula 'cbind(a, b) ~ x' --likelihood bernoulli -o m.bln
run 0 fit mtcars.csv --formula 'mpg ~ 0 + gp(wt, hp)' -o m.bln;  out_has "mpg --basis 'gp:cols=wt;hp,ard'"
# ---- options that say the same ----
run 0 stats tooth.csv --formula 'len ~ supp' -o s.bls
twice() { said="$*"; run 2 "$@"; err_has "$what"; }
what='--formula says what --target would';   twice fit tooth.csv --formula 'len ~ supp' --target len -o none.bln
what='--formula says what --outputs would';  twice fit tooth.csv --formula 'len ~ supp' --outputs len -o none.bln
what='--formula says what --basis would: leave that out';  twice fit tooth.csv --formula 'len ~ supp' --basis linear -o none.bln
what='--formula says what --offset would'
twice fit tooth.csv --formula 'len ~ supp + offset(dose)' --offset dose -o none.bln
what='--formula says what --trials would'
twice fit dose.csv --formula 'cbind(a, b) ~ x' --likelihood binomial --trials x -o none.bln
what='--formula is as in the file of --like';  twice stats tooth.csv --formula 'len ~ supp' --like s.bls -o none.bls
what='--formula is as in the file of --from-stats';  twice fit --from-stats s.bls --formula 'len ~ supp' -o none.bln

# ---- x*x inside I( ) is a square; several contrasts; a reference that is not the one left out ----
least mtcars.csv --formula 'mpg ~ I(wt*wt)'
figure '(intercept)' 28.051059745378 1.2632408148915;  figure 'wt^2' -0.705827532881 0.0961630837207
least warpbreaks.csv --formula 'breaks ~ wool + wool:tension'
run 0 info m.bln --reference tension=L
figure '(intercept)' 44.555555555556 3.64676134574;  figure 'wool: B - A' -16.333333333333 5.15729935388
figure 'tension: H - L' -20 5.15729935388
least tooth.csv --formula 'len ~ factor(dose)'
run 0 info m.bln --contrast 'dose=0.5-1,dose=2-0.5'
yes "contrasts are of the table alone" 'index($0, "  dose: 0.5 - 1 ") == 1 { a = $5 } index($0, "  dose: 1 - 0.5 ") == 1 { b = $5 }
    index($0, "  dose: 2 - 0.5 ") == 1 { n++; if (n == 1) c = $5; else if ($5 != c) ok = 0 }
    END { if (n != 2 || (a + b)^2 > 1e-20 || a == 0) ok = 0 }' out
# ---- without a constant there is none, standardised or not; less a function of a column takes nothing away ----
run 0 fit mtcars.csv --formula 'mpg ~ wt - 1' -o m.bln;  out_has '--no-scale --target mpg --basis linear:ones=0,cols=wt'
run 0 info m.bln;  yes "no intercept" '/intercept/ { ok = 0 }' out
run 0 fit mtcars.csv --formula 'mpg ~ . - log(wt)' --prior flat -o m.bln;  out_has '--target mpg --basis linear'
yes "nothing is ignored" '/--ignore/ { ok = 0 }' out

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
