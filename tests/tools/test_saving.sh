#!/bin/sh
# test_saving.sh - how the tool's files take their place; ends with `N passed, N failed`
#
#     sh tests/tools/test_saving.sh [TOOL]        from the top of the project, after make
. tests/tools/tool.sh

printf 'a,y\n1,2\n2,4.1\n3,5.9\n4,8.2\n5,9.8\n' > line.csv
"$tool" fit line.csv --target y --basis linear -o good.bln > out 2>&1 || bad "fit"
echo old > old

# Three processes save to one path while another loads from it.
saver() {       # basis
    for i in 1 2 3 4 5 6 7 8 9 10; do
        "$tool" fit line.csv --target y --basis "$1" --plug-in -o shared.bln > /dev/null 2>> shared.err
    done
}
cp good.bln shared.bln
saver linear & one=$!
saver rbf:n=200 & two=$!
saver polynomial:degree=3 & three=$!
loads=0 broken=0
while kill -0 $one 2> /dev/null || kill -0 $two 2> /dev/null || kill -0 $three 2> /dev/null; do
    loads=$((loads + 1))
    "$tool" info shared.bln > out 2> err || broken=$((broken + 1))
done
wait
said="three that save to one path"
if [ $loads -gt 0 ] && [ $broken = 0 ]; then good; else bad "$said: $broken of $loads loads fail"; fi
if [ ! -s shared.err ]; then good; else bad "$said: $(head -n 3 shared.err)"; fi

# Of a name that holds the number of the process, a link or a pipe that waits there is let alone. exec keeps the number.
for kind in 'ln -s victim' 'ln -s nothing' mkfifo; do
    mkdir trap; cp old trap/victim
    said="$kind at a likely name"
    fit="\"$tool\" fit ../line.csv --target y --basis linear -o good.bln"
    (cd trap && exec sh -c "$kind good.bln.\$\$.tmp; $kind good.bln.tmp; exec $fit" > /dev/null 2>&1) & fit=$!
    (sleep 20; kill $fit) > /dev/null 2>&1 & clock=$!
    if wait $fit; then good; else bad "$said: fit fails or waits"; fi
    kill $clock 2> /dev/null
    same trap/victim old "$said"; same trap/good.bln good.bln "$said"; absent trap/nothing
    rm -r trap
done

# The mode stays; a new file has what the umask leaves.
mode() { ls -l "$1" | cut -c1-10; }
for bits in 600 640 444; do
    cp good.bln mode.bln; chmod $bits mode.bln; was=$(mode mode.bln)
    if [ -w mode.bln ]; then run 0 fit line.csv --target y --basis linear -o mode.bln; fi
    if [ "$(mode mode.bln)" = "$was" ]; then good; else bad "-o: mode $was becomes $(mode mode.bln)"; fi
    rm -f mode.bln
done
(umask 027; "$tool" fit line.csv --target y --basis linear -o mode.bln) > out 2>&1
if [ "$(mode mode.bln)" = -rw-r----- ]; then good; else bad "-o: a new file is $(mode mode.bln)"; fi

# What cannot be written whole leaves the old file: files may have no bytes here, which shows when the buffer is written.
cp old full.bln
for verb in 'fit line.csv --target y --basis linear' 'predict good.bln line.csv' 'plot good.bln line.csv --x a'; do
    # shellcheck disable=SC2086
    (ulimit -f 0 && trap '' XFSZ && exec "$tool" $verb -o full.bln 2>&1) | cat > err
    said="$verb, with a full disk"; err_has "full.bln: "; same full.bln old "$said"
done
# A link into a folder that is not there, and a folder in which nothing may be created (where root may too).
ln -s no/such/folder.bln nowhere.bln
run 1 fit line.csv --target y --basis linear -o nowhere.bln; err_has "nowhere.bln: No such file"
mkdir closed; cp old closed/keep.bln; chmod 555 closed
if [ ! -w closed ]; then run 1 fit line.csv --target y --basis linear -o closed/keep.bln; err_has "cannot be written there"; fi
chmod 755 closed
if [ "$(id -u)" != 0 ]; then same closed/keep.bln old "a closed folder"; fi

set -- *.tmp closed/*.tmp
if [ "$*" = '*.tmp closed/*.tmp' ]; then good; else bad "left behind: $*"; fi

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
