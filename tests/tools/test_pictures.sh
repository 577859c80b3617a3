#!/bin/sh
# test_pictures.sh - what `plot` draws beside one curve: several models, regions of two classes, and all that --show has
#
#     make build/bayeslin && sh tests/tools/test_pictures.sh [TOOL]    from the top of the project; ends with `N passed, N failed`
#
# Numbers are read off the pictures by the axes that each panel has as data-axes, and compared with those of predict and info, with
# closed forms, and with R (the call stands beside the figures).
. "${0%/*}/tool.sh"

# well_formed FILE - every tag closed in its order, nothing that is no number
well_formed() {
    yes "$1 is well formed" '
        /nan|inf[^o]/ { ok = 0 }
        { text = text $0 "\n" }
        END {
            if (gsub(/<svg/, "<svg", text) != 1) ok = 0
            while (match(text, /<[^>]*>/)) {
                tag = substr(text, RSTART + 1, RLENGTH - 2); text = substr(text, RSTART + RLENGTH)
                name = tag; sub(/^\//, "", name); sub(/[ \/].*/, "", name)
                if (tag ~ /^\//) { if (n == 0 || open[n] != name) ok = 0; n-- }
                else if (tag !~ /\/$/) open[++n] = name
                if (gsub(/"/, "\"", tag) % 2) ok = 0
            }
            if (n != 0) ok = 0
        }' "$1" > report
    if [ -s report ]; then sed -n 1p report; fi
}

# values FILE PANEL - "x y" of the points and path corners in a panel (from 0), in its order, by the axes that it says it has
values() {
    awk -v want="$2" '
        /data-axes=/ { panel++; match($0, /data-axes="[^"]*"/); split(substr($0, RSTART + 11, RLENGTH - 12), a, " ") }
        /<clipPath/ && panel == want + 1 {
            match($0, / x="[^"]*"/); x0 = substr($0, RSTART + 4); match($0, / y="[^"]*"/); y0 = substr($0, RSTART + 4)
            match($0, / width="[^"]*"/); w = substr($0, RSTART + 8); match($0, / height="[^"]*"/); h = substr($0, RSTART + 9)
            x0 += 0; y0 += 0; w += 0; h += 0
            next
        }
        function say(kind, x, y) { printf "%s %.6g %.6g\n", kind, a[1] + (x - x0)/w*(a[2] - a[1]), a[4] - (y - y0)/h*(a[4] - a[3]) }
        panel != want + 1 { next }
        /<circle/ {
            match($0, /cx="[^"]*"/); x = substr($0, RSTART + 4) + 0
            match($0, /cy="[^"]*"/); say("point", x, substr($0, RSTART + 4) + 0)
        }
        /clip-path/ && / d="M/ && !/stroke-width="0.6"/ {
            lines++; match($0, / d="[^"]*"/); n = split(substr($0, RSTART + 5, RLENGTH - 6), p, /[MLZ]/)
            for (i = 1; i <= n; i++) if (split(p[i], q, " ") == 2) say("line" lines, q[1], q[2])
        }' "$1"
}

run 0 plot --help;  for show in curve draws effects residuals coefficients evidence; do out_has "  --show $show"; done
run 0 help pictures;  out_has "words at the most frequent one";  out_has "2 nats"

# ---- several models, each with its line style ----
m="$data/mcycle.csv"
run 0 fit "$m" --target accel --basis polynomial:degree=4 -o four.bln
run 0 fit "$m" --target accel --basis rbf:n=20 -o rbf.bln
run 0 plot four.bln rbf.bln "$m" --x times -o two.svg;  err_empty;  well_formed two.svg
yes "two curves with their intervals, and 133 points" '
    /<circle/ { points++ } /stroke-width="2.5"/ { means++ } /stroke-width="0.9"/ { ends++ }
    /stroke-dasharray="8 4" d=/ { dashed++ } /four.bln: polynomial:degree=4</ { named++ }
    END { if (points != 134 || means != 2 || ends != 4 || dashed != 3 || named != 1) ok = 0 }' two.svg
# the mean of either model at the end of its curve, by predict
values two.svg 0 | awk '$1 == "line3" || $1 == "line6"' > ends
awk 'NR == 1 || NR == 400 || NR == 401' ends > three
{ echo times; awk '{ print $2 }' three; } > at.csv
run 0 predict four.bln at.csv;  cp out four.out
run 0 predict rbf.bln at.csv;  cp out rbf.out
paste -d ' ' three four.out rbf.out > /dev/null
awk 'NR > 1' four.out > a; awk 'NR > 1' rbf.out > b; paste -d, three a b | tr ',' ' ' > both
yes "curves are what predict says" '{ want = NR < 3 ? $4 : $9; if (($3 - want)^2 > 0.5^2) ok = 0 } END { if (NR != 3) ok = 0 }' both
run 0 plot rbf.bln "$m" --x times -o one.svg;  err_empty;  well_formed one.svg
run 1 plot four.bln rbf.bln "$m" --x speed -o no.svg;  err_has 'four.bln: --x: the model has no input column "speed"'
run 0 fit "$data/boston.csv" --target medv --basis linear -o boston.bln
run 1 plot rbf.bln boston.bln "$m" --x times -o no.svg;  err_has 'boston.bln: --x: the model has no input column "times"'
run 1 plot boston.bln rbf.bln "$m" --x times -o no.svg;  absent no.svg
awk -F, 'NR == 1 { print "times,force"; next } { print $1 "," $2 }' "$m" > force.csv
run 0 fit force.csv --target force --basis linear -o force.bln
run 1 plot rbf.bln force.bln "$m" --x times -o no.svg
err_has 'rbf.bln is of the target "accel", and force.bln of "force": one picture has one target'
run 2 plot rbf.bln four.bln "$m" --show effects -o no.svg;  err_has '--show effects is of one model, and there are 2 before'
run 1 plot rbf.bln missing.bln "$m" --x times -o no.svg;  err_has 'missing.bln: '
run 1 plot rbf.bln four.bln "$m" --x times -o four.bln;  err_has 'four.bln: would be written over, and holds a model'
run 2 plot rbf.bln "$m" -o no.svg;  err_has '--x is needed: the column on the horizontal axis (all columns: --show effects)'
run 2 plot rbf.bln "$m" --show nothing -o no.svg;  err_has 'curve, draws, effects, residuals, coefficients or evidence'
run 2 plot rbf.bln "$m" --show residuals --x times -o no.svg;  err_has '--show residuals has no --x'
run 2 plot rbf.bln -o no.svg;  err_has 'which DATA.csv?'
absent no.svg

# ---- draws: twenty before and after the data ----
run 0 plot rbf.bln "$m" --x times --show draws -o draws.svg;  err_empty;  well_formed draws.svg
yes "twenty functions in each panel, and the data in one" '
    /data-axes/ { panel++ } /<circle/ { points[panel]++ } /stroke-width="1" stroke-linejoin/ { curves[panel]++ }
    END { if (panel != 2 || curves[1] != 20 || curves[2] != 20 || points[1] != 0 || points[2] != 133) ok = 0 }' draws.svg
# posterior draws have mean and sd_latent of predict (20 draws: 5 standard errors); prior draws have the prior sd of a function
values draws.svg 1 | awk '$1 ~ /line/ && ++n[$1] == 51 { print $2, $3 }' > middle
{ echo times; sed -n '1s/ .*//p' middle; } > at.csv
run 0 predict rbf.bln at.csv;  sed -n 2p out | tr ',' ' ' >> middle
yes "posterior draws" 'NF == 2 { s += $2; q += $2*$2; n++ } NF == 5 { mean = $1; sd = $3 }
    END { m = s/n; v = (q - n*m*m)/(n - 1)
          if (n != 20 || (m - mean)^2 > 25*sd*sd/n || v > 3*sd*sd || v < 0.2*sd*sd) ok = 0 }' middle
run 0 info rbf.bln
prior=$(awk '/prior sd/ { on = 1; next } on { print $2; exit }' out)
values draws.svg 0 | awk -v prior="$prior" '$1 ~ /line/ && ++n[$1] % 20 == 0 { print $3, prior }' > spread
yes "prior draws" '{ s += $1; q += $1*$1; n++; p = $2 }
    END { sd = sqrt(q/n - (s/n)^2); if (n != 100 || sd > 1.6*p || sd < 0.5*p) ok = 0 }' spread
run 0 fit "$m" --target accel --basis linear --prior flat -o flat.bln
run 1 plot flat.bln "$m" --x times --show draws -o no.svg
err_has 'all priors of this model are flat, and a flat prior has no draws'
run 1 plot rbf.bln "$m" --x speed --show draws -o no.svg;  err_has '--x: the model has no input column "speed"';  absent no.svg
head -n 13 "$m" > few.csv
run 0 fit few.csv --target accel --basis linear -o few.bln
run 0 plot few.bln few.csv --x times --show draws -o few.svg;  err_empty;  well_formed few.svg

# ---- effects: a panel for each column, with the others as they typically are ----
awk 'BEGIN { print "y,x,z,colour"
    for (i = 0; i < 60; i++) { c = i % 6 < 3 ? "red" : i % 6 < 5 ? "blue" : "green"
        x = i % 10; z = (7*i) % 11
        print 3*x - z + (c == "red" ? 5 : c == "blue" ? 1 : -4) + sin(3*i) "," x "," z "," c } }' > t.csv
run 0 fit t.csv --target y --basis linear -o t.bln
run 0 plot t.bln t.csv --show effects -o effects.svg;  err_empty;  well_formed effects.svg
yes "three panels, three words" '/data-axes/ { p++ } /<circle/ { c++ } />red<|>green<|>blue</ { w++ }
    />y by each column, other columns at their mean, colour=red</ { t++ }
    END { if (p != 3 || c != 3 || w != 3 || t != 1) ok = 0 }' effects.svg
run 0 plot t.bln t.csv --x x -o at.svg
yes "a curve says at which word" '/>x   \(other columns at their mean, colour=red\)</ { n++ } END { if (n != 1) ok = 0 }' at.svg
# numbers at their mean, 4.5 and 4.95, words at the most frequent one, red
values effects.svg 0 | awk '$1 == "line2"' | sed -n '1p;101p' | awk '{ print $2 "," $3 }' > seen
{ echo x,z,colour; awk -F, 'NR > 1 { s += $3; n++ } END { z = s/n; print "0," z ",red"; print "9," z ",red" }' t.csv; } > at.csv
run 0 predict t.bln at.csv
sed 1d out | paste -d, seen - > both
yes "the effect of x is what predict says" 'BEGIN { FS = "," } ($2 - $3)^2 > 0.05^2 { ok = 0 } END { if (NR != 2) ok = 0 }' both
values effects.svg 2 | awk '$1 == "point" { print $2 "," $3 }' > seen
{ echo x,z,colour; awk -F, 'NR > 1 { s += $3; n++ }
    END { for (i = 1; i <= 3; i++) print "4.5," s/n "," (i == 1 ? "blue" : i == 2 ? "green" : "red") }' t.csv; } > at.csv
run 0 predict t.bln at.csv
sed 1d out | paste -d, seen - > both
yes "the effect of words is what predict says" 'BEGIN { FS = "," } ($2 - $3)^2 > 0.05^2 { ok = 0 } END { if (NR != 3) ok = 0 }' both
run 0 fit "$data/iris.csv" --target species --likelihood categorical --basis linear -o i.bln
run 0 plot i.bln "$data/iris.csv" --show effects -o iris.svg;  err_empty;  well_formed iris.svg
yes "a line for each class" '/data-axes/ { p++ } /stroke-width="2" stroke-linejoin/ { l++ }
    END { if (p != 4 || l != 12) ok = 0 }' iris.svg
run 0 fit "$data/ships.csv" --target incidents --trials service --basis linear --likelihood poisson -o ships.bln
run 0 plot ships.bln "$data/ships.csv" --show effects -o ships.svg;  err_empty;  well_formed ships.svg
run 0 fit "$data/sleepstudy.csv" --target reaction --basis 'linear+group:by=subject' -o sleep.bln
run 0 plot sleep.bln "$data/sleepstudy.csv" --show effects -o sleep.svg;  err_empty;  well_formed sleep.svg
yes "a point for each of 18 groups" '/<circle/ { c++ } END { if (c != 18) ok = 0 }' sleep.svg
run 1 plot t.bln "$m" --show effects -o no.svg;  err_has 'no column "x"';  absent no.svg

# ---- residuals: (y - mean)/sd of a normal model; the band by R: qbinom(c(0.005, 0.995), 60, 0.1)/6 = 0.1666667, 2.166667 ----
run 0 plot t.bln t.csv --show residuals -o res.svg;  err_empty;  well_formed res.svg
out_has " of 10 bars outside their 99 % range"
run 0 predict t.bln t.csv;  sed 1d out > p.csv
values res.svg 1 | awk '$1 == "point" { print $2 "," $3 }' > seen
sed 1d t.csv | paste -d, - p.csv seen > both
yes "residuals over fitted values" 'BEGIN { FS = "," } ($10 - $5)^2 > 0.05^2 || ($11 - ($1 - $5)/$6)^2 > 0.02^2 { ok = 0 }
    END { if (NR != 60) ok = 0 }' both
values res.svg 0 | awk '$1 ~ /^line[12]$/ && ++n[$1] == 1 { print $3 }' > band
yes "the band" 'NR == 1 && ($1 - 0.1666667)^2 > 1e-4 { ok = 0 } NR == 2 && ($1 - 2.166667)^2 > 1e-4 { ok = 0 }
    END { if (NR != 2) ok = 0 }' band
yes "ten bars, five panels" '/data-axes/ { p++ } /fill="#b9c9de"/ { b++ } END { if (b != 10 || p != 5) ok = 0 }' res.svg
# bars by the normal distribution of what predict writes
awk -F, 'function cdf(z,  t, s, k) { s = t = z; for (k = 1; k < 200; k++) { t *= z*z/(2*k + 1); s += t }
             return 0.5 + s*exp(-z*z/2)/2.506628274631 }
    { u = cdf(($1 - $5)/$6); b[int(10*u)]++ } END { for (i = 0; i < 10; i++) print b[i] + 0 }' both > want
awk '/fill="#b9c9de"/ { match($0, /height="[^"]*"/); print substr($0, RSTART + 8) + 0 }' res.svg | tr -d '"' > got
paste want got > both
yes "heights of the bars" '{ h[NR] = $2; w[NR] = $1; s += $1; t += $2 - 0.5 }
    END { for (i = 1; i <= NR; i++) if ((h[i] - 0.5 - w[i]*t/s)^2 > 0.4^2) ok = 0; if (NR != 10 || s != 60) ok = 0 }' both
run 0 plot ships.bln "$data/ships.csv" --show residuals -o s.svg;  err_empty;  well_formed s.svg;  out_has "bars outside"
run 0 plot i.bln "$data/iris.csv" --show residuals -o s.svg;  err_empty;  well_formed s.svg;  out_has "calibration      0 of 10"
run 1 plot ships.bln "$m" --show residuals -o no.svg;  err_has "no column"
# a row without trials has no share, and so no place
awk 'BEGIN { print "k,n,x"; for (i = 0; i < 40; i++) { n = i % 8; print (i*i*i + i) % (n + 1) "," n "," i } }' > zero.csv
run 0 fit zero.csv --target k --trials n --basis linear --likelihood binomial_logit -o zero.bln
for show in coefficients effects evidence; do
    run 0 plot zero.bln zero.csv --show $show -o s.svg;  err_empty;  well_formed s.svg
done
for show in residuals "draws --x x" "curve --x x"; do
    run 0 plot zero.bln zero.csv --show $show -o s.svg;  well_formed s.svg;  err_has "5 of 40 rows not drawn: no trials"
done
awk 'NR == 1 || $1 ~ /^0,0,/' zero.csv > none.csv
run 1 plot zero.bln none.csv --x x -o no.svg;  err_has "no row can be drawn: no trials in all 5 rows"
# nor has a row whose x was missing: it is filled for predictions, and no point, stroke or residual over x stands there
printf 'x,z,y\n1,1,1\n2,2,2\n,3,30\n4,4,4\n5,5,5\n30,6,6\n' > gap.csv
run 0 fit gap.csv --target y --basis linear --missing mean -o gap.bln
for show in "curve --x x" "draws --x x"; do
    run 0 plot gap.bln gap.csv --show $show -o s.svg;  well_formed s.svg
    yes "$show: five points" '/<circle/ && !/cy="46.00" r="2.6"/ { n++ } END { if (n != 5) ok = 0 }' s.svg      # and the legend
done
run 0 plot gap.bln gap.csv --x x -o s.svg;  err_has "1 of 6 rows not drawn: a missing value"
run 0 plot gap.bln gap.csv --show effects -o s.svg
yes "strokes at the rows that have x" '/stroke-width="0.6"/ { n = gsub(/v-7/, ""); m++; if (n != (m == 1 ? 5 : 6)) ok = 0 }
    END { if (m != 2) ok = 0 }' s.svg
# an offset that is added to f has its mean, which the pictures say
awk 'BEGIN { print "k,x,n"; for (i = 0; i < 40; i++) print i % 5 + 1 "," i/10 "," 1 + i % 3 }' > offset.csv
run 0 fit offset.csv --target k --basis linear:cols=x --offset n --likelihood poisson -o offset.bln
for show in effects "draws --x x" "curve --x x"; do
    run 0 plot offset.bln offset.csv --show $show -o s.svg
    if grep -q 'the offset at its mean' s.svg; then good; else bad "$show: where is the offset?"; fi
done
# dates stand on the axis, not days since the first one
for step in 1 12; do
    awk 'BEGIN { print "day,y"; for (i = 0; i < 40; i++) { m = int(i*'$step'/28)
        printf "%d-%02d-%02d,%d\n", 2023 + int((m + 10)/12), 1 + (m + 10) % 12, 1 + i*'$step' % 28, i % 7 + i/10 } }' > days.csv
    run 0 fit days.csv --target y --basis linear -o days.bln
    for show in "curve --x day" "draws --x day" effects residuals; do
        run 0 plot days.bln days.csv --show $show -o s.svg;  well_formed s.svg
        grep -o '>20[0-9-]*<' s.svg | tr -d '<>' > ticks
        yes "dates of $show" '!/^202[345]-[01][0-9](-[0-3][0-9])?$/ { ok = 0 } END { if (NR < 2) ok = 0 }' ticks
    done
    run 0 plot days.bln days.csv --x day -o s$step.svg
