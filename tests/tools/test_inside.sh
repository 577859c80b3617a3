#!/bin/sh
# test_inside.sh - what the tool refuses, how tables may be written, and what it says when memory or a file fails; ends with
# `N passed, N failed`
#
#     sh tests/tools/test_inside.sh [PROGRAM]       from the top of the project; PROGRAM is build/inside (tests/tools/inside.c)
#
# The cases are in tests/tools/cases, by subject. They run in one process, as a thousand of them would take long otherwise; one file
# of cases follows another, so that a later one may use the models of an earlier one. The tables are made here.
if [ ! -x "${1:-build/inside}" ]; then echo 'not found: a linker with --wrap'; echo '1 passed, 0 failed'; exit; fi
set -- "${1:-build/inside}"
. tests/tools/tool.sh

# a.csv: numbers, words, weights, counts; d.csv: words, groups, noise variances, trials, classes; f.csv: few rows
printf 'x,z,g,w,k,y\n0.1,3,red,1,0,1.2\n0.9,1,blue,2,2,0.3\n1.7,4,red,1,4,2.9\n2.2,1,green,3,1,1.1\n3.1,5,blue,1,0,3.6\n' > a.csv
printf '3.8,9,red,2,3,4.9\n4.4,2,green,1,1,1.9\n5.2,6,blue,1,2,3.3\n5.9,7,green,2,0,4.4\n6.3,8,red,1,5,5.8\n' >> a.csv
awk 'BEGIN { print "x,s,o,v,n,c,r,y"; for (i = 0; i < 40; i++)
    print (i*7) % 11 + 0.25 "," substr("pqrt", i % 4 + 1, 1) "," i % 3 + 1 "," 0.5 + i % 2 "," 3 + i % 4 "," i % 3 \
        "," i % 2 "," (i*7) % 11 + 0.3*((i*5) % 7) }' > d.csv

printf 'x,y\n1,2\n2,3.5\n3,3\n4,6\n5,5\n' > f.csv
# a.csv with something else in some cells, or with fewer rows; 70 columns; 40 groups; counts that are all 0; 400 rows; no noise
sed '3s/^0.9/word/' a.csv > bad_x.csv;  sed '3s/,1,blue/,word,blue/' a.csv > bad_z.csv;  sed 's/blue/black/' a.csv > bad_g.csv
sed -n '1,2p' a.csv > one.csv;  grep -v blue a.csv > no_blue.csv;  sed '4s/2.9$/1e9/; 5s/1.1$/-1e9/' a.csv > far.csv
sed '4s/^1.7/NA/' a.csv > gap.csv
awk 'BEGIN { for (k = 1; k <= 70; k++) printf "x%d,", k; print "y"; for (i = 1; i <= 12; i++) {
    for (k = 1; k <= 70; k++) printf "%d,", (i*k*k + 3*i*i + k) % 23; print i + i*i % 5 } }' > wide.csv
sed 's/^/b,/; 1s/^b/g/; 3s/^b/a/' wide.csv > word_wide.csv
printf 'a,b,c,d,e,f,g,h,i,j,k,y\n1,2,3,4,5,6,7,8,9,1,2,3\n3,1,4,1,9,5,2,6,5,3,5,8\n' > eleven.csv
awk 'BEGIN { print "g,x,y"; for (i = 0; i < 80; i++) print i % 40 + 1 "," i % 7 "," i % 40 + i*i % 3 }' > groups.csv
awk 'BEGIN { print "x,k,j"; for (i = 0; i < 12; i++) print i ",0," i*i % 3 }' > zero.csv
awk 'BEGIN { print "x,y"; for (i = 0; i < 400; i++) print i % 19 "," i % 19 + i*i % 13 }' > long.csv
awk 'BEGIN { print "x,y"; for (i = 0; i < 9; i++) print i "," 3 - 2*i }' > exact.csv
# tables beside others for `compare`: another variance, another target, gaps in two columns, words that few rows have
awk -F, 'NR > 1 { $6 = 5.88 - $6 } 1' OFS=, a.csv > twin_1.csv;  awk -F, 'NR > 1 { $6 = 2*$6 - 2.94 } 1' OFS=, a.csv > twin.csv
awk -F, 'NR > 1 { $8 += 1 } 1' OFS=, d.csv > e.csv;  printf 'x,z,y\nNA,3,1\n2,NA,1\n3,4,2\n4,1,4\n5,9,3\n' > holes.csv
awk 'BEGIN { print "x,k,j"; for (i = 0; i < 12; i++) print i "," i % 3 "," i*i % 3 }' > zero_k.csv
awk 'BEGIN { print "x,g,y"; for (i = 0; i < 12; i++) print i "," (i < 2 ? "one" i : i < 7 ? "p" : "q") "," i + i*i % 3 }' > lone.csv
awk 'BEGIN { print "x,g,y"; for (i = 0; i < 6; i++) print i "," (i < 4 ? "one" i : "p") "," i + i*i % 3 }' > lonely.csv
# names and words with commas and quotes in them
awk 'BEGIN { print "g,x,y"; for (i = 0; i < 12; i++)
    print (i % 3 == 0 ? "\"a, b\"" : i % 3 == 1 ? "c" : "d") "," i "," i*i % 7 }' > comma.csv
