#!/bin/sh
# calibrated.sh - how many test rows lie in their 95 % interval, as it is and with --calibrate, in all and by halves of the target
#
#     make && sh bench/calibrated.sh DATA [SPEC]        from the top of the project; about 15 minutes of one core
#
# DATA as for bench/bases.sh; SPEC is rbf:n=400,ard+linear if not given. For each split (columns of masks, 1: test row) a model is
# fitted to the training rows with --calibrate; the interval as it is, mean -+ 1.96 sd, is computed from the same prediction.
# halves: of the test rows whose target is below and above the median of all. log yacht: the logarithm of its target.
set -e
data=${1:?the folder of the data sets}
spec=${2:-rbf:n=400,ard+linear}
tool=build/bayeslin
out=build/calibrated
mkdir -p "$out"

# TABLE MASKS SEED: a line for each test row, "target mean sd lower upper", in $out/rows. The target is the last column.
rows() {
    splits=$(head -1 "$2" | awk -F, '{ print NF }')
    target=$(head -1 "$1" | awk -F, '{ print $NF }')
    : > "$out/rows"
    for split in $(seq "$splits"); do
        for part in 0 1; do
            awk -F, -v k="$split" -v part="$part" 'NR == FNR { mask[FNR] = $k; next } FNR == 1 || mask[FNR] == part' \
                "$2" "$1" > "$out/part$part.csv"
        done
        $tool fit "$out/part0.csv" --target "$target" --basis "$spec" --seed "$3" --calibrate -o "$out/model" > "$out/log"
        $tool predict "$out/model" "$out/part1.csv" -o "$out/predicted.csv"
        awk -F, 'FNR == 1 { file++; for (i = 1; i <= NF; i++) column[$i] = i; next }
                 file == 1 { y[FNR] = $NF; next }
                 { print y[FNR], $column["mean"], $column["sd"], $column["lower"], $column["upper"] }' \
            "$out/part1.csv" "$out/predicted.csv" >> "$out/rows"
    done
}

# NAME SEED: the line of the table.
line() {
    sort -g "$out/rows" | awk -v name="$1" -v seed="$2" '
        { half = NR; y[NR] = $1; plain[NR] = ($1 - $2)^2 <= (1.959964*$3)^2; own[NR] = $4 <= $1 && $1 <= $5
          multiple += ($5 - $4)/(2*$3) }
        END {
            for (i = 1; i <= NR; i++) { h = i > NR/2; n[h]++; p[h] += plain[i]; c[h] += own[i] }
            printf "%-10s %4d %6d %8.1f %6.1f %6.1f %11.1f %6.1f %6.1f %9.2f\n", name, seed, NR, 100*(p[0] + p[1])/NR,
                100*p[0]/n[0], 100*p[1]/n[1], 100*(c[0] + c[1])/NR, 100*c[0]/n[0], 100*c[1]/n[1], multiple/NR
        }'
}

printf '%-10s %4s %6s %8s %6s %6s %11s %6s %6s %9s\n' set seed rows 'as it is' lower upper calibrated lower upper 'times sd'
for seed in 0 1; do
    for name in yacht energy airfoil; do
        rows "$data/$name/$name.csv" "$data/$name/uci_masks.csv" "$seed"
        line "$name" "$seed"
    done
    rows examples/data/boston.csv examples/data/boston_folds.csv "$seed"
    line boston "$seed"
    awk -F, 'NR > 1 { $NF = log($NF) } { print }' OFS=, "$data/yacht/yacht.csv" > "$out/log.csv"
    rows "$out/log.csv" "$data/yacht/uci_masks.csv" "$seed"
    line 'log yacht' "$seed"
done
