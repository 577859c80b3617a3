#!/bin/sh
# test_reading.sh - the tool on tables as people write them: commas, currencies, dates, gaps, names, columns that nobody needs
#
#     make build/bayeslin && sh tests/tools/test_reading.sh [TOOL]
# from the top of the project; ends with `N passed, N failed`
#
# Figures beside "R" are of R 4.2's lm on the same rows, with dates as as.numeric(date - first date). Only POSIX sh and its usual
# companions.
. tests/tools/tool.sh

# coef NAME VALUE - the coefficient of that name in the last `info`, to 9 digits
coef() { yes "$said: $1 is not $2" '
    $1 == "'"$1"'" && !n { n = 1; x = $2 - ('"$2"'); if (x < 0) x = -x; if (!(x <= 1e-9*(1 + ('"$2"')^2))) ok = 0 }
    END { if (!n) ok = 0 } ' out; }

# ---- one table with every trap ----
cat > torture.csv <<'END'
"";"id";"Tag";"Preis";"Anteil";"Menge";"Größe";"Farbe";"fest";"code";"wert";"y"
"1";"A1";"17.05.2024";"48,50 €";"5%";"1.234,5";"1,70";"rot";"7";"1";"-";"10,5"
"2";"A2";"18.05.2024";"49,25 €";"7,5%";"999";"1,81";"blau";"7";"2";"3,5";"11,25"
"3";"A3";"20.05.2024";"€ 51";"0";"12.000";"1,65";"rot";"7";"1";"4";"13"
"4";"A4";"25.05.2024";"1.050,00 €";"12%";"1.500";"1,90";"grün";"7";"3";"n/a";"14,75"
"5";"A5";"01.06.2024";"47 €";"3%";"2.345,75";"1,75";"blau";"7";"2";"6,25";"16"
"6";"A6";"02.06.2024";"45 €";"4%";"1.111";"1,77";"rot";"7";"3";"5";"15,5"
"7";"A7";"09.06.2024";"46 €";"6%";"3.000,25";"1,68";"grün";"7";"1";"4,5";"18"
"8";"A8";"01.07.2024";"50 €";"8%";"2.500";"1,83";"rot";"7";"2";"7";"20,25"
"9";"A9";"03.07.2024";"52 €";"9%";"1.750";"1,79";"blau";"7";"3";"8,5";"21"
"10";"A10";"11.07.2024";"44 €";"2%";"1.900";"1,72";"rot";"7";"1";"2";"22,5"
END
run 1 fit torture.csv --target y --basis linear -o none.bln
err_has 'torture.csv:1:3: a semicolon behind a closing quote: --sep semicolon?'
run 1 fit torture.csv --target y --basis linear --sep semicolon -o none.bln
err_has 'column 1 has no name and is left out'
err_has 'decimals with a comma: "48,50 €" (line 2, column "Preis") is read as 48.50 (--decimal point: not so)'
err_has 'column "Tag" holds dates: it is the number of days since 2024-05-17, the first of them'
err_has 'column "Preis": "48,50 €" is read as 48.50'
err_has 'column "Anteil": "5%" is read as 5 (%); tables to predict must have the % too'
err_has 'column "wert": "-" is taken for a missing value, as are all such signs: 2 cells, the first in line 2'
err_has 'column "fest" is 7 in all 10 rows: it tells nothing and is left out'
err_has 'torture.csv:2:71: column "wert": a missing value; of 10 rows 2 have one, in this or another column (lines 2, 5)'
run 1 fit torture.csv --target y --basis linear --sep semicolon --missing mean -o none.bln
err_has 'column "id" holds 10 different words in 10 rows, as "A1": a name for each row'; err_has '--ignore "id" leaves it out'
absent none.bln
# ... counted over the rows of the fit: those with gaps elsewhere do not make it less of a name
awk 'BEGIN { print "id,x,y"; for (i = 0; i < 40; i++) print "A" i "," (i % 4 ? "" : i) "," i*i % 7 }' > gaps.csv
run 1 fit gaps.csv --target y --basis linear --missing drop -o none.bln
err_has 'gaps.csv: column "id" holds 10 different words in 10 rows, as "A0": a name for each row'
run 1 fit gaps.csv --target y --basis linear --missing drop --stream -o none.bln
err_has 'gaps.csv: column "id" holds 10 different words in 10 rows, as "A0": a name for each row'
sed '1!s/,[^,]*$/,/; 2,12s/,$/,1/; 7s/,1$/,2/' gaps.csv > gaps2.csv
run 1 fit gaps2.csv --target y --basis linear --missing mean -o none.bln
err_has 'gaps2.csv: column "id" holds 11 different words in 11 rows, as "A0": a name for each row';  absent none.bln
# What no term reads is not looked at: no gap in wert, no name in id; R: lm(y ~ Tag + Preis + Anteil + Menge)
run 0 fit torture.csv --target y --basis 'linear:cols=Tag;Preis;Anteil;Menge' --prior flat --plug-in --sep semicolon -o t.bln
err_has 'no term of the basis reads id, Größe, Farbe, fest, code, wert: not looked at, nor needed to predict'
run 0 info t.bln
coef Tag 2.03724010283556e-01; coef Preis 1.93799180713467e-03; coef Anteil -7.87503413119564e-02; coef Menge 5.15471702538102e-05
coef '(intercept)' 1.19471750163121e+01; out_has 'dates of         Tag: days since 2024-05-17'; out_has 'percent          Anteil'
# The same rows written in another country; a time of day; columns in another order, and none that is not read
cat > elsewhere.csv <<'END'
Menge,Preis,Tag,Anteil
"1,234.50",$48.50,2024-05-17,5%
999,49.25,2024-05-18T12:00,7.5 %
END
run 1 predict t.bln elsewhere.csv
err_has 'elsewhere.csv:2:12: column "Preis": "$48.50" is of another currency than the rows of the fit'
sed 's/\$//' elsewhere.csv > same.csv;       run 0 predict t.bln same.csv -o same.p
run 0 predict t.bln torture.csv --sep semicolon -o torture.p
yes "a table written in another way predicts the same" 'BEGIN { FS = "," }
    FNR == 2 { x[++n] = $1 } FNR == 3 { y[++m] = $1 } END { d = x[1] - x[2]; e = y[2] - y[1] - 0.5*2.03724010283556e-01
    if (d*d > 1e-16 || e*e > 1e-16) ok = 0 }' torture.p same.p
printf 'Menge,Preis,Tag,Anteil,y,wert\n999,49,2024-05-18,5%%,"3,14",?\n' > new.csv
run 0 predict t.bln new.csv; err_empty                                              # what is not needed may be anything
sed 's/,7.5 %/,0.075/' same.csv > no.csv;    run 1 predict t.bln no.csv
err_has 'no.csv:3:28: column "Anteil": "0.075" is no percentage'
sed 's/2024-05-17/soon/' same.csv > no.csv;  run 1 predict t.bln no.csv
err_has 'column "Tag": "soon" is no date, as the rows of the fit have them'
sed 's/2024-05-17/5\/6\/2024/' same.csv > no.csv; run 1 predict t.bln no.csv
err_has '"5/6/2024" may have the day first or the month'
sed 's/2024-05-17/2024-02-30/' same.csv > no.csv; run 1 predict t.bln no.csv; err_has '"2024-02-30" is no day of the calendar'
printf 'Menge,Preis,Anteil\n1,2,3%%\n' > no.csv; run 1 predict t.bln no.csv; err_has 'no column "Tag", which the model needs'

# ---- the same in blocks, and by statistics ----
for what in "--missing mean" "--missing indicator" "--missing drop --factor code --date Tag=month,year"; do
    run 0 fit torture.csv --target y --basis linear --plug-in --sep semicolon --ignore id $what -o memory.bln; cp err memory.err
    run 0 fit torture.csv --target y --basis linear --plug-in --sep semicolon --ignore id $what -o stream.bln --stream
    sed '/has parameters/d' err > stream.err; same memory.err stream.err "notes of $what"
    case $what in *drop*) drop="--missing drop" ;; *) drop= ;; esac
    for m in memory stream; do run 0 predict $m.bln torture.csv --sep semicolon $drop -o $m.p; done
    for m in memory stream; do run 0 info $m.bln; grep -e '^missing of' -e '^words of' -e '^dates of' out > $m.how; done
    same memory.how stream.how "what is known of columns, $what"
    yes "predictions of $what in blocks" 'BEGIN { FS = "," } FNR > 1 && NR == FNR { x[FNR] = $1; n++ }
        FNR > 1 && NR > FNR { if (($1 == "NA") != (x[FNR] == "NA") || ($1 - x[FNR])^2 > 1e-6) ok = 0; n-- }
        END { if (n) ok = 0 }' memory.p stream.p
