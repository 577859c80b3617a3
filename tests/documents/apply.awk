# apply.awk - carries out what docs/worked_additions.md shows, in a copy of the project
#
#     awk -v root=build/additions -f tests/documents/apply.awk docs/worked_additions.md
#
# A block of `diff`: `--- FILE` names the file. The lines that begin with a blank or with - are found in it, and must stand there
# just once; those that begin with a blank or with + take their place. A line `@@` separates places of one file.
# A block of another language is a new file if the line above it is `FILE`, new: (in backquotes).
# Ends with status 1 if a place is not found, or found twice, or if a block of code is none of these.
function fail(what) { print FILENAME ":" FNR ": " what; failed = 1 }

function change(   path, line, n, i, k, at, found) {
    if (!n_old && !n_new) return
    path = root "/" file
    while ((getline line < path) > 0) text[++n] = line
    close(path)
    for (i = 1; i + n_old - 1 <= n; i++) {
        for (k = 1; k <= n_old && text[i + k - 1] == old[k]; k++) {}
        if (k > n_old) { found++; at = i }
    }
    if (!n_old || found != 1) fail(file ": the lines of this place stand there " found + 0 " times")
    else {
        printf "" > path
        for (i = 1; i < at; i++) print text[i] > path
        for (k = 1; k <= n_new; k++) print new[k] > path
        for (i = at + n_old; i <= n; i++) print text[i] > path
        close(path)
        places++
    }
    n_old = n_new = 0
}

/^```/ && inside { if (inside == "diff") change(); else if (file) { close(root "/" file); places++ } inside = file = ""; next }
/^```/ {
    inside = substr($0, 4)
    if (inside != "diff" && above ~ /^`[^`]*`, new:$/) {
        file = above; sub(/^`/, "", file); sub(/`.*/, "", file)
        printf "" > (root "/" file)
    } else if (inside !~ /^(diff|sh|text)$/) fail("a block of " inside " that names no new file")
    next
}
inside == "diff" && /^--- / { change(); file = substr($0, 5); next }
inside == "diff" && /^@@/ { change(); next }
inside == "diff" {
    mark = substr($0, 1, 1)
    if (mark != "+") old[++n_old] = substr($0, 2)
    if (mark != "-") new[++n_new] = substr($0, 2)
    next
}
inside && file { print > (root "/" file) }
!inside && !/^$/ { above = $0 }
END {
    if (!places) fail("nothing to carry out")
    exit failed
}
