#!/bin/sh
# run.sh - the library on a Cortex-M4 without an operating system; ends with `N passed, N failed`
#
#     sh tests/embedded/run.sh [linear|loaded|sequential ...]        from the top of the project, after make
#
# Each program is one file with its own copy of what it uses of the library (BAYESLIN_STATIC), is built by arm-none-eabi-gcc for the
# size of its flash, and runs in qemu-system-arm; its numbers are compared with those of the same program on this computer. Bytes of
# flash (code, constants, first values of variables), of stack (how far a pattern in it was written over) and of heap (at its peak)
# are printed, and checked against the table below. Needs the Debian packages gcc-arm-none-eabi, libnewlib-arm-none-eabi and
# qemu-system-arm; without them it says so and fails.
#
# INCLUDE: folder of bayeslin.h (default: build/include).
export LC_ALL=C
include=${INCLUDE:-build/include} here=tests/embedded dir=build/embedded
cc=${CC:-cc}
passed=0 failed=0

# The most that each may take: a few hundredths of flash and a tenth of stack and heap above what was measured; without words, and
# with the model of 2452 bytes in it, `loaded` is to stay below 40,000. Raise a limit only on purpose, and say why in the commit.
#       program     option            flash   stack    heap
limits='
        linear      -                 96000    5200   16700
        loaded      -                 46000    5200   12200
        loaded      BAYESLIN_NO_TEXT  40000    5200   12200
        sequential  -                 35000    2200    7000
        sequential  BAYESLIN_NO_TEXT  32000    2200    7000
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
own='-DBAYESLIN_IMPLEMENTATION -DBAYESLIN_STATIC'
must 'board.c' $board -c $here/board.c -o $dir/board.o
must 'compare_bits.c' $cc -std=c99 -O1 $here/compare_bits.c -o $dir/compare_bits -lm
must 'host.c' $host -c $here/host.c -o $dir/host.o
must 'write_model.c' $host $own $here/write_model.c $dir/host.o -o $dir/write_model -lm
$dir/write_model > $dir/model.h || check 1 'write_model'

printf '%-12s %-16s %8s %8s %8s\n' Cortex-M4 option flash stack heap
echo "$limits" > $dir/limits
while read -r name option flash_limit stack_limit heap_limit; do
    [ -n "$name" ] || continue
    [ $# = 0 ] || case " $* " in *" $name "*) ;; *) continue ;; esac
    rm -f $dir/$name.elf $dir/$name.out
    [ "$option" = - ] && own_options=$own || own_options="$own -D$option"
    must "$name: host" $host $own_options $here/$name.c $dir/host.o -o $dir/$name -lm
    must "$name: machine" $board $own_options -nostdlib -T$here/board.ld -Wl,--gc-sections $here/$name.c $dir/board.o \
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
    printf '%-12s %-16s %8s %8s %8s   %s\n' "$name" "$option" "$flash" "${stack:--}" "${heap:--}" \
        "$(tail -n 1 $dir/$name.difference)"
    within "$name: bytes of flash" "$flash" "$flash_limit"
    within "$name: bytes of stack" "$stack" "$stack_limit"
    within "$name: bytes of heap" "$heap" "$heap_limit"
done < $dir/limits
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
