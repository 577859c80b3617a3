# tool.sh - what the tests of the tool have in common; they read it at their beginning, in the top of the project
#
# All files are made in a folder in build/, which is removed at the end.
tool=${1:-build/bayeslin}
case $tool in /*) ;; *) tool=$PWD/$tool ;; esac
top=$PWD data=$PWD/examples/data
tests=$PWD/tests/tools
work=$PWD/build/test_tool.$$
mkdir -p "$work" || exit 2
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
cd "$work" || exit 2
passed=0 failed=0

good() { passed=$((passed + 1)); }
bad() { failed=$((failed + 1)); echo "FAIL $*"; }

# run STATUS ARGUMENTS... - runs the tool, keeps out and err, checks the exit status
run() {
    want=$1; shift
    said="bayeslin $*"
    "$tool" "$@" > out 2> err < /dev/null
    got=$?
    if [ "$got" = "$want" ]; then good; else bad "$said: exit status $got, not $want"; sed 's/^/    /' err; fi
}
# The last run: exactly this line on standard output / standard error; this text somewhere in it; or nothing at all.
out_has() { if grep -qF -- "$1" out; then good; else bad "$said: no \"$1\" in its output"; sed 's/^/    /' out; fi; }
err_has() { if grep -qF -- "$1" err; then good; else bad "$said: no \"$1\" in its messages"; sed 's/^/    /' err; fi; }
err_empty() { if [ ! -s err ]; then good; else bad "$said: messages where none belong"; sed 's/^/    /' err; fi; }
differ() { if cmp -s "$1" "$2"; then bad "$1 and $2 are the same ($3)"; else good; fi; }
same() { if cmp -s "$1" "$2"; then good; else bad "$1 and $2 differ ($3)"; fi; }
absent() { for f in "$@"; do if [ -e "$f" ]; then bad "$said: left $f behind"; else good; fi; done; }
# yes TEXT AWK-PROGRAM FILE... - the program, which gets the figures of the files, leaves ok as 1
yes() {
    what=$1 condition=$2; shift 2
    if awk "BEGIN { ok = 1 } $condition END { exit !ok }" "$@"; then good; else bad "$what"; sed 's/^/    /' "$@"; fi
}
# near NAME FIELD VALUE TOLERANCE FILE - the field of the line that begins with the name
near() {
    yes "$said: $1, field $2, is not $3 to $4" '
        { at = index($0, "'"$1"'") }
        at && at <= 3 && !n { n = 1; x = $'"$2"' - ('"$3"'); if (x < 0) x = -x; if (!(x <= '"$4"')) ok = 0 }
        END { if (!n) ok = 0 } ' "$5"
}