done
yes "a date where its day is" 'function px(day) { return 78 + 662*(day - low)/(high - low) }
    match($0, /data-axes="[^"]*/) { split(substr($0, RSTART + 11, RLENGTH - 11), v, " "); low = v[1]; high = v[2] }
    />2023-11-20</ { n++; d = $0; sub(/.*<text x="/, "", d); sub(/".*/, "", d); if ((d - px(19))^2 > 0.1) ok = 0 }
    END { if (n != 1) ok = 0 }' s1.svg
yes "months where they begin" 'function px(day) { return 78 + 662*(day - low)/(high - low) }
    match($0, /data-axes="[^"]*/) { split(substr($0, RSTART + 11, RLENGTH - 11), v, " "); low = v[1]; high = v[2] }
    />2024-03</ || />2024-07</ { n++; d = $0; sub(/.*<text x="/, "", d); sub(/".*/, "", d)
        if ((d - px(/2024-03/ ? 121 : 243))^2 > 0.1) ok = 0 } END { if (!n) ok = 0 }' s12.svg
# two words that no training row had together, and a flat prior
printf 'a,b,y\np,u,1\np,u,2\np,v,3\np,v,3.5\nq,u,4\nq,u,4.2\n' > cells.csv
printf 'a,b\nq,v\np,u\n' > both.csv
for how in '' --stream; do
    run 0 fit cells.csv --target y --basis 'linear:cols=a;b;a*b' --prior flat --plug-in -o cells$how.bln $how
    run 0 predict cells$how.bln both.csv -o p$how.csv
    err_has 'both.csv: 1 of 2 rows with words together that no training row had (a=q*b=v): with --prior flat nothing is known'
