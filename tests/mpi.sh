#!/bin/sh
# mpi.sh - the examples of several processes under MPI; ends with `N passed, N failed`
#
#     make examples-mpi build/compare_numbers && sh tests/mpi.sh        from the top of the project
#
# The expected output with one, two and three processes; of mpi_slm, each compared with one process; a part with a bad row must end
# them all.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
out=build/mpi.txt
passed=0 failed=0
good() { passed=$((passed + 1)); }
bad() { failed=$((failed + 1)); echo "FAIL $1"; sed 's/^/    /' $out; }
run() { timeout 120 mpirun --oversubscribe -np "$@" > $out 2>&1 < /dev/null; }
slm=build/examples/mpi_slm

for n in 1 2 3; do
    if run $n $slm && build/compare_numbers examples/mpi_slm.expected $out; then good; else bad "$n processes"; fi
    if run $n build/examples/mpi_glm && build/compare_numbers examples/mpi_glm.expected $out
    then good; else bad "mpi_glm, $n processes"; fi
    if run $n $slm --check; then good; else bad "$n processes and one differ"; fi
    if run $n $slm --check examples/data/mcycle.csv polynomial:degree=5; then good; else bad "$n processes, exact arithmetic"; fi
done
sed '400s/,/,x/' examples/data/boston.csv > build/mpi.csv
if run 2 $slm build/mpi.csv; then bad "a bad row was taken"; else good; fi
if grep -q 'rank 1: build/mpi.csv: line [0-9]* of the part from byte [0-9]*: not as' $out
then good; else bad "the bad row is not named"; fi
if grep -q 'rank 0: allreduce: another process failed' $out; then good; else bad "rank 0 does not know"; fi
if run 3 $slm build/no_such_file.csv; then bad "a file that is not there was taken"; else good; fi
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
