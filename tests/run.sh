#!/bin/sh
# run.sh - tests, part by part; ends with `N passed, N failed` over all of them
#
#     make test                          builds what this needs, then calls it from the top of the project: some minutes
#     make test-all                      all parts, with long statistical tests: compilers, C++, other languages, sizes of parts
#     make test PARTS="rooms tool"       only these: header house rooms tool saving faults inside json compare tables reading
#                                          answers auto stream glm classes groups formula pictures diagnose documents
#                                          additions parts examples bindings compile
#     make test PARTS=examples EXAMPLES="examples/01_line.c examples/14_iris.c"       only these examples
#
# A part is a command whose last line is `N passed, N failed`. One that ends otherwise, or with an exit status that does not fit,
# counts as one failure. JOBS parts at a time (default: processors); each says what failed as it ends.
usual='rooms tool glm auto stream classes diagnose groups pictures formula additions examples saving json compare documents'
usual="$usual reading answers faults inside"
parts=${PARTS:-$usual house header}
jobs=${JOBS:-$(getconf _NPROCESSORS_ONLN 2> /dev/null || echo 1)}

part() {        # name, command
    name=$1 log=build/log/$1.txt
    sh -c "$2" < /dev/null > "$log" 2>&1
    status=$?
    last=$(tail -n 1 "$log")
    p=$(echo "$last" | sed -n 's/^\([0-9][0-9]*\) passed, [0-9][0-9]* failed$/\1/p')
    f=$(echo "$last" | sed -n 's/^[0-9][0-9]* passed, \([0-9][0-9]*\) failed$/\1/p')
    if [ -z "$p" ]; then p=0 f=1; echo "$name: ended without its last line, exit status $status" >> "$log"
    elif [ "$f" = 0 ] && [ "$status" != 0 ]; then f=1; echo "$name: exit status $status" >> "$log"
    elif [ "$p" = 0 ] && [ "$f" = 0 ]; then f=1; echo "$name: tested nothing" >> "$log"
    fi
    echo "$p $f" > "$log.count"
    {
        if [ "$f" != 0 ]; then sed '/ passed, .* failed$/d' "$log"; fi
        grep -h '^not found' "$log"
        printf '%-10s %s passed, %s failed\n' "$name" "$p" "$f"
    } > "$log.said"
    cat "$log.said"
}

# Takes one part after the other that nobody else has taken: mkdir fails for all but one.
worker() {
    while read -r name command; do
        case " $parts " in *" $name "* | ' all ') mkdir "build/log/taken/$name" 2> /dev/null && part "$name" "$command" ;; esac
    done < build/log/parts
}

# What these two do is short: the committed header is what src/ gives (the programs were built with a header joined just now); and
# each example's output, number by number, against the expected one.
case ${1:-} in
header)
    if cmp build/include/bayeslin.h bayeslin.h; then echo '1 passed, 0 failed'
    else echo 'bayeslin.h is not what src/ gives: run make, and commit both'; echo '0 passed, 1 failed'; exit 1; fi
    exit ;;
examples)
    p=0 f=0
    mkdir -p build/examples
    for source in ${EXAMPLES:-examples/[0-9]*.c}; do
        program=build/${source%.c}
        if $program "$program.svg" > "$program.out" 2>&1 && build/compare_numbers "${source%.c}.expected" "$program.out"
        then p=$((p + 1)); else f=$((f + 1)); echo "FAIL $source"; fi
    done
    echo "$p passed, $f failed"
    [ "$f" = 0 ]
    exit ;;
esac

rm -rf build/log
mkdir -p build/log/taken
# The longest first.
cat > build/log/parts << END
compile sh tests/compile/run.sh
rooms ${TESTS:-build/tests} $*
tool sh tests/tools/test_cli.sh
glm sh tests/tools/test_glm.sh
auto sh tests/tools/test_auto.sh
stream sh tests/tools/test_stream.sh
classes sh tests/tools/test_classes.sh
diagnose sh tests/tools/test_diagnose.sh
groups sh tests/tools/test_groups.sh
pictures sh tests/tools/test_pictures.sh
formula sh tests/tools/test_formula.sh
additions sh tests/documents/additions.sh ${TESTS#build/tests}
examples sh tests/run.sh examples
bindings sh tests/bindings/run.sh '$CC'
saving sh tests/tools/test_saving.sh
faults sh tests/tools/test_faults.sh
inside sh tests/tools/test_inside.sh
json sh tests/tools/test_json.sh
compare sh tests/tools/test_compare.sh
documents sh tests/documents/run.sh
tables sh tests/tools/test_tables.sh
reading sh tests/tools/test_reading.sh
answers sh tests/tools/test_answers.sh
parts sh tests/tools/test_parts.sh
house sh tools/check_house.sh
header sh tests/run.sh header
END
while [ "$jobs" -gt 1 ]; do worker & jobs=$((jobs - 1)); done
worker
wait
passed=0 failed=0
for taken in build/log/taken/*; do
    [ -d "$taken" ] || { echo "no such part: $parts"; failed=1; break; }
    read -r p f < "build/log/${taken##*/}.txt.count"
    passed=$((passed + p)) failed=$((failed + f))
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
