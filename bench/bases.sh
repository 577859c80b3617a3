#!/bin/sh
# bases.sh - which basis for which data? Cross-validated scores of many bases on five sets of real data, and what they cost
#
#     make && sh bench/bases.sh DATA [SET ...]         from the top of the project; about an hour of one core
#
# DATA holds NAME/NAME.csv (target last) and NAME/uci_masks.csv (one column for each split, 1: test row), those of elevators with
# .gz: airfoil, energy, yacht, elevators. bench/README.md says where to get them. Boston is in examples/data. With SETs only these
# are run. What is in build/bases already is kept: `rm -r build/bases` to have all of it anew.
#
# A figure is the mean over the folds of `build/bayeslin cv`, which standardises, and its median over the seeds where there are
# several. cov: percent of the targets in their 95 % intervals; s: user CPU seconds a fold, which others on the machine disturb
# less than the clock on the wall.
set -e
. bench/seconds.sh
data=${1:?the folder of the data sets}
shift
chosen=${*:-yacht boston energy airfoil elevators}
tool=build/bayeslin
out=build/bases

# Set, target, splits used, seeds; then, for least squares, the column to leave out, which is a combination of others.
sets='yacht resistance 1-10 0,1,2
boston medv 1-5 0,1,2
energy heating_load 1-10 0 roof_area
airfoil spl 1-10 0
elevators goal 1 0 diffSaTime2'

# SPEC, and the sets it is tried on, if not all.
rows='bias
least-squares
linear
polynomial:degree=2,interactions
polynomial:degree=3,interactions
legendre:degree=5
ridge:n=20,ard
sigmoid:n=200,ard
radial:n=200,ard
rbf:n=200
rbf:n=100,ard
rbf:n=200,ard
rbf:n=400,ard
rbf:n=1000,ard
rbf:n=400,ard+linear
matern52:n=200,ard
matern32:n=200,ard
matern12:n=200,ard
rq:n=200,ard
cauchy:n=200,ard
laplace1:n=200,ard
rbf:n=256,ard,draws=independent
rbf:n=256,ard,draws=orthogonal
rbf:n=256,ard,draws=halton
rbf:n=256,ard,draws=sobol
inducing:m=50,ard airfoil
inducing:m=100,ard airfoil
inducing:m=100,ard,select=pivoted airfoil
inducing:m=100,ard,select=random airfoil
inducing:m=200,ard airfoil
inducing:m=200,ard,select=pivoted airfoil
inducing:m=500,ard airfoil
inducing:m=500,ard,select=pivoted airfoil'

# NAME SPLITS: plain copies of table and masks.
fetch() {
    mkdir -p "$out/$1"
    case $1 in
    boston) from=examples/data masks=$from/boston_folds.csv open=cat ;;
    elevators) from=$data/$1 masks=$from/uci_masks.csv.gz open='gzip -dc' ;;
    *) from=$data/$1 masks=$from/uci_masks.csv open=cat ;;
    esac
    $open "$from/$1.csv"* > "$out/$1/table.csv"
    $open "$masks" | cut -d, -f"$2" > "$out/$1/masks.csv"
}

# NAME TARGET SPEC SEED DEPENDENT: the line "rmse mll coverage seconds" in the file $out/NAME/SPEC/SEED.
one() {
    dir=$out/$1 result=$out/$1/$3/$4 spec=$3 dependent=$5
    if test -s "$result"; then return; fi
    mkdir -p "$dir/$3"
    echo "$1 $3 seed $4" >&2
    set -- cv "$dir/table.csv" --target "$2" --masks "$dir/masks.csv" --seed "$4"
    if test "$spec" != least-squares; then set -- "$@" --basis "$spec"
    else set -- "$@" --basis linear --prior flat ${dependent:+--ignore "$dependent"}; fi
    timed "$dir" $tool "$@"
    awk "$timed_awk"'
        $1 == "mean" { print $column["rmse"], $column["mll"], 100*$column["coverage95"], used/(NR - 6) }' "$dir/timed" > "$dir/line"
    mv "$dir/line" "$result"
}

# Random features take all the seeds, the others one.
run() {                                                      # NAME TARGET SPLITS SEEDS DEPENDENT
    fetch "$1" "$3"
    echo "$rows" | while read -r spec where; do
        case " ${where:-$1} " in *" $1 "*) ;; *) continue ;; esac
        case $spec in *:n=*) seeds=$4 ;; *) seeds=0 ;; esac
        for seed in $(echo "$seeds" | tr , ' '); do one "$1" "$2" "$spec" "$seed" "$5"; done
    done
}
for name in $chosen; do
    line=$(echo "$sets" | grep "^$name ") || { echo "bases.sh: no set \"$name\"" >&2; exit 2; }
    # shellcheck disable=SC2086                              # words
    run $line
done

# NAME SPEC: a cell, the median of each figure over the seeds there are.
cell() {
    set -- "$out/$1/$2"/[0-9]*
    if ! test -s "$1"; then printf '%29s' -; return; fi
    awk '
        { for (c = 1; c <= 4; c++) v[c, NR] = $c }
        END {
            for (c = 1; c <= 4; c++) {
                for (i = 2; i <= NR; i++)
                    for (j = i; j > 1 && v[c, j] < v[c, j - 1]; j--) { t = v[c, j]; v[c, j] = v[c, j - 1]; v[c, j - 1] = t }
                m[c] = (v[c, int((NR + 1)/2)] + v[c, int((NR + 2)/2)])/2
            }
            printf "  %8.4g %6.2f %5.1f %5.2f", m[1], m[2], m[3], m[4]
        }' "$@"
}

table() {                                                    # NAME ...
    printf '\n%-33s' ''; for name; do printf '  %-27s' "    $name"; done
    printf '\n%-33s' basis; for name; do printf '  %8s %6s %5s %5s' rmse mll cov s; done; echo
    echo "$rows" | while read -r spec _; do
        printf '%-33s' "$spec"; for name; do cell "$name" "$spec"; done; echo
    done
}
table airfoil energy yacht
table boston elevators
