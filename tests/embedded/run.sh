#!/bin/sh
# run.sh - the library on a Cortex-M4 without an operating system; ends with `N passed, N failed`
#
#     sh tests/embedded/run.sh [linear|loaded|sequential ...]        from the top of the project, after make
#
# Each program is built by arm-none-eabi-gcc, for the size of its flash, and runs in qemu-system-arm; its numbers are compared with
# those of the same program on this computer. Bytes of flash (code, constants, first values of variables), of stack (how far a
# pattern in it was written over) and of heap (at its peak) are printed, and checked against the table below. Needs the Debian
# packages gcc-arm-none-eabi, libnewlib-arm-none-eabi and qemu-system-arm; without them it says so and fails.
#
# INCLUDE: folder of bayeslin.h (default: build/include).
export LC_ALL=C
include=${INCLUDE:-build/include} here=tests/embedded dir=build/embedded
cc=${CC:-cc}
passed=0 failed=0

# The most that each may take: a tenth above what was measured. Raise a limit only on purpose, and say why in the commit.
#       program     flash   stack    heap
limits='
        linear     108000    5200   16700
        loaded      54900    5200   12200
        sequential  47500    2200    7000
'

# Enumerations take a byte where they can on this machine, and tests for negative ones are then idle: -Wno-type-limits.
target='-mcpu=cortex-m4 -mthumb -Os -ffunction-sections -fdata-sections
        -std=gnu99 -Wall -Wextra -Wshadow -Wconversion -Wno-type-limits'
machine='qemu-system-arm -M mps2-an386 -cpu cortex-m4 -nographic -monitor none -serial none
         -semihosting-config enable=on,target=native'
for tool in arm-none-eabi-gcc arm-none-eabi-size qemu-system-arm; do
    command -v $tool > /dev/null 2>&1 || { echo "not found: $tool"; echo '0 passed, 1 failed'; exit 1; }
done
[ -f "$include/bayeslin.h" ] || { echo "no $include/bayeslin.h: run make first"; echo '0 passed, 1 failed'; exit 1; }
mkdir -p $dir

check() {       # 0 or 1, what it was
    if [ "$1" = 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAIL $2"; fi
}
must() {        # what it is, command...        must succeed without a word
    what=$1
    shift
    if "$@" > $dir/said 2>&1 && [ ! -s $dir/said ]; then check 0; else check 1 "$what"; head -n 20 $dir/said | sed 's/^/    /'; fi
}
within() {      # what it is, measured (may be nothing), limit
    [ -n "$2" ] && [ "$2" -le "$3" ]
    check $? "$1: ${2:-not known}, and the limit is $3"
}

# The same elementary operations on both machines; what is left is the rounding of two C libraries.
host="$cc -std=c99 -O0 -DBAYESLIN_MAX_LEVEL=0 -I$include -I$dir"
board="arm-none-eabi-gcc $target -I$include -I$dir"
must 'library.c for this computer' $host -c $here/library.c -o $dir/library-host.o
must 'library.c for the machine' $board -c $here/library.c -o $dir/library.o
must 'board.c' $board -c $here/board.c -o $dir/board.o
must 'compare_bits.c' $cc -std=c99 -O1 $here/compare_bits.c -o $dir/compare_bits -lm
must 'write_model.c' $host $here/write_model.c $here/host.c $dir/library-host.o -o $dir/write_model -lm
$dir/write_model > $dir/model.h || check 1 'write_model'

printf '%-12s %8s %8s %8s\n' Cortex-M4 flash stack heap
echo "$limits" > $dir/limits
while read -r name flash_limit stack_limit heap_limit; do
    [ -n "$name" ] || continue
    [ $# = 0 ] || case " $* " in *" $name "*) ;; *) continue ;; esac
    rm -f $dir/$name.elf $dir/$name.out
    must "$name: host" $host $here/$name.c $here/host.c $dir/library-host.o -o $dir/$name -lm
    must "$name: machine" $board -nostdlib -T$here/board.ld -Wl,--gc-sections $here/$name.c $dir/board.o $dir/library.o \
        -o $dir/$name.elf -lm -lc -lgcc
    [ -f $dir/$name.elf ] || continue
    $dir/$name > $dir/$name.expected
    check $? "$name: ends well on this computer"
    timeout 120 $machine -kernel $dir/$name.elf > $dir/$name.out 2>&1 < /dev/null
    check $? "$name: ends well on the machine"
    $dir/compare_bits $dir/$name.expected $dir/$name.out 1e-12 > $dir/$name.difference
    check $? "$name: numbers"
    flash=$(arm-none-eabi-size $dir/$name.elf | awk 'NR == 2 { print $1 + $2 }')
    stack=$(sed -n 's/^stack //p' $dir/$name.out) heap=$(sed -n 's/^heap //p' $dir/$name.out)
    printf '%-12s %8s %8s %8s   %s\n' "$name" "$flash" "${stack:--}" "${heap:--}" "$(tail -n 1 $dir/$name.difference)"
    within "$name: bytes of flash" "$flash" "$flash_limit"
    within "$name: bytes of stack" "$stack" "$stack_limit"
    within "$name: bytes of heap" "$heap" "$heap_limit"
done < $dir/limits
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