done
cols='linear:cols=Tag;Preis;Anteil;Menge'
run 0 fit torture.csv --target y --basis "$cols" --plug-in --sep semicolon -o all.bln --stream
run 0 predict all.bln torture.csv --sep semicolon -o all.p
sed 7,11d torture.csv > one.csv; sed 2,6d torture.csv > two.csv
run 0 stats torture.csv --target y --basis "$cols" --sep semicolon -o whole.stats
run 0 stats one.csv --like whole.stats --sep semicolon -o 1.stats
run 0 stats two.csv --like whole.stats --sep semicolon -o 2.stats
run 0 merge 1.stats 2.stats -o both.stats;   run 0 fit --from-stats both.stats -o both.bln
run 0 predict both.bln torture.csv --sep semicolon -o both.p
yes "parts, merged" 'BEGIN { FS = "," } FNR > 1 { x[FNR] = x[FNR] == "" ? $1 : x[FNR] - $1 }
    END { for (k in x) if (x[k]*x[k] > 1e-10) ok = 0 }' all.p both.p
run 0 stats two.csv --target y --basis "$cols" --sep semicolon --no-scale -o b.stats
run 0 stats one.csv --target y --basis "$cols" --sep semicolon --no-scale -o a.stats
run 1 merge a.stats b.stats -o none.stats;   err_has 'b.stats: its columns, their words or their roles are not those of a.stats'