done
same p.csv p--stream.csv "flat products in blocks"
run 0 predict cells.bln cells.csv;  err_empty
# counts that vary more than a poisson are caught
awk 'BEGIN { srand(1); print "n,x"; for (i = 0; i < 300; i++) print (i*i*7 % 5 == 0 ? 12 + i % 9 : i % 3) "," i % 10 }' > over.csv
run 0 fit over.csv --target n --basis linear --likelihood poisson -o over.bln
run 0 plot over.bln over.csv --show residuals -o s.svg;  well_formed s.svg
yes "overdispersion is seen" '/^calibration/ { n++; if ($2 < 4) ok = 0 } END { if (n != 1) ok = 0 }' out
run 0 fit "$m" --target accel --basis linear --likelihood asymmetric_laplace:0.9 -o q.bln
run 1 plot q.bln "$m" --show residuals -o no.svg;  err_has 'the model is of a quantile';  absent no.svg
run 0 plot q.bln "$m" --x times -o q.svg;  well_formed q.svg
if grep -q 'new points' q.svg; then bad "a quantile has no density, and no band of it"; else good; fi
if grep -q '>0.9 quantile<' q.svg && grep -q '95 % model (0.9 quantile)' q.svg; then good; else bad "the curve is no mean"; fi
run 0 plot q.bln "$m" --show effects -o s.svg
if grep -q 'line or point: 0.9 quantile;' s.svg; then good; else bad "effects on a quantile"; fi
run 0 fit "$m" --target accel --basis linear -o mean.bln
run 1 plot q.bln mean.bln "$m" --x times -o no.svg;  err_has 'are of different quantiles, or one of a mean'

