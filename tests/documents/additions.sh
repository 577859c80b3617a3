#!/bin/sh
# additions.sh - carries out docs/worked_additions.md in a copy of the project; ends with `N passed, N failed`
#
#     make test PARTS=additions                  a few seconds: the tests that the page shows, and its verb in the tool
#     sh tests/documents/additions.sh -long      also all that `make test` knows of lists and of answers in JSON (make test-all)
#
# Compiled as make does, but without optimisation and warnings, which would take twice as long. Of the tool only the files that the
# list of verbs is part of are compiled anew, and linked with the others as make left them.
page=docs/worked_additions.md
copy=build/additions
passed=0 failed=0
verdict() {     # name, 0 or 1, what to show
    if [ "$2" = 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAIL $1"; tail -n 20 "$3" | sed 's/^/    /'; fi
}
finish() { echo "$passed passed, $failed failed"; [ "$failed" = 0 ]; exit; }
words=$(tr ' ' '\n' < build/flags | grep -vE '^-W[a-z-]*$|^-pedantic$')
flags=$(echo "$words" | grep -v '^-l') libraries=$(echo "$words" | grep '^-l')
compile() { $flags -O0 "$@" > $copy/said 2>&1; }
last() { tail -n 1 $copy/said | grep -q '^[1-9][0-9]* passed, 0 failed$'; }

rm -rf $copy
mkdir -p $copy/include $copy/made
for file in * .ci .editorconfig; do [ "$file" = build ] || cp -r "$file" $copy/; done
awk -v root=$copy -f tests/documents/apply.awk $page > $copy/said 2>&1
result=$?
verdict "$page: its changes" $result $copy/said
[ $result = 0 ] || finish

# ---- the library: the header of the copy, and a program of the tests ----
compile $copy/tools/amalgamate.c -o $copy/amalgamate $libraries &&
    $copy/amalgamate $copy/src > $copy/include/bayeslin.h 2> $copy/said
verdict "$page: the header" $? $copy/said
suites='basis/test_kernel basis/test_fourier likelihood/test_durations glm/test_prior_only'
{
    for suite in $suites; do echo "#include \"../tests/$suite.c\""; done
    echo "#define TEST_SUITES $(for suite in $suites; do printf '&suite_%s, ' "${suite#*/test_}"; done)"
} > $copy/made/suites.h
compile -DBAYESLIN_WITH_GLM -DBAYESLIN_WITH_FILES -I$copy/made -I$copy/include $copy/tests/main.c -o $copy/tests_of_it $libraries
result=$?
verdict "$page: the tests compile" $result $copy/said
for filter in kernel.slash fourier.kernels_by_monte_carlo durations prior_only; do
    [ $result = 0 ] || break
    $copy/tests_of_it --filter $filter > $copy/said 2>&1 && last
    verdict "$page: test $filter" $? $copy/said
done

# ---- the verb: what the page says that it prints ----
objects=$(find build/tools -name '*.o')
for source in $(cd $copy && grep -l 'CLI_VERBS\|VERB_COUNT' tools/*.c tools/cli/*.c) tools/cli/verb_terms.c; do
    object=$copy/made/${source##*/}.o
    compile -Ibuild/include -c $copy/$source -o "$object" || verdict "$page: $source" 1 $copy/said
    objects="$(echo "$objects" | grep -vx "build/${source%.c}.o") $object"
done
compile $objects -o $copy/bayeslin $libraries
verdict "$page: the tool" $? $copy/said
# The last two blocks of the page: commands, of which it has no others, and what the last of them prints.
block() {       # its language
    awk -v kind="$1" '
        /^```/ { inside = !inside; if (inside && (on = $0 == "```" kind)) text = ""; next }
        inside && on { text = text $0 "\n" }
        END { printf "%s", text }' $page
}
[ "$(grep -c '^```sh$' $page)" = 1 ]
verdict "$page: one block of commands" $? $page
block text > $copy/made/expected
block sh | sed "s|build/bayeslin|$copy/bayeslin|; s|build/two|$copy/two|" > $copy/made/commands
sed '$d' $copy/made/commands > $copy/made/first
tail -n 1 $copy/made/commands > $copy/made/last
sh $copy/made/first > $copy/said 2>&1 && sh $copy/made/last > $copy/said 2>&1 && cmp -s $copy/said $copy/made/expected
verdict "$page: what the verb prints" $? $copy/said

# ---- all lists, and answers in JSON ----
if [ "${1:-}" = -long ]; then
    (cd $copy && MAKEFLAGS= make CFLAGS=-O0) > $copy/said 2>&1 && ! grep 'warning:' $copy/said
    verdict "$page: make, without a warning" $? $copy/said
    for what in "PARTS='house header json'" ROOM=basis/kernel ROOM=glm/prior_only; do
        (cd $copy && eval "MAKEFLAGS= make CFLAGS=-O0 $what test") > $copy/said 2>&1 && last
        verdict "$page: make $what test" $? $copy/said
    done
fi
finish
