# null_calls.awk - calls of all public functions that return a status, free something or ask an object, with NULL for each pointer,
# 1 for each size
#
#     awk -f tools/null_calls.awk build/include/bayeslin.h > build/null_calls.h
#
# Reads the declarations above the implementation; writes one line for each such function, REFUSES(bln_x(NULL, 1)) or
# IGNORES(bln_x_free(NULL)), for tests/use/test_null.c. Asked are objects by a first argument const bln_x *, for a number or a
# pointer; a bln_param is none, but a small table of numbers. Those that refuse are called once more with a writer, a reader or a
# generator that is there; but bln_reader_fail, which returns the status that it is given.
/^#if defined\(BAYESLIN_IMPLEMENTATION\)/ { exit }
{ line = $0; gsub(/\/\*([^*]|\*[^\/])*\*\//, "", line) }
in_comment { if (line ~ /\*\//) { sub(/^.*\*\//, "", line); in_comment = 0 } else next }
line ~ /\/\*/ { sub(/\/\*.*$/, "", line); in_comment = 1 }
{ sub(/^BLN_IN_[A-Z_]+/, "BLN_API", line) }
line ~ /^BLN_API/ { text = "" ; open = 1 }
open { text = text " " line; if (line ~ /;/) { open = 0; emit(text) } }
function emit(t,   status, frees, asks, name, list, n, a, i, depth, c, part, call, lent, there, lends, lacks) {
    status = t ~ /^ *BLN_API +bln_status +bln_/
    frees = t ~ /^ *BLN_API +void +bln_[a-z0-9_]*_(free|clear|abandon) *\(/
    asks = t ~ /^ *BLN_API +(double|int|size_t|uint64_t|const [a-z_ ]+\*+) *bln_[a-z0-9_]+ *\( *const (struct )?bln_[a-z_]+ *\*/ \
        && t !~ / bln_param_[a-z_]+ *\(/
    if (!status && !frees && !asks) return
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
    call = lent = name "("
    lends = lacks = 0
    for (i = 1; i <= n; i++) {
        part = a[i]
        there = ""
        if (match(part, /bln_(report|writer|reader|rng) *\*/)) {
            there = substr(part, RSTART + 4, RLENGTH - 4); sub(/ *\*$/, "", there); there = "null_" there "()"
            if (there !~ /report/) lends = 1
        }
        if (part ~ /[*\[]/) { part = "NULL"; if (!there) lacks = 1 }
        else {
            gsub(/^ *(const )?| +[a-z0-9_]+ *$/, "", part)
            part = part ~ /_method$/ ? "zero_" part : part ~ /^bln_/ ? "(" part ")0" : "1" }
        call = call (i > 1 ? ", " : "") part
        lent = lent (i > 1 ? ", " : "") (there ? there : part)
    }
    print (status ? "REFUSES(" : "IGNORES(") call "))"
    if (status && lends && lacks && name != "bln_reader_fail") print "REFUSES(" lent "))"
}
