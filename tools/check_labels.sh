#!/bin/sh
# check_labels.sh - the labels of equations: what comments cite is in docs/mathematics; ends with `N passed, N failed`
#
#     sh tools/check_labels.sh [FOLDER]      from the top of the project, or for another copy of it; one test for each file
#
# A line of a block (```) of docs/mathematics/WORD.md that begins with [WORD N] defines that label. It is cited in brackets, items
# parted by "; ": [linear 13], [linear 13, 14], [linear 1-17; Bishop 2006], anywhere in sources, tests, tools and documents.
#     definitions   each once, in the page of its word, and cited by src/, if its line does not end with "(background)"
#     citations     each number, and both ends of a range, is defined
#     pages         there are those of `words`, and no others
#                   (but in docs/worked_additions.md, which makes one; tests/documents/additions.sh -long checks the result)
#     old labels    a letter and a number in the place of a word, and paths of pages that are not here
export LC_ALL=C
cd "${1:-.}" || exit 1
words='linear bases sparse likelihoods variational laplace augmentation samplers programs optimisation scores'
pages=$(find docs/mathematics -name '*.md' ! -name README.md | sort)
text=$(find src tests tools examples bench docs bindings README.md CONTRIBUTING.md CHANGELOG.md Makefile -type f \
       ! -name '*.csv' ! -name '*.expected' ! -name '*.bln' ! -name '*.svg' ! -name check_labels.sh ! -path '*/fuzz/corpus/*' \
       ! -name worked_additions.md \
       ! -path 'docs/mathematics/*' 2> /dev/null | sort)

# First the pages, for their definitions; then all files, the pages once more, for what they cite.
awk -v words="$words" '
    function say(what) { print FILENAME ":" FNR ": " what; if (!(FILENAME in bad)) failed++; bad[FILENAME] = 1 }
    function defined(word, n) { return (word " " n) in where }
    # Numbers after a word: "3, 5-7".
    function cite(word, list,   parts, ends, n, i, k) {
        n = split(list, parts, ", ")
        for (i = 1; i <= n; i++) {
            if (split(parts[i], ends, "-") == 1) ends[2] = ends[1]
            ends[1] += 0; ends[2] += 0
            if (!defined(word, ends[1])) say("[" word " " ends[1] "] is not defined")
            else if (!defined(word, ends[2])) say("[" word " " ends[2] "] is not defined")
            else if (ends[2] < ends[1]) say("[" word " " parts[i] "]: the range is empty")
            for (k = ends[1]; k <= ends[2] && FILENAME ~ /^src\//; k++) cited[word " " k] = 1
        }
    }
    BEGIN {
        n = split(words, list, " ")
        for (i = 1; i <= n; i++) { known[list[i]] = 1; any = any (i > 1 ? "|" : "") list[i] }
        numbers = " [0-9]+(-[0-9]+)?(, [0-9]+(-[0-9]+)?)*"
        item = "(\\[|; |^[ *#\"/]*)(" any ")" numbers
        letter = "[SBOGMLARV][0-9][0-9]?"
        old = "(^|[^]A-Za-z0-9_)*>.])\\(" letter "(, | to |-|; |[):])|(^| )\\[" letter "(\\]|, |; |-)|; " letter "\\]|"
        old = old "\\/\\* " letter ": |"
        old = old "(^|[^A-Za-z0-9_/])spec\\/[a-z]|(slm|bases|optimisers|metrics|glm|mcmc|advi)\\.md [A-Z][0-9]"
    }
    FNR == 1 { files += pass == 2; block = 0; page = FILENAME; sub(/.*\//, "", page); sub(/\.md$/, "", page) }
    pass == 1 && FNR == 1 { there[page] = 1; if (!(page in known)) say("no chapter of this name is in tools/check_labels.sh") }
    /^```/ { block = !block }
    pass == 1 && block && /^\[[a-z]+ [0-9]+\]/ {
        label = substr($0, 2, index($0, "]") - 2)
        if (label in where) say("[" label "] is defined at " where[label] " already")
        else if (substr(label, 1, index(label, " ") - 1) != page) say("[" label "] belongs in the page of its name")
        else { where[label] = FILENAME ":" FNR; order[++labels] = label; background[label] = /\(background\)$/ }
    }
    pass == 2 {
        line = $0
        if (block && FILENAME ~ /^docs\/mathematics\//) sub(/^\[[a-z]+ [0-9]+\]/, "", line)
        if (FILENAME !~ /^docs\/[a-z_]*\.md$/ && match(line, /(^| )\[[a-z]+ [0-9]+[];]/)) {
            one = substr(line, RSTART, RLENGTH); sub(/^ ?\[/, "", one)
            if (!(substr(one, 1, index(one, " ") - 1) in known)) say("no chapter of this name: " one)
        }
        if (line ~ old) say("a label of the old kind, or a page that is not here: " line)
        if (line !~ any) next
        for (first = 1; match(line, item); first = 0) {
            one = substr(line, RSTART, RLENGTH); rest = substr(line, RSTART + RLENGTH)
            # At the beginning of a line it is one only if a bracket of the line before ends, or goes on, behind it.
            whole = one ~ /^(\[|; )/ || (first && rest ~ /^(\]|;)/)
            sub(/^(\[|; |[ *#"\/]*)/, "", one)
            at = index(one, " ")
            if (whole) cite(substr(one, 1, at - 1), substr(one, at + 1))
            line = rest
        }
    }
    END {
        for (i = 1; i in list; i++)
            if (!(list[i] in there)) { print "docs/mathematics/" list[i] ".md: no such page"; files++; failed++ }
        for (i = 1; i <= labels; i++)
            if (!(order[i] in cited) && !background[order[i]]) {
                print where[order[i]] ": [" order[i] "] is not cited by src/, and not marked (background)"
                file = where[order[i]]; sub(/:[0-9]*$/, "", file)
                if (!(file in bad)) failed++
                bad[file] = 1
            }
        if (labels == 0) { print "docs/mathematics: no labels"; failed++ }
        print files - failed " passed, " failed + 0 " failed"
        exit failed > 0
    }' pass=1 $pages pass=2 $pages $text