# ---- missing cells: R: lm(y ~ Tag + wert), of 8 rows; with the mean in 2 of 10; and with is.na(wert) beside ----
run 0 fit torture.csv --target y --basis 'linear:cols=Tag;wert' --prior flat --sep semicolon --missing drop -o d.bln
err_has 'rows with missing values are left out: 2 of 10'
run 0 info d.bln; coef Tag 0.1856389838833645; coef wert 0.0389167601803953; coef '(intercept)' 12.2322687908198926
run 0 fit torture.csv --target y --basis 'linear:cols=Tag;wert' --prior flat --sep semicolon --missing mean -o m.bln
err_has 'rows with missing values are filled: 2 of 10'
run 0 info m.bln; coef Tag 0.1939101927928485; coef wert 0.0189427842346818; out_has 'missing of       wert: 5.09375'
basis='linear:cols=Tag;wert;wert=missing'
run 0 fit torture.csv --target y --basis "$basis" --prior flat --sep semicolon --missing indicator -o i.bln
run 0 info i.bln; coef Tag 0.1894770895413067; coef wert 0.0296481960650649; coef wert=missing -0.4650579386692368
run 0 predict i.bln torture.csv --sep semicolon -o i.p; err_has 'rows with missing values are filled: 2 of 10'
run 0 predict i.bln torture.csv --sep semicolon --missing drop -o j.p; err_has 'rows with missing values get NA: 2 of 10'
sed '2s/.*/NA,NA,NA,NA,NA/; 5s/.*/NA,NA,NA,NA,NA/' i.p > k.p; same j.p k.p "--missing drop of a model that fills"
run 1 predict d.bln torture.csv --sep semicolon; err_has 'column "wert": a missing value'
run 2 predict d.bln torture.csv --sep semicolon --missing mean; err_has '--missing mean is said to `fit`'
printf 'x,c,y\n1,a,1\n-999,b,2\n3,,3.5\n4,a,4\n5,none,5.5\n6,b,6\n' > gaps.csv
run 0 fit gaps.csv --target y --basis linear --na -999 --na none --missing mean -o g.bln; err_has 'are filled: 3 of 6'
run 0 info g.bln
out_has 'words of         c: a, b, missing'; out_has 'missing of       x: 3.8'; out_has 'missing is       -999, none'
printf 'x,c\n-999.0,none\n3.8,missing\n' > new.csv; run 0 predict g.bln new.csv
yes "filled as in the fit" 'NR > 1 { x[NR] = $0 } END { if (x[2] != x[3]) ok = 0 }' out
run 0 fit gaps.csv --target y --basis linear --missing drop -o g.bln
err_has 'column "c": "none" (1 cell) is a word like others; --na "none" makes it missing'

