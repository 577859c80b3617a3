#!/bin/sh
# run.sh - the library in little stack; ends with `N passed, N failed`
#
#     sh tests/stack/run.sh [native|musl|wasm ...]        from the top of the project, after make
#
#   native   the most that each way through the library takes, by cc: what BAYESLIN_STACK promises, its default and the least
#   musl     each way in a thread of 64 KiB, by musl-gcc
#   wasm     each way on the 64 KiB that a program of WebAssembly has, by clang, run by node; one that takes more is stopped, for
#            its stack ends where its memory does
# musl needs the Debian package musl-tools, wasm clang, lld, wasi-libc and libclang-rt-14-dev-wasm32, and Node.js 20.
#
# INCLUDE: folder of bayeslin.h (default: build/include).
export LC_ALL=C
include=${INCLUDE:-build/include} here=tests/stack dir=build
cc=${CC:-cc}
flags="-std=gnu99 -I$include $here/stack.c"
passed=0 failed=0

# What it ran as, command...        adds what its last line says
ran() {
    what=$1
    shift
    "$@" > $dir/stack.txt 2>&1
    last=$(tail -n 1 $dir/stack.txt)
    case $last in
        *' passed, '*' failed') passed=$((passed + ${last%% passed*})) f=${last#*, }; failed=$((failed + ${f% failed})) ;;
        *) failed=$((failed + 1)); echo "FAIL $what"; tail -n 12 $dir/stack.txt ;;
    esac
    echo "$what: $last"
    grep -B 2 '^FAIL' $dir/stack.txt
    awk '$NF + 0 > most { most = $NF; line = $0 } END { if (most) print "    most: " line }' $dir/stack.txt
}

for which in ${*:-native musl wasm}; do
    case $which in
    native) $cc -O2 $flags -o $dir/stack -lm -lpthread && ran 'default' $dir/stack 536576 &&
            $cc -O2 -DBAYESLIN_STACK=36864 $flags -o $dir/stack -lm -lpthread && ran 'BAYESLIN_STACK=36864' $dir/stack 49152 ;;
    musl)   musl-gcc -O2 -static -DTHREAD_STACK=65536 $flags -o $dir/stack -lm -lpthread &&
            ran 'threads of musl' $dir/stack 49152 ;;
    wasm)   clang --target=wasm32-wasi --sysroot=/usr -Os -DNO_THREADS -Wl,--stack-first $flags -o $dir/stack.wasm -lm &&
            ran 'WebAssembly' node --no-warnings $here/wasi.mjs $dir/stack.wasm ;;
    *)      echo "run.sh: no such machine: $which"; false ;;
    esac || { failed=$((failed + 1)); echo "FAIL $which: not built"; }
done
echo "$passed passed, $failed failed"
[ $failed = 0 ]