# ---- coefficients: the figures of info, the largest first ----
run 0 plot t.bln t.csv --show coefficients -o coef.svg;  err_empty;  well_formed coef.svg
run 0 info t.bln
awk '/^  (x|z|colour: .*) / { name = substr($0, 3, 24); sub(/ +$/, "", name); $0 = substr($0, 27)
    printf "%s %.4g [%.4g, %.4g]\n", name, $1, $3, $4 }' out | sort > want
awk '/text-anchor="end">[xzc]/ { match($0, />[^<>]*<\/text>$/); name[++n] = substr($0, RSTART + 1, RLENGTH - 8) }
    /text-anchor="start">/ { match($0, />[^<>]*<\/text>$/); t = substr($0, RSTART + 1, RLENGTH - 8)
        gsub(/  +/, " ", t); print name[++k], t }' \
    coef.svg | sort > got
same want got "coefficients and info"
values coef.svg 0 | awk '$1 == "point" { print $3, $2 }' > size
yes "the largest on top" 'NR > 1 && ($2*$2 < last*last - 1e-6 || $1 <= above) { ok = 0 } { last = $2; above = $1 }
    END { if (NR != 4) ok = 0 }' size
# ... by the same unit when the column has a long name
sed '1s/,x,/,x_of_which_the_name_is_longer_than_names_in_messages_may_be,/' t.csv > named.csv
run 0 fit named.csv --target y --basis linear -o named.bln
run 0 plot named.bln named.csv --show coefficients -o named.svg;  err_empty;  well_formed named.svg
values named.svg 0 | awk '$1 == "point" { print $3, $2 }' | paste -d' ' size - > both
yes "the unit of a long name" '{ if (($2 - $4)^2 > 0.05^2) ok = 0 } END { if (NR != 4) ok = 0 }' both
# x by its standard deviation in the table (divided by n), 2.872281
near_x=$(awk '$1 == "x" { print $2*2.872281 }' want)
yes "x by one standard deviation" "{ if ((\$2 - $near_x)^2 < 0.05^2) n++ } END { if (n != 1) ok = 0 }" size
run 0 fit "$m" --target accel --basis rbf:n=30 -o many.bln
run 1 plot many.bln "$m" --show coefficients -o no.svg
err_has "this model has none that say something of a column: its features are rbf:n=30; --show effects draws"
run 0 plot i.bln "$data/iris.csv" --show coefficients -o c.svg;  err_empty;  well_formed c.svg
yes "classes" '/virginica: petal_length/ { n++ } /<circle/ { c++ } END { if (n != 1 || c != 12) ok = 0 }' c.svg
# Names at the left have room: 0.55 of 13 pixels for each character; of long ones the middle is left out
awk 'BEGIN { print "y,colour of the very long hair,x"; for (i = 0; i < 30; i++)
    print i*i % 11 "," (i % 2 ? "brown and grey" : "a word that is longer than any other word, \303\251") "," i }' > long.csv