# ---- which decimal mark: the cells of the whole table say it ----
table() { printf "$1" > bad.csv; }
table 'a;y\n1,234;1\n2,5;2\n3;4\n';      run 0 fit bad.csv --target y --basis linear --sep semicolon -o x.bln; run 0 info x.bln
table 'a;y\n1,234;1\n2;2\n3;4\n'
run 0 fit bad.csv --target y --basis linear --sep semicolon -o x.bln; err_has '"1,234" (line 2, column "a") is read as 1.234'
table 'a;b;y\n1,234;1.5;1\n2;2;2\n3;3;4\n'; run 0 fit bad.csv --target y --basis linear --sep semicolon -o x.bln
err_has 'column "a": "1,234" is read as 1234 (--decimal comma: as decimals)'
table 'a;b;y\n1,25;1.5;1\n2;2;2\n3;3;4\n'; run 1 fit bad.csv --target y --basis linear --sep semicolon -o none.bln
err_has 'decimals with a point, as "1.5" (line 2, column "b"), and with a comma, as "1,25" (line 2, column "a"): --decimal comma'
run 1 fit bad.csv --target y --basis linear --sep semicolon --stream -o none.bln; err_has 'decimals with a point, as "1.5"'
run 1 fit bad.csv --target y --basis linear --sep semicolon --decimal comma -o none.bln
err_has 'bad.csv:2:6: column "b": "1.5" has a point'
run 1 fit bad.csv --target y --basis linear --sep semicolon --decimal point -o none.bln
err_has 'bad.csv:2:1: column "a": "1,25" has a comma'
table 'a,y\n"1,234",1\n"22,500",2\n3,4\n'; run 0 fit bad.csv --target y --basis linear -o x.bln; err_has '"1,234" is read as 1234'
table 'a,y\n"1,5",1\n"2,5",2\n3,4\n';    run 0 fit bad.csv --target y --basis linear --decimal comma -o x.bln
run 2 fit bad.csv --target y --basis linear --decimal dot -o x.bln; err_has '--decimal wants comma or point, not "dot"'
table 'a,y\n5%%,1\n7,2\n9%%,4\n';        run 1 fit bad.csv --target y --basis linear -o none.bln
err_has 'bad.csv:3:1: column "a": "7" is no percentage, and "5%" in line 2 is: write all with % or all without'
table 'a,y\n$5,1\n£7,2\n9,4\n'
run 1 fit bad.csv --target y --basis linear -o none.bln; err_has '"£7" is of another currency than "$5" in line 2'
table 'a,y\n5,1\nsix,2\n9,4\n';          run 1 fit bad.csv --target y --basis linear -o none.bln
err_has 'bad.csv:3:1: column "a": "six" is not a number (2 of 3 cells are): correct it, or --na "six" if it means missing'

# 1.200 is 1200 or 1.2: all numbers of the table say it, those of columns that no term reads too
table 'a;b;y\n1.200;2,5;1\n950;2;2\n3.400;3;4\n'
run 0 fit bad.csv --target y --basis linear:cols=a --prior flat --plug-in -o x.bln --sep semicolon
err_has 'decimals with a comma, as "2,5" (line 2, column "b") says: "1.200" (line 2, column "a") is read as 1200 (--decimal point:'
run 0 info x.bln; coef a 1.031636863823934e-03                                # by hand: 3750/3635000
run 0 predict x.bln bad.csv --sep semicolon; err_has '"1.200" (line 2, column "a") is read as 1200'
printf 'a\n1.200\n' > new.csv; run 0 predict x.bln new.csv --sep semicolon; err_has 'decimals with a comma: "1.200" (line 2, col'
printf 'a\n"1,200"\n' > new.csv; run 0 predict x.bln new.csv
err_has 'decimals with a point: "1,200" (line 2, column "a") is read as 1200 (--decimal comma: as decimals)'
printf 'a;y\n"1,5";1\n2;3\n' > new.csv; run 0 score x.bln new.csv --sep semicolon
err_has '"1,5" (line 2, column "a") is read as 1.5'
table 'a;b;y\n1.200;2.5;1\n950;2;2\n3.400;3;4\n'
run 0 fit bad.csv --target y --basis linear:cols=a -o x.bln --sep semicolon
err_has 'decimals with a point, as "2.5" (line 2, column "b") says: "1.200" (line 2, column "a") is read as 1.2 (--dec'
printf 'a\n7.5\n' > new.csv; run 0 predict x.bln new.csv --sep semicolon; err_empty
printf 'a\n1.200\n' > new.csv; run 0 predict x.bln new.csv; err_empty
table 'a;b;y\n1.200;v1.5;1\n950;v2;2\n3.400;v3;4\n'
for how in '' --stream; do
    run 1 fit bad.csv --target y --basis linear:cols=a -o none.bln --sep semicolon $how
    err_has '"1.200" (line 2, column "a") may be 1.2 or 1200, and no other number of the table tells which: --decimal point or'