awk 'BEGIN { print "\"x \"\"2\"\"\",a name of a column that is longer than sixty letters: there are some,\"u \"\"1\"\"\",w"
    for (i = 0; i < 12; i++) print i "," i*i % 7 "," i*i % 5 "," i % 4 }' > quoted.csv
# what takes many lines, or one of 64 MB; names of rows; words that come back
dd if=/dev/zero of=huge.csv bs=1 count=0 seek=67200000 2> /dev/null;  printf 'x,y\n1,2\n' | dd of=huge.csv conv=notrunc 2> /dev/null
awk 'BEGIN { for (i = 0; i < 2000; i++) print "          " }' > empty.csv
awk 'BEGIN { print "x,y"; for (i = 0; i < 1001; i++) print i % 7 "," i }' > thousand.csv
awk 'BEGIN { print "x,y"; for (i = 0; i < 4001; i++) print i % 7 "," i }' > many_rows.csv
awk 'BEGIN { print "x,y"; for (i = 0; i < 60; i++) printf "\200"; print ",2\n3,4\n5,7" }' > bytes.csv
awk 'BEGIN { print "x,z,y"; for (i = 0; i < 9; i++) print i "," (i == 2 ? -1 : i == 5 ? 1000 : i + 1) "," i*i }' > logs.csv
awk 'BEGIN { print "g,y"; for (i = 0; i < 40; i++) print "word" i % 10 "," i % 7 }' > months.csv
awk 'BEGIN { print "g,y"; for (i = 0; i < 9; i++) print "word" i "," i % 4 }' > names.csv
awk 'BEGIN { print "x,y,a_name_that_is_longer_than_thirty_letters,a_name_that_is_longer_than_all_the_others,"\
    "a_name_that_is_as_long_as_the_first_ones,the_fourth_name_that_is_quite_long_too,one_more_long_name_of_a_column_of_this_table"
    for (i = 0; i < 5; i++) print i "," i*i ",1,2,3,4,5" }' > long_names.csv
# words, names that begin like others, dates, roles
awk 'BEGIN { print "x,xx,y"; for (i = 0; i < 12; i++) print i % 5 "," i % 6 "," i*i % 7 }' > xx.csv
awk 'BEGIN { print "a,b,c,y"; for (i = 0; i < 60; i++) print "u" i % 50 ",v" i % 50 ",w" i % 50 "," i % 7 }' > words.csv
awk 'BEGIN { print "a,b,x,k,m,y"; for (i = 0; i < 36; i++) print substr("pqr", i % 3 + 1, 1) "," substr("st", i % 2 + 1, 1) "," \
        i % 5 + 1 "," (i % 3 ? 12 - i % 3 : 2) "," (i % 4 == 1 ? "z" : i % 4) "," i*i % 11 }' > levels.csv
awk 'BEGIN { print "x,a,b,c,y"; for (i = 0; i < 9; i++)
    print i "," (i == 3 ? -1 : 2) "," 4 + i "," (i == 5 ? 800 : 1) "," i % 2 }' \
    > roles.csv
awk 'BEGIN { print "d,y"; for (i = 0; i < 12; i++)
    print (i == 4 ? "" : sprintf("20%02d-%02d-%02d", 20 + i % 4, i + 1, 2*i + 1)) "," \
        i*i % 7 }' > dates.csv;  awk 'NR == 1 { print "d.year," $0; next } { print "1," $0 }' dates.csv > taken.csv
