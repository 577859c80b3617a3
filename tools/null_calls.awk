# null_calls.awk - calls of all public functions that return a status or free something, with NULL for each pointer, 1 for each size
#
#     awk -f tools/null_calls.awk build/include/bayeslin.h > build/null_calls.h
#
# Reads the declarations above the implementation; writes one line for each such function, REFUSES(bln_x(NULL, 1)) or
# IGNORES(bln_x_free(NULL)), for tests/use/test_null.c.
/^#if defined\(BAYESLIN_IMPLEMENTATION\)/ { exit }
{ line = $0; gsub(/\/\*([^*]|\*[^\/])*\*\//, "", line) }
in_comment { if (line ~ /\*\//) { sub(/^.*\*\//, "", line); in_comment = 0 } else next }
line ~ /\/\*/ { sub(/\/\*.*$/, "", line); in_comment = 1 }
{ sub(/^BLN_IN_[A-Z_]+/, "BLN_API", line) }
line ~ /^BLN_API/ { text = "" ; open = 1 }
open { text = text " " line; if (line ~ /;/) { open = 0; emit(text) } }
function emit(t,   status, frees, name, list, n, a, i, depth, c, part, call) {
    status = t ~ /^ *BLN_API +bln_status +bln_/
    frees = t ~ /^ *BLN_API +void +bln_[a-z0-9_]*_(free|clear|abandon) *\(/
    if (!status && !frees) return
    match(t, /bln_[a-z0-9_]+ *\(/)
    while (substr(t, RSTART, RLENGTH) ~ /^bln_status/) {              # the type, not the name
        t = substr(t, RSTART + 10); match(t, /bln_[a-z0-9_]+ *\(/) }
    name = substr(t, RSTART, RLENGTH); sub(/ *\($/, "", name)
    list = substr(t, RSTART + RLENGTH); sub(/\) *;[^;]*$/, "", list)
    n = 0; depth = 0; part = ""                                       # cut at commas outside of brackets
    for (i = 1; i <= length(list); i++) {
        c = substr(list, i, 1)
        if (c == "(") depth++
        if (c == ")") depth--
        if (c == "," && depth == 0) { a[++n] = part; part = "" } else part = part c
    }
    a[++n] = part
    call = name "("
    for (i = 1; i <= n; i++) {
        part = a[i]
        if (part ~ /[*\[]/) part = "NULL"
        else {
            gsub(/^ *(const )?| +[a-z0-9_]+ *$/, "", part)
            part = part ~ /_method$/ ? "zero_" part : part ~ /^bln_/ ? "(" part ")0" : "1" }
        call = call (i > 1 ? ", " : "") part
    }
    print (status ? "REFUSES(" : "IGNORES(") call "))"
}