done
run 0 fit bad.csv --target y --basis linear:cols=a -o x.bln --sep semicolon --decimal comma
# --na is the number of a cell, however the table writes it
table 'a;b;y\n-9,9;1;1\n2,5;2;2\n3;-9,90;4\n5;2;3\n7;1;3\n'
for how in '' --stream; do
    run 0 fit bad.csv --target y --basis linear -o x.bln --sep semicolon --na -9.9 --missing drop $how
    err_has 'column "a": "-9,9" is the number that --na says is missing: 1 cell, the first in line 2'; err_has 'left out: 2 of 5'
done
run 0 predict x.bln bad.csv --sep semicolon --missing drop; err_has 'get NA: 2 of 5'
table 'a,y\n1234,1\n"1,234",2\n3,4\n5,6\n'; run 0 fit bad.csv --target y --basis linear -o x.bln --na 1234 --missing drop
err_has 'left out: 2 of 4'
# numbers that may be codes; signs among classes
table 'zip,k,f,y\n01234,5e3,007,1\n12345,6e3,001,2\n99999,1.5e-3,002,3\n'
run 0 fit bad.csv --target y --basis linear -o x.bln --factor f
err_has 'column "zip": "01234" (line 2) is read as the number 1234 (--factor "zip": as a code)'
err_has 'column "k": "5e3" (line 2) is read as the number 5000'
if grep -q 'column "f"' err; then bad "a factor is no number"; else good; fi
table 'x,y\n1,a\n2,b\n3,a\n4,n/a\n5,b\n6,a\n'
run 0 fit bad.csv --target y --basis linear --likelihood categorical -o x.bln
err_has 'column "y": "n/a" (1 cell) is a word like others; --na "n/a" makes it missing'

# ---- dates ----
table 'd,y\n17 May 2024,1\n"June 2, 2024",2\n3-Jun-2024 2:24 PM,4\n'
run 0 fit bad.csv --target y --basis linear --prior flat --plug-in -o x.bln
err_has 'holds dates: it is the number of days since 2024-05-17'
run 0 info x.bln; coef d 0.126689189189189                            # by hand: 24/189.44
table 'd,y\n05/17/24,1\n06/02/24,2\n06/03/68,4\n'
run 0 fit bad.csv --target y --basis linear -o x.bln
err_has 'month before day, with years of two digits, of which 69 to 99 are 1969 to 1999 and 00 to 68 are 2000 to 2068: "05/17/24"'
table 'd,y\n05/17/2024,1\n06/02/2024,2\n06/03/2024,4\n'
run 0 fit bad.csv --target y --basis linear -o x.bln; err_has 'dates, month before day'
table 'd,y\n05/06/2024,1\n06/02/2024,2\n06/03/2024,4\n'; run 1 fit bad.csv --target y --basis linear -o none.bln
err_has '"05/06/2024" may have the day first or the month: --date "d=dmy" or --date "d=mdy"'
run 0 fit bad.csv --target y --basis linear --date d=dmy,weekday -o x.bln; err_has 'since 2024-02-06'; err_has 'day before month'
run 0 info x.bln
out_has 'words of         d.weekday: Tue, Wed'                       # R: weekdays(): Wednesday, Tuesday, Wednesday
printf 'e\n1\n' > new.csv;               run 1 predict x.bln new.csv; err_has 'no column "d", which the model needs'
run 0 fit torture.csv --target y --basis linear:cols=Preis --sep semicolon --date Tag=month -o x.bln
printf 'Preis\n1\n' > new.csv;           run 0 predict x.bln new.csv
run 0 fit torture.csv --target y --basis linear:cols=Tag.month --sep semicolon --date Tag=month -o x.bln
printf 'Preis\n1\n' > new.csv;           run 1 predict x.bln new.csv; err_has 'no column "Tag", which the model needs'
printf 'Tag\n2025-06-30\n' > new.csv;    run 0 predict x.bln new.csv
printf 'a,b,y\n1,,2\n2,,3\n3,NA,5\n' > empty.csv
run 1 fit empty.csv --target y --basis linear -o none.bln; err_has 'column "b" is empty, or missing, in all rows: --ignore "b"'
table 'd,y\n05/17/2024,1\n17/05/2024,2\n06/03/2024,4\n'; run 1 fit bad.csv --target y --basis linear -o none.bln
err_has 'bad.csv:2:1: column "d": "05/17/2024" has the month first, and "17/05/2024" in line 3 the day'
table 'd,y\n2024-05-17,1\n2024-05-18,2\nlater,4\n'
run 1 fit bad.csv --target y --basis linear -o none.bln; err_has '"later" is no date as 2024-05-17 is (2 of 3 cells are)'
table 'd,y\n2024-05-17,1\n2024-05-18,2\n2024-05-32,4\n'
run 1 fit bad.csv --target y --basis linear -o none.bln; err_has '"2024-05-32" is no day of the calendar'
run 2 fit bad.csv --target y --basis linear --date d=hour -o none.bln; err_has '--date COL=... wants some of year, month, weekday'
run 1 fit bad.csv --target y --basis linear --date e -o none.bln;      err_has 'no column "e" (--date)'
run 2 fit bad.csv --target y --basis linear --date y -o none.bln;      err_has '--date: column "y" is the target'
run 2 fit bad.csv --target y --basis linear --date d --factor d -o none.bln; err_has 'one of --factor, --number and --date'

