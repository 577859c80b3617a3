#!/bin/sh
# run.sh - the tables of speed, one for each room, beside the peers that are found: `make bench`
#
#     CC=cc CFLAGS=-O2 PYTHON=python3 DATA=folder sh bench/run.sh [blas|vecmath|slm|qr|fastfood|threads|fits ...]
#
# From the top of the project; some minutes, and ten more for `fits` if DATA has what bench/fits.py says. Peers: BLAS that
# -lopenblas or -lblis links; python3 with numpy, and scikit-learn and torch if they are there. What is not there is said.
set -e
cc=${CC:-cc} flags=${CFLAGS:--O2} python=
for p in ${PYTHON:-python3 /usr/bin/python3}; do
    if "$p" -c 'import numpy' 2> /dev/null; then python=$p; break; fi
done
unset OPENBLAS_CORETYPE
export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 BLIS_NUM_THREADS=1
mkdir -p build

build() {                                                    # NAME [more]
    name=$1
    shift
    # shellcheck disable=SC2086                              # flags are words
    $cc -std=c99 $flags -Ibuild/include "bench/bench_$name.c" -o "build/bench_$name" "$@" -lm
}

blas() {
    peer=
    for library in openblas blis; do
        if test $library = blis; then set -- -DWITH_CBLAS -DWITHOUT_LAPACK -lblis; else set -- -DWITH_CBLAS -lopenblas; fi
        build blas "$@" 2> build/bench_log || continue
        peer=$library
        echo "(peer: $library)"
        build/bench_blas
    done
    if test -z "$peer"; then build blas; echo '(no peer: neither -lopenblas nor -lblis with <cblas.h>)'; build/bench_blas; fi
    echo '(beside the definition)'
    build blas && build/bench_blas -d -o 'gemm NN' 64 256
}
vecmath()  { build vecmath && build/bench_vecmath; }
qr()       { build qr && build/bench_qr; }
fastfood() { build fastfood && build/bench_fastfood; }
slm() {
    build slm
    build/bench_slm
    if test "$python"; then "$python" bench/bench_slm.py
    else echo '(no peer: python3 with numpy is not there)'; fi
}
threads() {
    if build threads -fopenmp 2> build/bench_log; then env -u OMP_NUM_THREADS OMP_WAIT_POLICY=passive build/bench_threads
    else echo '(no -fopenmp)'; fi
}
fits() {
    if test "$python" && test -x build/bayeslin; then DATA=${DATA:-} "$python" bench/fits.py
    else echo '(needs python3, and the tool: make)'; fi
}

processor=$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo 2> build/bench_log | head -1)
echo "$(date '+%-d %B %Y'), $processor, $($cc --version | head -1), $flags"
for room in ${*:-blas vecmath slm qr fastfood threads fits}; do
    printf '\n== %s\n' "$room"
    $room
done