sed 's/,a word\(.*\),\([0-9]*\)$/,"a word\1",\2/' long.csv > long2.csv
run 0 fit long2.csv --target y --basis linear -o long.bln;  run 0 plot long.bln long2.csv --show coefficients -o long.svg
err_empty;  well_formed long.svg
yes "long names of coefficients" 'match($0, /<text x="[0-9]*" y="[0-9.]*" text-anchor="end">/) {
        split(substr($0, RSTART), v, /"/); name = $0; sub(/<\/text>.*/, "", name); sub(/.*>/, "", name); n++
        cut += name ~ /^colour of the very lon[.][.][.].*any other word, \303\251$/
        if (length(name) > 50 || 0.55*13*length(name) > v[2]) ok = 0 } END { if (n != 2 || cut != 1) ok = 0 }' long.svg

# ---- evidence: the mark is what info prints ----
run 0 info rbf.bln
evidence=$(awk '/^log evidence/ { print $3 }' out); length=$(awk '/length scale/ { print $3 }' out)
run 0 plot rbf.bln "$m" --show evidence -o ev.svg;  err_empty;  well_formed ev.svg
out_has "length scale";  out_has "prior sd of rbf";  out_has "noise sd"
yes "three panels" '/data-axes/ { p++ } /<circle/ { c++ } END { if (p != 3 || c != 3) ok = 0 }' ev.svg
values ev.svg 0 | awk '$1 == "point" { print 10^$2, $3 }' > mark
yes "the mark is the fit" "{ if ((\$1/$length - 1)^2 > 0.01^2 || (\$2 - $evidence)^2 > 0.1^2) ok = 0 }
    END { if (NR != 1) ok = 0 }" mark