# ---- what columns hold; what is not needed ----
printf 'code,word,k,y\n1,a,3,1\n2,b,3,2\n1.0,a,3,1.5\n3,c,3,4\n2,b,3,2.5\n' > codes.csv
run 0 fit codes.csv --target y --basis linear --factor code -o c.bln; run 0 info c.bln; out_has 'words of         code: 1, 2, 3'
printf 'code,word\n01,a\n1,a\n' > new.csv; run 0 predict c.bln new.csv                 # k was left out: it is not asked for
yes "1 and 01 are one word" 'NR > 1 { x[NR] = $0 } END { if (x[2] != x[3]) ok = 0 }' out
printf 'code,word\n4,a\n' > new.csv;       run 1 predict c.bln new.csv; err_has '"4" is no word of the training rows'
run 0 fit codes.csv --target y --basis linear:cols=k -o c.bln; err_has 'column "k" is 3 in all 5 rows: it tells nothing'
run 0 fit codes.csv --target y --basis linear:cols=0 -o c.bln
run 0 info c.bln; out_has '  code '           # numbers count all inputs
run 1 fit codes.csv --target y --basis linear --number word -o none.bln; err_has '"a" is not a number (0 of 5 cells are)'
run 2 predict c.bln codes.csv --factor code; err_has 'predict has no option --factor'
run 2 fit codes.csv --target y --basis polynomial:degree=0 -o none.bln; err_has 'a whole number from 1 on expected'
# R: lm(Ozone ~ Wind, airquality): 116 rows, as only Ozone has gaps that matter
cat > air.csv <<'END'
Ozone,Solar.R,Wind
41,190,7.4
36,,8
12,149,12.6
NA,NA,14.3
28,NA,14.9
23,299,8.6
END
run 0 fit air.csv --target Ozone --basis linear:cols=Wind --missing drop -o a.bln; err_has 'left out: 1 of 6'
printf 'Wind\n9\n' > new.csv;              run 0 predict a.bln new.csv

# ---- a model from before this was learned; names that are not ASCII line up ----
printf 'a,colour\n1,red\n2,blue\n' > v8.csv
run 0 predict "$tests/words_v8.bln" v8.csv; err_empty
yes "a model of version 8" 'BEGIN { FS = "," } NR == 2 { d = $1 - 1.876330021 } NR == 3 { e = $1 - 3.866905986 }
    END { if (d*d + e*e > 1e-16) ok = 0 }' out
run 0 fit torture.csv --target y --basis 'linear:cols=Größe;Menge;Farbe' --sep semicolon -o n.bln; run 0 info n.bln
# (awk may count bytes or characters: the continuation bytes of ö and ü are taken out)
LC_ALL=C tr -d '\200-\277' < out > bytes
LC_ALL=C yes "columns line up" '/^  (Gr|Menge|Farbe)/ { if (length($0) != 84) ok = 0; n++ }
    END { if (n != 4) ok = 0 }' bytes

# ---- months of a date are words of their own, be there twelve ----
awk 'BEGIN { print "date,y"
    for (i = 0; i < 48; i++) printf "19%02d-%02d-01,%g\n", 20 + int(i/12), i % 12 + 1, 40 + 10*sin(i/2) + i % 7 }' > months.csv
run 0 fit months.csv --target y --date date=month --basis linear -o months.bln;  out_has "inputs           13  (from 2 columns)"

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
