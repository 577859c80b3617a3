#!/bin/sh
# test_parts.sh - tools/parts.sh with a made-up header of two parts; ends with `N passed, N failed`
#
#     sh tests/tools/test_parts.sh        from the top of the project
dir=build/test_parts
mkdir -p $dir/include
passed=0 failed=0
compiler=
for c in gcc clang; do if command -v $c > /dev/null 2>&1; then compiler=$c; break; fi; done
if [ -z "$compiler" ]; then echo 'not found: gcc, clang'; echo '1 passed, 0 failed'; exit 0; fi

cat > $dir/include/bayeslin.h << 'END'
double bln_small(double x);
double bln_large(double x);
#ifdef BAYESLIN_IMPLEMENTATION
#if !defined(BAYESLIN_WITH_SMALL) && !defined(BAYESLIN_WITH_LARGE)
#define BAYESLIN_WITH_SMALL
#define BAYESLIN_WITH_LARGE
#endif
#ifdef BAYESLIN_WITH_SMALL
double bln_small(double x) { return x + 1.0; }
#endif
#ifdef BAYESLIN_WITH_LARGE
double blni_helper(double x);
double bln_large(double x)
{
    const double y = x * x - 3.0;
    return bln_small(y) / (y * x + 2.0) - y / (x + 5.0);
}
#endif
#endif
END
cat > $dir/README.md << 'END'
```c
#define BAYESLIN_IMPLEMENTATION
#include "bayeslin.h"
int main(void) { return (int)bln_small(1.0); }
```
END

# table VERSION LINES SMALL: a table of limits, those of `small` as given
table() {
    printf '%s\n' "versions $compiler $1" \
        "# name program macros lines $compiler-O0 $compiler-O2 $compiler-Os" \
        'everything library - - - - -' "small library WITH_SMALL $2 $3 $3 $3" 'first_small first WITH_SMALL - - - -' \
        'large library WITH_LARGE - - - -'
}
run() {
    LIMITS=$dir/limits INCLUDE=$dir/include README=$dir/README.md COMPILERS="$compiler" TIMES=1 PEERS= \
        sh tools/parts.sh "$@" > $dir/out 2>&1
}
expect() {      # what, 0 or 1: the exit status, a pattern that the output has
    if [ $status = "$2" ] && grep -q -- "$3" $dir/out; then passed=$((passed + 1)); return; fi
    failed=$((failed + 1))
    echo "FAIL $1: exit status $status"
    sed 's/^/    /' $dir/out
}
version=$($compiler -dumpversion | cut -d. -f1)
case $($compiler -dumpmachine) in x86_64*) checked=1 ;; *) checked=0 ;; esac

table "$version" 100 10000 > $dir/limits
run everything small first_small;  status=$?; expect 'all within their limits' 0 '^first_small '
run --quick small;                 status=$?; expect 'only what is asked for' 0 '-O2 s .*-Os s'
if grep -q '^everything' $dir/out; then failed=$((failed + 1)); echo 'FAIL only what is asked for'; else passed=$((passed + 1)); fi
run large;                         status=$?; expect 'a part that needs another' 1 'FAIL large: .* has no bln_small'
run medium;                        status=$?; expect 'a name that is not there' 1 'FAIL medium: no such configuration'
run --fast;                        status=$?; expect 'an unknown option' 2 'unknown option --fast'
table "$version" 100 4 > $dir/limits
run small;                         status=$?; expect 'too many bytes' $checked 'small'
table $((version + 1)) 100 4 > $dir/limits
run small;                         status=$?; expect 'a compiler without limits' 0 'there are no limits'
table $((version + 1)) 2 - > $dir/limits
run small;                         status=$?; expect 'too many lines' 1 'FAIL small, lines: 3, and the limit is 2'
run --write small;                 status=$?
run small;                         status=$?; expect 'limits that were written' 0 '^small '
if grep -Eq '^small +library +WITH_SMALL +3 +[1-9][0-9]* +[1-9][0-9]* +[1-9][0-9]*$' $dir/limits; then passed=$((passed + 1))
else failed=$((failed + 1)); echo 'FAIL the table that was written'; cat $dir/limits; fi
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