run 0 plot rbf.bln "$m" --show evidence --x length -o ev1.svg;  err_empty;  well_formed ev1.svg
yes "the table has the fit" \
    "/learnt\$/ && NF == 3 && \$1 != \"hyper-parameter\" { n++; if ((\$2 - $evidence)^2 > 1e-8*\$2*\$2) ok = 0 }
    END { if (n != 1) ok = 0 }" out
run 0 plot rbf.bln "$m" --show evidence --x noise -o ev2.svg
yes "no noise sd is better than that learnt" '
    NF == 3 && $3 == "learnt" { best = $2 } NF >= 2 && $2 ~ /^-[0-9]/ { if (max == "" || $2 > max) max = $2 }
    END { if (best == "" || max > best + 1e-3) ok = 0 }' out
run 1 plot rbf.bln "$m" --show evidence --x speed -o no.svg
err_has 'the model has no hyper-parameter "speed"; there are "length scale", "prior sd of rbf", "noise sd", and degree'
sed 5d "$m" > less.csv
run 1 plot rbf.bln less.csv --show evidence -o no.svg
err_has '--show evidence needs the table of the fit: the log evidence of these rows'
absent no.svg
run 0 plot four.bln "$m" --show evidence --x degree -o degree.svg;  err_empty;  well_formed degree.svg
run 0 info four.bln;  evidence=$(awk '/^log evidence/ { print $3 }' out)
run 0 plot four.bln "$m" --show evidence --x degree -o degree.svg
yes "degree 4 is the model, of seven" "/the model's/ { n++; if (\$1 != 4 || (\$2 - $evidence)^2 > 1e-6) ok = 0 }
    END { if (n != 1 || NR != 8) ok = 0 }" out
