#!/bin/sh
# check.sh - makes the golden tables anew with their programs, and compares
#
#     sh tests/golden/check.sh              the quick ones, from the top of the project: about a minute
#     sh tests/golden/check.sh all          all of them: twenty minutes or more
#     sh tests/golden/check.sh slm gp       only these
#
# Needs Debian's python3 with mpmath, numpy, scipy and sklearn (PYTHON=/usr/bin/python3), R with its packages loo and posterior, and
# a C compiler. The programs need nothing else: what they read is in tests/golden/data and examples/data, with its origin. Tables must
# come out to the last digit, but for those of programs that compute in double, whose last digits belong to their linear algebra.
# No program: birthwt (R's data set, its origin in its head), decimal (Python's float, in its head), cbpp in groups (Stan).
python=${PYTHON:-/usr/bin/python3}
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
${CC:-cc} -O1 tools/compare_numbers.c -o "$scratch/compare" -lm || exit 1
p=0 f=0

table() {       # name, quick or long, relative and absolute tolerance ("exact": none), file, command
    case " $wanted " in *" $1 "* | ' all ') ;; '  ') [ "$2" = quick ] || return 0 ;; *) return 0 ;; esac
    name=$1 kind=$3 file=$4
    shift 4
    if ! "$@" > "$scratch/new" 2> "$scratch/errors"; then
        f=$((f + 1)); echo "FAIL $name: $* ended with an error"; tail -n 3 "$scratch/errors"
    elif [ "$kind" = exact ] && cmp "$scratch/new" "$file"; then p=$((p + 1))
    elif [ "$kind" != exact ] && { echo "# tolerance $kind"; cat "$file"; } > "$scratch/old" &&
        "$scratch/compare" "$scratch/old" "$scratch/new"; then p=$((p + 1))
    else f=$((f + 1)); echo "FAIL $name: $file is not what its program writes"
    fi
}

py() {          # name, quick or long, tolerance, program and its arguments
    name=$1 how=$2 kind=$3 program=$4
    shift 4
    table "$name" "$how" "$kind" "tests/golden/${name}_golden.h" "$python" "tools/golden_$program.py" "$@"
}

wanted=$*
for name in advi augment bases cavi files lbfgs metrics minibatch mixture nist own_mixture polya_gamma program qmc rng sgd slm \
            special_elementary special_reference vecmath; do
    py $name quick exact $name
done
py quadrature quick exact quadrature golden
py gp quick '1e-11 1e-13' gp
py psis quick '1e-12 1e-13' psis
py sparse quick '1e-11 1e-13' sparse
table convergence quick '1e-12 1e-13' tests/golden/convergence_golden.h Rscript tools/golden_convergence.R
table glm_refs quick '1e-11 1e-12' tests/golden/data/glm_refs.csv Rscript tools/golden_glm.R
for name in discrete distributions latents special gibbs glm; do py $name long exact $name; done
py glm_full long '1e-8 1e-9' glm_full
py glm_nodes long exact nodes
py groups long '1e-7 1e-8' groups
py likelihood long exact likelihood points
py expect long exact likelihood expectations
py predictive long exact likelihood predictive
table ziggurat long exact src/random/ziggurat_tables_private.h "$python" tools/golden_ziggurat.py
echo "$p passed, $f failed"
[ "$f" = 0 ] && [ "$p" != 0 ]
