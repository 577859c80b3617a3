#!/bin/sh
# run.sh - the header under every compiler that is here, in every way to take it in; ends with `N passed, N failed`
#
#     sh tests/compile/run.sh [COMPILER...]    from the top of the project, after make; default: gcc clang tcc g++ clang++ $CC
#
# A compilation passes if it says nothing: a warning is a failure.
# The own code of a program, without the implementation, which is compiled often enough besides.
alone='-fsyntax-only -DBAYESLIN_IMPLEMENTED'
all='-Wall -Wextra -pedantic -Wshadow -Wconversion -Wsign-conversion'
# gcc takes six seconds for the indentation of the whole header: once will do.
strict="$all -Wno-misleading-indentation"
passed=0 failed=0
dir=build/compile
here=tests/compile
mkdir -p $dir

verdict() {     # name, 0 or 1
    if [ "$2" = 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAIL $1"; head -n 20 $out | sed 's/^/    /'; fi
}
quiet() {       # name, command...      must succeed without a word
    name=$1; shift
    if "$@" > $out 2>&1 && [ ! -s $out ]; then verdict "$name" 0; else verdict "$name" 1; fi
}
refused() {     # name, command...      must fail with the library's own message
    name=$1; shift
    if "$@" > $out 2>&1; then echo 'it compiled' > $out; verdict "$name" 1
    elif grep -q '"bayeslin: ' $out; then verdict "$name" 0
    else verdict "$name" 1; fi
}

c_compiler() {
    cc=$1
    id=$dir/$(basename "$cc" | tr ' ' _)
    case $cc in *tcc) gnu=0 ;; *) gnu=1 ;; esac
    I=-Ibuild/include

    quiet "$cc: no flags" $cc $I $here/two_units_a.c $here/two_units_b.c -o $id.plain -lm
    # Of what compilers see where they optimise tools/parts.sh has these two warn.
    case $cc in gcc* | clang*) levels=-O0 ;; *) levels='-O0 -O2' ;; esac
    warn=$all
    for o in $levels; do
        quiet "$cc: strict $o" $cc -std=c99 $warn $o $I -c $here/two_units_a.c -o $id.a$o.o
        warn=$strict
        [ $gnu = 1 ] || break
    done
    quiet "$cc: strict, static" $cc -std=c99 $strict -O1 $I -c $here/static.c -o $id.static1.o
    quiet "$cc: declarations" $cc -std=c99 $strict -O2 $I -c $here/two_units_b.c -o $id.b.o
    quiet "$cc: two units link" $cc $id.a-O0.o $id.b.o -o $id.two -lm
    quiet "$cc: two units run" $id.two
    quiet "$cc: static again" $cc -std=c99 $strict -O1 -DSECOND $I -c $here/static.c -o $id.static2.o
    quiet "$cc: two static copies link" $cc $id.static1.o $id.static2.o -o $id.static -lm
    quiet "$cc: two static copies run" $id.static
    for option in no_stdio no_text malloc; do
        quiet "$cc: $option" $cc -std=c99 $strict -O0 $I $here/$option.c -o $id.$option -lm
        quiet "$cc: $option runs" $id.$option
    done
    [ $gnu = 1 ] || return
    # Run by .ci/run, with sanitizers; here, so that a changed signature is noticed at once.
    for fuzzer in tests/fuzz/*.c; do quiet "$cc: $fuzzer" $cc -std=c99 $strict -fsyntax-only $I $fuzzer; done
    # C17 is C11 with corrections; GNU C17 is what both compilers take without flags.
    for std in c11 c2x gnu99; do quiet "$cc: -std=$std" $cc -std=$std $strict -fsyntax-only $I $here/two_units_a.c; done
    refused "$cc: -ffast-math is refused" $cc -ffast-math -fsyntax-only $I $here/fast_math_refused.c
    refused "$cc: -ffinite-math-only is refused" $cc -ffinite-math-only -fsyntax-only $I $here/fast_math_refused.c
    # clang has no macro that tells of this one alone.
    associative='-fassociative-math -fno-signed-zeros -fno-trapping-math'
    if $cc $associative -dM -E -x c /dev/null | grep -q __ASSOCIATIVE_MATH__; then
        refused "$cc: -fassociative-math is refused" $cc $associative -fsyntax-only $I $here/fast_math_refused.c
    fi
    quiet "$cc: -ffast-math when asked for" $cc -ffast-math -DBAYESLIN_ALLOW_FAST_MATH -fsyntax-only $I $here/fast_math_refused.c
    refused "$cc: -ffast-math, reproducible" $cc -ffast-math -DBAYESLIN_ALLOW_FAST_MATH -DBAYESLIN_REPRODUCIBLE -fsyntax-only $I \
        $here/fast_math_refused.c
    if $cc -mfpmath=387 -dM -E -x c /dev/null 2> /dev/null | grep -q '__FLT_EVAL_METHOD__ 2'; then
        refused "$cc: x87, reproducible" $cc -mfpmath=387 -DBAYESLIN_REPRODUCIBLE -fsyntax-only $I $here/fast_math_refused.c
    fi
    if [ "$cc" = gcc ]; then
        rooms_alone "$cc"
        parts_alone "$cc"
        # Nobody else compiles these, and some name private things.
        for bench in bench/bench_*.c; do quiet "$cc: $bench" $cc -std=c99 -w -fsyntax-only $I $bench; done
    fi
    quiet "$cc: reproducible" $cc -std=c99 $strict -O0 $I $here/reproducible.c -o $id.reproducible -lm
    quiet "$cc: reproducible runs" $id.reproducible
    quick_start "$cc" "$id" -std=c99
    for example in examples/[0-9]*.c; do quiet "$cc: $example" $cc -std=c99 $strict $alone $I $example; done
}

cxx_compiler() {
    cxx=$1
    id=$dir/$(basename "$cxx")
    I=-Ibuild/include
    quiet "$cxx: declarations as C++11" $cxx -std=c++11 $strict -O1 $I -c $here/cxx.cc -o $id.b.o
    quiet "$cxx: implementation as C++11" $cxx -std=c++11 $strict -O0 $I -x c++ -c $here/two_units_a.c -o $id.a.o
    quiet "$cxx: link" $cxx $id.a.o $id.b.o -o $id.run -lm
    quiet "$cxx: run" $id.run
    # What C++14 and C++17 take away is gone from C++20 too.
    quiet "$cxx: -std=c++20" $cxx -std=c++20 $strict -fsyntax-only $I -x c++ $here/two_units_a.c
    quick_start "$cxx" "$id" "-std=c++11 -x c++"
    for example in examples/[0-9]*.c; do
        quiet "$cxx: $example as C++11" $cxx -std=c++11 $strict $alone $I -x c++ $example
    done
}

# Each .c of src/ is an object of its own, with what it includes; together they are the whole library.
rooms_alone() {  # compiler
    mkdir -p $dir/alone
    rm -f $dir/alone/*                                           # objects of rooms that are gone
    : > $out
    for source in src/*/*.c; do
        object=$dir/alone/$(echo "${source#src/}" | tr / _).o
        "$1" -std=c99 -Wall -Wextra -pedantic -O0 -fPIC -DBLNI_SEPARATE -c "$source" -o "$object" > $out 2>&1 && [ ! -s $out ]
        verdict "$1: $source alone" $?
    done
    quiet "$1: rooms link" "$1" -shared $dir/alone/*.o -o $dir/alone/lib.so -Wl,-z,defs -lm
}

# Each part, and each pair that a rule of tools/amalgamate.c names, has all that it calls, and says nothing; a function that is
# missing is refused by the name of the part.
parts_alone() {     # compiler
    mkdir -p $dir/parts
    for part in LINEAR GLM SCORES FILES SAMPLING AUGMENTED PROGRAM LINEAR,FILES GLM,FILES GLM,SAMPLING AUGMENTED,SAMPLING; do
        with=$(echo "$part" | sed 's/^/-DBAYESLIN_WITH_/; s/,/ -DBAYESLIN_WITH_/g') object=$dir/parts/$part.o
        quiet "$1: $part" "$1" -std=c99 $strict -O0 $with $I -c $here/part.c -o "$object"
        nm -u "$object" | grep bln > $out
        [ ! -s $out ]; verdict "$1: $part is whole" $?
    done
    nm $dir/parts/LINEAR,FILES.o | grep -E 'bln_(glm|likelihood|scaler)_' > $out
    [ ! -s $out ]; verdict "$1: LINEAR,FILES has no more" $?
    for part in LINEAR SCORES FILES SAMPLING; do
        quiet "$1: $part, static" "$1" -std=c99 $strict -O0 -DBAYESLIN_STATIC -DBAYESLIN_WITH_$part $I -c $here/part.c \
            -o $dir/parts/static.o
    done
    for static in '' -DBAYESLIN_STATIC; do
        "$1" -std=c99 $static -DBAYESLIN_WITH_SCORES -DCALLS_GLM $I $here/part.c -o $dir/parts/glm -lm > $out 2>&1
        grep -q 'this needs BAYESLIN_WITH_GLM' $out; verdict "$1: a missing part is named $static" $?
    done
    quiet "$1: one model" "$1" -std=c99 $strict -O0 -ffunction-sections -fdata-sections -Wl,--gc-sections $I $here/one_model.c \
        -o $dir/parts/one_model -lm
    quiet "$1: one model runs" $dir/parts/one_model
    nm $dir/parts/one_model | grep -E 'bln_glm|bln_slm_integrated|bln_likelihood|bln_fourier|bln_inducing|bln_scaler' > $out
    [ ! -s $out ]; verdict "$1: one model links no other" $?
    nm $dir/parts/one_model |
        grep -E 'blni_(gaussians_(pullback|marginal|draw|leave)|noise_(logdensity|cdf|quantile|draw|logp)|sum_load)' > $out
    [ ! -s $out ]; verdict "$1: predictions link no other question" $?
}

# The program in the header's manual and the one in the README are the same, compile as they stand, as C and as C++, and print what
# the README says.
quick_start() {     # compiler, prefix of its files, language
    sed -n '/^ \* QUICK START/,/^ \* CONTENTS/s/^ \*     //p' build/include/bayeslin.h > $2.quick_start.c
    awk '/^```c$/ { on = 1; next } /^```$/ { if (on) exit } on' README.md > $2.readme.c
    awk '/^```c$/ { seen = 1 } seen && /^```text$/ { on = 1; next } /^```$/ { if (on) exit } on' README.md > $2.readme.expected
    quiet "quick start: header and README agree" cmp $2.quick_start.c $2.readme.c
    quiet "$1: quick start compiles" $1 $3 $strict -Ibuild/include $2.quick_start.c -o $2.quick_start -lm
    $2.quick_start > $2.quick_start.out 2>&1
    if [ -x build/compare_numbers ]; then
        quiet "$1: quick start prints what the README says" build/compare_numbers $2.readme.expected $2.quick_start.out
    fi
}

if [ $# = 0 ]; then
    set -- gcc clang tcc g++ clang++
    # $CC too, if it is another; cc is one of the above, mostly.
    case " cc $* " in *" ${CC:-cc} "*) ;; *) set -- "$CC" "$@" ;; esac
fi
# The compilers side by side, each with files of its own; then what they said, in order.
found=
for compiler; do
    if command -v "${compiler%% *}" > /dev/null 2>&1; then found="$found$compiler
"; else echo "not found, not tried: $compiler"; fi
done
found=${found:-${CC:-cc}}        # a machine that has none of them has its cc
one() {         # compiler, file for its count
    out=$2.output
    case $1 in *++*) cxx_compiler "$1" ;; *) c_compiler "$1" ;; esac
    echo "$passed $failed" > "$2"
}
n=0
IFS='
'
for compiler in $found; do
    unset IFS
    n=$((n + 1))
    rm -f $dir/count$n
    one "$compiler" $dir/count$n > $dir/said$n 2>&1 &
done
unset IFS
wait
while [ $n -gt 0 ]; do
    cat $dir/said$n
    if read -r p f < $dir/count$n; then passed=$((passed + p)) failed=$((failed + f)); else failed=$((failed + 1)); fi
    n=$((n - 1))
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