run 0 fit "$m" --target accel --basis linear -o line.bln
run 0 plot line.bln "$m" --show evidence --x degree -o d2.svg;  err_empty
yes "linear is degree 1, and degree 4 as before" "
    \$1 == 1 && !/the model's/ { ok = 0 } \$1 == 4 { n++; if ((\$2 - $evidence)^2 > 1e-6) ok = 0 }
    END { if (n != 1) ok = 0 }" out
run 1 plot rbf.bln "$m" --show evidence --x degree -o no.svg
err_has 'rbf:n=20 has no term linear, polynomial or legendre, and so no degree'
run 1 plot ships.bln "$data/ships.csv" --show evidence --x degree -o no.svg
err_has '--x degree is for linear models of one target'
run 0 plot ships.bln "$data/ships.csv" --show evidence -o s.svg;  well_formed s.svg;  out_has "prior sd of linear"
run 1 plot few.bln few.csv --show evidence -o no.svg;  err_has 'this model averages over its noise and prior variances'
run 0 plot few.bln few.csv --show evidence --x degree -o d3.svg;  err_empty;  well_formed d3.svg
absent no.svg

# ---- regions of two classes, with the border where they are equally probable ----
awk 'BEGIN { print "y,a,b"; for (i = 0; i < 200; i++) { a = i % 14; b = (i*5) % 17
    print (a + b + 3*sin(i) > 14 ? "yes" : "no") "," a "," b } }' > yes.csv
