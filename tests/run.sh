#!/bin/sh
# run.sh - all tests, one part after the other; ends with `N passed, N failed` over all of them
#
#     make test                          builds what this needs, then calls it from the top of the project
#     make test PARTS="rooms tool"       only these: header house rooms tool saving tables answers auto stream glm classes groups
#                                          formula diagnose parts examples compile
#     make test PARTS=examples EXAMPLES="examples/01_line.c examples/14_iris.c"       only these examples
#
# A part is a command whose last line is `N passed, N failed`. One that ends otherwise, or with an exit status that does not fit,
# counts as one failure.
passed=0 failed=0

count() { passed=$((passed + $1)); failed=$((failed + $2)); }

part() {        # name, command...
    name=$1; shift
    case " ${PARTS:-$name} " in *" $name "*) ;; *) return ;; esac
    log=build/log/$name.txt
    "$@" < /dev/null > "$log" 2>&1
    status=$?
    last=$(tail -n 1 "$log")
    p=$(echo "$last" | sed -n 's/^\([0-9][0-9]*\) passed, [0-9][0-9]* failed$/\1/p')
    f=$(echo "$last" | sed -n 's/^[0-9][0-9]* passed, \([0-9][0-9]*\) failed$/\1/p')
    if [ -z "$p" ]; then p=0 f=1; echo "$name: ended without its last line, exit status $status" >> "$log"
    elif [ "$f" = 0 ] && [ "$status" != 0 ]; then f=1; echo "$name: exit status $status" >> "$log"
    elif [ "$p" = 0 ] && [ "$f" = 0 ]; then f=1; echo "$name: tested nothing" >> "$log"
    fi
    if [ "$f" != 0 ]; then sed '/ passed, .* failed$/d' "$log"; fi
    grep -h '^not found' "$log"
    printf '%-10s %s passed, %s failed\n' "$name" "$p" "$f"
    count "$p" "$f"
}

# The committed header is what src/ gives; the programs above were built with a header joined just now.
header() {
    if cmp build/include/bayeslin.h bayeslin.h; then echo '1 passed, 0 failed'
    else echo 'bayeslin.h is not what src/ gives: run make, and commit both'; echo '0 passed, 1 failed'; return 1; fi
}

# Each example's output, number by number, against the expected one.
examples() {
    p=0 f=0
    mkdir -p build/examples
    for source in ${EXAMPLES:-examples/[0-9]*.c}; do
        program=build/${source%.c}
        if $program "$program.svg" > "$program.out" 2>&1 && build/compare_numbers "${source%.c}.expected" "$program.out"
        then p=$((p + 1)); else f=$((f + 1)); echo "FAIL $source"; fi
    done
    echo "$p passed, $f failed"
    [ "$f" = 0 ]
}

mkdir -p build/log
part header   header
part house    sh tools/check_house.sh
part rooms    build/tests "$@"
part tool     sh tests/tools/test_cli.sh
part saving   sh tests/tools/test_saving.sh
part tables   sh tests/tools/test_tables.sh
part answers  sh tests/tools/test_answers.sh
part auto     sh tests/tools/test_auto.sh
part stream   sh tests/tools/test_stream.sh
part glm      sh tests/tools/test_glm.sh
part classes  sh tests/tools/test_classes.sh
part groups   sh tests/tools/test_groups.sh
part formula  sh tests/tools/test_formula.sh
part diagnose sh tests/tools/test_diagnose.sh
part parts    sh tests/tools/test_parts.sh
part examples examples
part compile  sh tests/compile/run.sh
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
