#!/bin/sh
# glm.sh - which inference for a generalised linear model? Cross-validated scores of each way on real data, and what it costs
#
#     make && sh bench/glm.sh DATA [SET ...]           from the top of the project; about half an hour of one core
#
# DATA holds usps/usps35.csv.gz (digits 3 and 5, 16 x 16 pixels, the digit last) with usps/usps35_masks.csv, and magic/magic.csv.gz
# with magic/cv_masks.csv (.gz or not): a column for each split, 1: test row. bench/README.md says where to get them. Boston and
# its folds are in examples/data. With SETs only these are run. What is in build/glm already is kept: `rm -r build/glm` to have all
# of it anew.
#
# A figure is the mean over the folds of `build/bayeslin cv`; s: user CPU seconds a fold, which others on the machine disturb less
# than the clock on the wall. Of classes: mean log loss, percent of errors, Brier score; of Boston: R2, MSLL, coverage of the 95 %
# intervals.
set -e
. bench/seconds.sh
data=${1:?the folder of the data sets}
shift
chosen=${*:-boston magic usps}
tool=build/bayeslin
out=build/glm

# Set, target, splits used, SPECs, seeds; then what all its models have.
sets='usps digit 2-11 bias+rbf:n=400 0 --no-scale
magic gamma 1 rbf:n=100 0
boston medv 1-5 rbf:n=50,ard+linear 0,1'

# Set, and a way to fit it.
ways='usps --likelihood bernoulli --inference laplace
usps --likelihood bernoulli --inference full
usps --likelihood bernoulli --inference mixture
usps --likelihood bernoulli --inference mixture --components 3
usps --likelihood bernoulli --inference sgvi
usps --likelihood bernoulli --inference map
magic --likelihood bernoulli --inference laplace
magic --likelihood bernoulli --inference full
magic --likelihood bernoulli --inference mixture
magic --likelihood bernoulli --inference mixture --batch 100
magic --likelihood bernoulli --inference full --batch 500
magic --likelihood bernoulli --inference sgvi --batch 100
magic --likelihood bernoulli --inference map
boston linear model
boston --likelihood gaussian --inference laplace
boston --likelihood gaussian --inference full
boston --likelihood gaussian --inference mixture
boston --likelihood gaussian --inference mixture --components 2
boston --likelihood gaussian --inference mixture --components 3
boston --likelihood gaussian --inference sgvi
boston --likelihood gaussian --inference map
boston --likelihood student_t --inference laplace
boston --likelihood student_t --inference full
boston --likelihood student_t --inference mixture'

plain() { case $1 in *.gz) gzip -dc "$1" ;; *) cat "$1" ;; esac; }

# NAME SPLITS: table and masks in $out/NAME; of the digits, 1 stands for a five.
fetch() {
    mkdir -p "$out/$1"
    case $1 in
    boston) table=examples/data/boston.csv masks=examples/data/boston_folds.csv ;;
    usps) table=$data/usps/usps35.csv.gz masks=$data/usps/usps35_masks.csv ;;
    *) table=$data/$1/$1.csv.gz masks=$(ls "$data/$1/cv_masks.csv"*) ;;
    esac
    plain "$table" | awk -F, -v OFS=, -v digits="$1" 'digits == "usps" && NR > 1 { $NF = $NF == 5 } { print }' > "$out/$1/table.csv"
    plain "$masks" | cut -d, -f"$2" > "$out/$1/masks.csv"
}

# FILE: a line of the table.
show() { awk -v name="${1#"$out"/}" '{ printf "%8.4f %8.4f %8.4f %7.2f  %s\n", $1, $2, $3, $4, name }' "$1"; }

# NAME TARGET SPEC SEED WAY OPTIONS: a line with three figures and the seconds a fold, from the table of cv. The second line that
# `times` prints begins with the user time of all children so far, as 1m2.34s.
one() {
    dir=$out/$1 result="$out/$1/$3 $5 seed $4"
    if test -s "$result"; then show "$result"; return; fi
    way=$5 options=$6
    set -- cv "$dir/table.csv" --target "$2" --masks "$dir/masks.csv" --basis "$3" --seed "$4"
    # shellcheck disable=SC2086                              # words
    if test "$way" = 'linear model'; then set -- "$@" $options; else set -- "$@" $way $options; fi
    timed "$dir" $tool "$@"
    awk "$timed_awk"'
        $1 != "mean" { next }
        "msll" in column { print $column["r2"], $column["msll"], 100*$column["coverage95"], used/(NR - 6); next }
        { print $column["log_loss"], 100*$column["error_rate"], $column["brier"], used/(NR - 6) }
    ' "$dir/timed" > "$dir/line"
    mv "$dir/line" "$result"
    show "$result"
}

for name in $chosen; do
    line=$(echo "$sets" | grep "^$name ") || { echo "glm.sh: no set \"$name\"" >&2; exit 2; }
    echo "$line" | {
        read -r _ target splits specs seeds options
        fetch "$name" "$splits"
        for spec in $(echo "$specs" | tr ';' ' '); do for seed in $(echo "$seeds" | tr , ' '); do
            echo "$ways" | grep "^$name " | while read -r _ way; do one "$name" "$target" "$spec" "$seed" "$way" "$options"; done
        done; done
    }
done