run 0 fit yes.csv --target y --basis linear --likelihood binomial_logit -o yes.bln
run 0 plot yes.bln yes.csv --x a --y b -o yes.svg;  err_empty;  well_formed yes.svg
yes "regions, three lines, two shapes" '
    /crispEdges/ { r++ } /stroke-width="1.4"/ { l++ } /<circle/ { c++ } /width="5" height="5"/ { s++ }
    END { if (r != 1 || l != 3 || c + s < 202 || c < 50 || s < 50) ok = 0 }' yes.svg
values yes.svg 0 | awk '$1 == "line1" { print $2 "," $3 }' | sed -n '1p;20p;40p' > border
{ echo a,b; cat border; } > at.csv
run 0 predict yes.bln at.csv
yes "the border has 50 %" 'BEGIN { FS = "," } NR > 1 { n++; if (($1 - 0.5)^2 > 0.02^2) ok = 0 } END { if (n < 2) ok = 0 }' out
run 1 plot yes.bln yes.csv --x a --y c -o no.svg;  err_has '--y: the model has no input column "c"';  absent no.svg
run 0 plot yes.bln yes.csv --x a -o curve.svg;  err_empty;  well_formed curve.svg

# ---- names in other codes, and long ones; powers; models that count dates from different days ----
printf 'zone,x,y\nZ\374rich,1,2\nBern,2,3\nZ\374rich,3,5\nBern,4,5\nBern,3,4.2\nZ\374rich,2,3.5\n' > latin.csv
run 0 fit latin.csv --target y --basis linear --plug-in -o l.bln
run 0 plot l.bln latin.csv --show effects -o l.svg
yes "no byte that is no character" '/\374/ { ok = 0 } /\357\277\275/ { n++ } END { if (!n) ok = 0 }' l.svg
awk 'BEGIN { print "x,z,y"
    for (i = 1; i <= 40; i++) { x = i/10; print x "," i % 7 "," 1 + x + 0.5*x*x + (i*7 % 5)/50 } }' > power.csv
run 0 fit power.csv --formula 'y ~ x + I(x^2)' --prior flat -o p.bln;  run 0 plot p.bln power.csv --show coefficients -o p.svg
values p.svg 0 | awk '$1 == "point" { print $2 }' | sort -n > size
# x has the standard deviation sqrt((40^2 - 1)/12)/10 = 1.154, its square stands for 1.3325
run 0 info p.bln
yes "a power by that of its column" 'FILENAME == "out" { if ($1 == "x") a = $2*1.15434; if ($1 == "x^2") b = $2*1.3325; next }
    { n += ($1 - a)^2 < 0.01^2 || ($1 - b)^2 < 0.01^2 } END { if (n != 2) ok = 0 }' out size
awk 'BEGIN { print "d,y"
    for (i = 1; i <= 40; i++) printf "2024-%02d-%02d,%g\n", 1 + int((i - 1)/20), 1 + (i - 1) % 20, i + i % 3 }' > a.csv
{ head -n 1 a.csv; tail -n 20 a.csv; } > b.csv
for k in a b; do run 0 fit $k.csv --target y --basis linear --plug-in -o $k.bln; done
run 1 plot a.bln b.bln a.csv --x d -o ab.svg;  err_has 'as days since different dates';  absent ab.svg

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
