#!/bin/sh
# run.sh - the shared library, and the languages that are here; ends with `N passed, N failed`
#
#     make test PARTS=bindings                 tests/bindings/test_flat.c, of the flat functions themselves, is among the rooms
#
# What is exported; that the flat files compile without a warning, as C and as C++; that fits by the flat functions print the
# tool's predictions; bindings/python and bindings/R by their examples and by what docs/ has their readers type. PYTHON=...: one
# with numpy.
compiler=${1:-cc}
strict='-Wall -Wextra -pedantic -Wshadow -Wconversion -Wsign-conversion -Wno-misleading-indentation'
work=build/bindings
passed=0 failed=0
rm -rf $work
mkdir -p $work

verdict() {     # name, 0 or 1, what to show
    if [ "$2" = 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAIL $1"; head -n 20 "$3" | sed 's/^/    /'; fi
}
quiet() {       # name, command...      must succeed without a word
    name=$1; shift
    "$@" > $work/out 2>&1 && [ ! -s $work/out ]
    verdict "$name" $? $work/out
}

# ---- the files ----
for cc in "$compiler -std=c99" 'gcc -std=c99' 'clang -std=c99' 'tcc -std=c99' 'g++ -std=c++20 -x c++' \
          'clang++ -std=c++20 -x c++'; do
    command -v ${cc%% *} > /dev/null || { echo "not found: ${cc%% *}"; continue; }
    quiet "$cc: bayeslin_flat.c" $cc $strict -Ibuild/include -c bindings/bayeslin_flat.c -o $work/flat.o
done
printf '#include "bayeslin_flat.h"\nint main(void) { bayeslin_free(NULL); return 0; }\n' > $work/alone.c
quiet 'the header alone' $compiler -std=c99 $strict -Ibindings -c $work/alone.c -o $work/alone.o

# ---- what is exported ----
library=$(ls build/libbayeslin.so build/libbayeslin.dylib build/bayeslin.dll 2> /dev/null | head -n 1)
case $library in
*.so)
    nm -D --defined-only $library | awk '$2 != "A" { print $3 }' | sort > $work/exported
    grep -v '^bln_\|^bayeslin_' $work/exported > $work/others
    [ ! -s $work/others ]
    verdict 'nothing else is exported' $? $work/others
    for header in build/include/bayeslin.h bindings/bayeslin_flat.h; do
        awk '/#ifdef BAYESLIN_IMPLEMENTATION/ { exit } /^(BLN_API|BAYESLIN_FLAT_API)/ { on = 1 } on { printf "%s ", $0 }
             on && /;/ { print ""; on = 0 }' $header |
            sed -n 's/^B[A-Z_]*_API [^(]*[ *]\(b[a-z]*_[A-Za-z0-9_]*\) *(.*/\1/p' | sort -u > $work/declared
        comm -23 $work/declared $work/exported > $work/missing
        [ -s $work/declared ] && [ ! -s $work/missing ]
        verdict "what $header declares is exported" $? $work/missing
    done ;;
*)  echo "not found: nm for $library" ;;
esac

# ---- the tool ----
alike() {
    { echo '# tolerance 1e-6 1e-6'; cat $work/expected; } > $work/with
    build/compare_numbers $work/with $work/got > $work/out 2>&1
}
same() {        # name, data, target, trials, SPEC, flat options, tool's options...
    name=$1 data=$2 target=$3 trials=$4 spec=$5 options=$6; shift 6
    [ "$trials" = - ] || set -- --trials "$trials" "$@"
    build/bayeslin fit "$data" --target "$target" --basis "$spec" -o $work/model.bln "$@" > $work/out 2>&1 &&
        build/bayeslin predict $work/model.bln "$data" > $work/all 2> $work/out && cut -d, -f1-5 $work/all > $work/expected &&
        build/table "$data" "$target" "$trials" "$spec" "$options" > $work/got 2> $work/out && alike
    verdict "$name: the tool's figures" $? $work/out
    build/table "$data" "$target" "$trials" $work/model.bln '' > $work/got 2> $work/out && alike
    verdict "$name: the tool's file" $? $work/out
}
head -n 13 examples/data/boston.csv | cut -d, -f6,13,14 > $work/few.csv
cut -d, -f4- examples/data/ships.csv | awk -F, 'NR == 1 { print "k," $0; next } { print NR % 5 "," $0 }' > $work/counts.csv
mcycle=examples/data/mcycle.csv
same 'linear model'   $mcycle accel - rbf:n=30+linear 'seed=4' --seed 4
same 'chosen basis'   $mcycle accel - auto ''
same 'few rows'       $work/few.csv medv - linear ''
same 'integrated'     $mcycle accel - 'polynomial:degree=3' 'integrate=yes' --integrate
same 'flat priors'    $mcycle accel - 'polynomial:degree=3' 'prior=flat' --prior flat
same 'flat, few'      $work/few.csv medv - linear 'prior=flat, integrate=yes' --prior flat --integrate
same 'flat, in part'  $mcycle accel - 'linear+rbf:n=10' 'prior=flat' --prior flat
same 'each'           $mcycle accel - 'rbf:n=20' 'prior=each' --prior each
same 'not scaled'     $mcycle accel - linear 'scale=no' --no-scale
same 'outliers'       $mcycle accel - gp+linear 'likelihood=student_t, inference=full' --likelihood student_t \
                                                                                       --inference full
same 'quantile'       $mcycle accel - rbf:n=10 'likelihood=laplace' --likelihood laplace
same 'counts'         $work/counts.csv incidents service linear 'likelihood=poisson' --likelihood poisson
same 'mixture'        $work/counts.csv incidents service linear \
                      'likelihood=negative_binomial, inference=mixture, components=2, seed=2' \
                      --likelihood negative_binomial --inference mixture --components 2 --seed 2

# ---- the languages ----
printed() {     # name
    build/compare_numbers bindings/example.expected $work/got > $work/differ 2>&1
    verdict "$1" $? $work/differ
}
python=
for p in $PYTHON python3 /usr/bin/python3; do
    [ -z "$python" ] && command -v "$p" > /dev/null && "$p" -c 'import numpy' 2> /dev/null && python=$p
done
if [ -z "$python" ]; then echo 'not found: python3 with numpy'
else
    PYTHONDONTWRITEBYTECODE=1 "$python" bindings/python/example.py > $work/got 2>&1
    printed 'bindings/python/example.py'
    PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=bindings/python "$python" -W error tests/bindings/test_python.py > $work/out 2>&1
    verdict tests/bindings/test_python.py $? $work/out
    PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=bindings/python "$python" -W error tests/bindings/pages.py > $work/out 2>&1
    verdict 'Python in docs' $? $work/out
fi
if ! command -v Rscript > /dev/null; then echo 'not found: Rscript'
else
    mkdir -p build/R
    cp bindings/R/bayeslin_r.c build/R/
    (cd build/R && PKG_CPPFLAGS="-I../../bindings" PKG_LIBS="-L.. -lbayeslin -Wl,-rpath,$PWD/.." R CMD SHLIB bayeslin_r.c) \
        > $work/out 2>&1
    verdict 'R CMD SHLIB' $? $work/out
    Rscript bindings/R/example.R > $work/got 2>&1
    printed 'bindings/R/example.R'
    Rscript tests/bindings/test_r.R > $work/out 2>&1
    verdict tests/bindings/test_r.R $? $work/out
    Rscript tests/bindings/pages.R > $work/out 2>&1
    verdict 'R in docs' $? $work/out
    grep '^not found' $work/out
fi

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