# folds, rows that stand alone, new groups, counts beyond their bins, draws
printf 's\n1\n1\n1\n1\n1\n' > ones.csv;  tr 1 0 < ones.csv > zeros.csv
awk 'BEGIN { print "g,y"; for (i = 0; i < 12; i++) print (i < 3 ? "early" : i < 9 ? "p" : "q") "," i*i % 7 }' > late.csv
awk 'BEGIN { print "a,b"; for (i = 0; i < 12; i++) print i % 2 "," (i < 3) }' > late_masks.csv
awk 'BEGIN { print "x,y"; for (i = 0; i < 18; i++) print i "," (i < 12 ? i % 2 : i % 3) }' > sorted.csv
awk 'BEGIN { print "s"; for (i = 0; i < 18; i++) print 1 }' > empty_masks.csv
sed '4s/,4,2.9$/,4.5,2.9/' a.csv > half.csv;  sed -n '1,3p' a.csv > two_rows.csv;  sed 's/,p,/,new,/' d.csv > new_s.csv
awk 'BEGIN { print "x,k"; for (i = 0; i < 20; i++) print i % 5 "," 50 + i*i*7 }' > big.csv
awk 'BEGIN { print "g,w,y"; for (i = 0; i < 30; i++)
    print (i < 12 ? "one" i : "p") "," (i != 3) "," (i < 12 ? 3000*(i + 1) : 20 + i % 4) }' > stand_out.csv
awk -F, 'NR == 1 || NR == 2 || NR > 14' stand_out.csv > stand_1.csv
awk 'BEGIN { print "chain,draw,mu"; for (i = 0; i < 240; i++)
    print int(i/120) + 1 "," i % 120 + 1 "," (i*7919) % 241/241 }' > lags.csv
# what a fit stumbles over: offsets on the wrong scale, rare events, weights of 0, products that are never there, sums of columns
awk 'BEGIN { print "x,y"; for (i = 0; i < 140000; i++) print i % 7 "," i }' > late_zero.csv
printf '3,\000\n' >> late_zero.csv
{ echo x,y; dd if=/dev/zero bs=60000 count=20 2> /dev/null | tr '\000' '\n'; } > blanks.csv
sed '2,$s/,[^,]*$/,0.5/' lags.csv > still.csv
awk 'BEGIN { print "x,z,d,y"; for (i = 0; i < 20; i++) print i % 7 "," i % 5 ",20" 10 + i "-05-17," i*i % 11 }' > pad.csv
awk 'BEGIN { print "x,o,p,k,y"; for (i = 0; i < 12; i++) print i ",500,1," i % 4 "," 500 + i*i % 7 }' > steep.csv
awk 'BEGIN { print "x,y"; for (i = 0; i < 40; i++) print i % 11 "," (i % 15 == 7) }' > rare.csv
awk 'NR == 1 || !/,0$/' zero.csv > zero_1.csv
awk 'BEGIN { print "x,g,w,k,o,v,u,y"; for (i = 0; i < 10; i++)
    print i "," substr("ab", i % 2 + 1, 1) "," (i % 2 == 0) ",5,1," (i < 2)/2 "," (i == 9) "," i*i % 7 }' > weights.csv
awk 'BEGIN { print "x,y,z"; for (i = 0; i < 9; i++) print i "," 3 - 2*i "," 1 + i }' > exact_2.csv
awk 'BEGIN { print "a,b,y"; for (i = 0; i < 40; i++)
    print (i % 2 ? i % 7 + 1 : 0) "," (i % 2 ? 0 : i % 5 + 1) "," i*i % 7 }' > never.csv
awk 'BEGIN { print "a,b,c,d,e,f,g,s,w,y"; for (i = 0; i < 60; i++) { line = ""; sum = 0
    for (k = 2; k < 9; k++) { v = (i*k*k + i*i + k) % 23; sum += v; line = line v "," }
    print line sum "," (i % 6 > 0) "," i*i % 13 } }' > sums.csv
