#!/bin/sh
# emulated.sh - a compiler for another machine whose programs run on this one
#
#     make test CC='sh tests/emulated.sh aarch64-linux-gnu-gcc qemu-aarch64'
#
# What is linked becomes a script that runs it under the emulator, so that tests and tools need not know.
compiler=$1 emulator=$2
shift 2
program= links=yes before=
for word; do
    case $word in -c | -E | -S | -fsyntax-only | --version) links= ;; esac
    if [ "$before" = -o ]; then program=$word; fi
    before=$word
done
if [ -z "$links" ] || [ ! "${program#/dev/null}" ]; then exec "$compiler" "$@"; fi
"$compiler" -static "$@" || exit
case $program in /*) ;; *) program=$PWD/$program ;; esac
mv "$program" "$program.machine"
printf '#!/bin/sh\nexec %s "%s.machine" "$@"\n' "$emulator" "$program" > "$program"
chmod +x "$program"
