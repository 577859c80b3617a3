#!/bin/sh
# references.sh - fits of real data beside R's maximum likelihood and reference posteriors of variational inference
#
#     make && sh bench/references.sh DATA                          from the top of the project; some seconds
#
# DATA holds glm_refs.csv (set,model,quantity,value,sd) and the sets it names, folder/folder.csv, with pima/pima_mask.csv and
# challenger/orings_total.csv; and a1a and australian with vi_{mf,full}_mean, vi_mf_var, vi_full_cov (.gz or not). bench/README.md
# says what they are.
set -e
data=${1:?the folder of the data sets}
out=build/references
mkdir -p "$out"
for set in beetle challenger coal insects ships pima boston faithful a1a australian; do
    mkdir -p "$out/$set"
    for file in "$data/$set"/*; do
        case $file in *.gz) gzip -dc "$file" > "$out/$set/$(basename "$file" .gz)" ;; *.csv) cp "$file" "$out/$set" ;; esac
    done
done
cp "$data/glm_refs.csv" "$out"
# shellcheck disable=SC2086                                  # flags are words
${CC:-cc} -std=c99 ${CFLAGS:--O2} -Ibuild/include bench/bench_references.c -o build/bench_references -lm
build/bench_references "$out"