awk 'BEGIN { print "x,y"; for (i = 1; i < 40; i++) print i "e-170," i*i % 7 }' > tiny.csv
# what pictures stumble over: rows without trials, dates of all years, words without letters, numbers without a logarithm
awk -F, 'NR > 1 { $5 = 0 } 1' OFS=, d.csv > no_trials.csv;  awk -F, 'NR == 5 { $5 = -1 } 1' OFS=, d.csv > bad_trials.csv
awk -F, 'NR == 5 { $3 = "a" } 1' OFS=, d.csv > bad_o.csv;  awk -F, 'NR == 5 { $8 = "a" } 1' OFS=, d.csv > bad_y.csv
printf 'x,y\n1,2\n2,3\n4,9\n' > three_rows.csv;  printf 'd,y\n1000-01-01,1\n' > one_date.csv
sed 's/,1,/,0,/; s/,[23],/,0,/' a.csv > no_w.csv
awk 'BEGIN { print "d,e,y"; for (i = 1; i < 10; i++) print "2024-0" i "-01,2023-0" i "-02," i*i % 7 }' > two_dates.csv
awk 'BEGIN { print "d,y"; for (i = 1; i < 10; i++) print "0" i "00-01-01," i*i % 7; print "0001-01-01,3" }' > old_dates.csv
awk 'BEGIN { print "d,y"; for (i = 1; i < 10; i++) print i "000-01-01," i*i % 7 }' > all_dates.csv
awk 'BEGIN { for (i = 0; i < 60; i++) odd = odd "\200"; print "w,y"; for (i = 0; i < 9; i++)
    print (i % 3 == 0 ? odd : i % 3 == 1 ? "a_word_of_many_letters" : "b") "," i*i % 7 }' > odd_words.csv
awk 'BEGIN { print "x,y"; for (i = 1; i < 9; i++) print i "," i*i % 7 }' > logs_2.csv
awk 'BEGIN { print "x,y"; for (i = 1; i < 9; i++) print -i "," i }' > negative.csv
awk 'BEGIN { print "c,n,x,y"; for (i = 0; i < 9; i++) print "5,0," i "," i*i % 7 }' > constants.csv
sed 's/[0-9]$/3/' constants.csv > constant_y.csv
awk 'BEGIN { for (k = 0; k < 12; k++) printf "a_column_of_words_with_a_long_name_%d,", k; print "x,y"; for (i = 0; i < 20; i++) {
    for (k = 0; k < 12; k++) printf "a_word_that_is_rather_long_%d,", (i + k) % 2 + k % 2*i % 2;
    print i "," i*i % 7 } }' > many_words.csv
# what other verbs stumble over
awk 'BEGIN { print "g,\"g: b - foo\",y"; for (i = 0; i < 12; i++)
    print substr("abc", i % 3 + 1, 1) "," i*i % 5 "," i % 7 }' > starts.csv
awk 'BEGIN { print "x,y,z"; for (i = 0; i < 9; i++) print i ",3,4" }' > same.csv
awk 'BEGIN { print "t,x,y"; for (i = 0; i < 9; i++) print (i == 5 ? "word" : i) "," i "," i*i % 7 }' > words_time.csv
awk 'BEGIN { print "a,b"; for (i = 0; i < 12; i++) print (i < 3) "," i % 2 }' > late_masks_2.csv
awk 'BEGIN { print "a"; for (i = 0; i < 12; i++) print 1 }' > late_ones.csv
awk 'BEGIN { print "g,h,k,y"; for (i = 0; i < 6; i++)
    print (i < 4 ? "g" i : "p") "," (i < 4 ? "q" : i == 4 ? "h" : "q") "," (i < 4 ? "r" : "k" i) "," i + i*i % 3 }' > lonely_h.csv
awk 'BEGIN { print "x,k"; for (i = 0; i < 60; i++) print i % 7 "," i }' > sixty.csv

for cases in "$tests"/cases/*.txt; do
    "$tool" < "$cases" > said
    n=$(sed -n 's/^\([0-9]*\) passed, [0-9]* failed$/\1/p' said) m=$(sed -n 's/^[0-9]* passed, \([0-9]*\) failed$/\1/p' said)
    passed=$((passed + ${n:-0})) failed=$((failed + ${m:-1}))
    sed "/ passed, /d; s|^FAIL|FAIL ${cases##*/}:|" said
done

# Ctrl-C ends the program (exit status 130) before the first draw, in a search, in a fold of `cv`, and after one that was answered.
chains='--target r --basis linear:cols=x --likelihood bernoulli --inference gibbs --draws 60 --warmup 20'
rm -f gone.bln
for case in "2 fit d.csv $chains -o gone.bln" "12+ fit d.csv $chains -o gone.bln" "12 cv d.csv $chains --folds 2 -o gone.bln" \
            "3 fit a.csv --target y --basis rbf:n=3,cols=x --plug-in -o gone.bln"; do
    echo "0 tty fail=interrupt:$case" | "$tool" > said 2>&1
    status=$? said="Ctrl-C at look ${case%% -o*}"
    if [ $status = 130 ]; then good; else bad "$said: exit status $status"; sed 's/^/    /' said; fi
    absent gone.bln
done
rm -f out
set -- *.tmp inside.*
if [ "$*" = '*.tmp inside.*' ]; then good; else bad "left behind: $*"; fi

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
