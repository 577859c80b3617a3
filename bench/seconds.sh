# seconds.sh - the user CPU time of a command, for the scripts that read it
#
# timed FOLDER COMMAND...: runs it, its output into FOLDER/scores; then the lines of FOLDER/before and /after, which `times` wrote
# around it and whose second one begins with the user time of all children so far, as 1m2.34s, and those of /scores: for an awk
# program that begins with $timed_awk, in which `used` is then the seconds. A command that fails ends the script.
timed() {
    timed_in=$1
    shift
    times > "$timed_in/before"
    "$@" > "$timed_in/scores" 2> "$timed_in/errors" || { cat "$timed_in/errors" >&2; exit 1; }
    times > "$timed_in/after"
    cat "$timed_in/before" "$timed_in/after" "$timed_in/scores" > "$timed_in/timed"
}
timed_awk='
    NR == 2 || NR == 4 { split($1, part, /[ms]/); used = 60*part[1] + part[2] - used }
    $1 == "fold" { for (i = 1; i <= NF; i++) column[$i] = i }'
