#!/bin/sh
# run.sh - the tables of speed, one for each room, beside the peers that are found: `make bench`
#
#     CC=cc CFLAGS=-O2 sh bench/run.sh [blas|vecmath|slm|qr|fastfood ...]        from the top of the project; some minutes
#
# Peers: a BLAS that -lopenblas links; python3 with numpy, and scikit-learn and torch if they are there. What is not there is said.
set -e
cc=${CC:-cc} flags=${CFLAGS:--O2}
unset OPENBLAS_CORETYPE
export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1
mkdir -p build

build() {                                                    # NAME [more]
    name=$1
    shift
    # shellcheck disable=SC2086                              # flags are words
    $cc -std=c99 $flags -Ibuild/include "bench/bench_$name.c" -o "build/bench_$name" "$@" -lm
}

blas() {
    if build blas -DWITH_CBLAS -lopenblas 2> build/bench_log; then echo '(ratio: to OpenBLAS)'
    else build blas; echo '(no peer: -lopenblas or <cblas.h> is not there)'; fi
    build/bench_blas
}
vecmath()  { build vecmath && build/bench_vecmath; }
qr()       { build qr && build/bench_qr; }
fastfood() { build fastfood && build/bench_fastfood; }
slm() {
    build slm
    build/bench_slm
    if python3 -c 'import numpy' 2> build/bench_log; then python3 bench/bench_slm.py
    else echo '(no peer: python3 with numpy is not there)'; fi
}

processor=$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo 2> build/bench_log | head -1)
echo "$(date '+%-d %B %Y'), $processor, $($cc --version | head -1), $flags"
for room in ${*:-blas vecmath slm qr fastfood}; do
    printf '\n== %s\n' "$room"
    $room
done
