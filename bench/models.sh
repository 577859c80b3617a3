#!/bin/sh
# models.sh - models of posteriordb as programs beside Stan: data and references by R, our draws, and the comparison
#
#     make && sh bench/models.sh OUT [MODEL...]                 from the top of the project; what is in OUT is not made again
#
# Needs Rscript with rstan, rstanarm and ggplot2. The first time it takes most of an hour, a minute of it for each model to compile
# Stan's C++; after that a minute. LIMIT: seconds for the draws of a reference (30). Exit status 1: draws that differ.
set -e
out=${1:?the folder of data, references and draws}
shift
Rscript bench/models.R "$out" "$@"
# shellcheck disable=SC2086                                  # flags are words
${CC:-cc} -std=c99 ${CFLAGS:--O2} -Ibuild/include bench/bench_models.c -o build/bench_models -lm
build/bench_models "$out" "$@"
