#!/bin/sh
# Above the IR, only descriptions of a language know what it looks like, and only packs and the C
# runner know our own API. Prints each line that knows more.
set -eu
cd "$(dirname "$0")/../.."
status=0
files=$(find analyzer rules/engine rules/*.c -name '*.[ch]' -o -name '*.def' |
    grep -Ev '^analyzer/(source/(c|python)\.c|verify/c/)' | sort)

# complain WHAT < LINES: false, and says so, if there are any
complain() {
    if grep .; then
        echo "$1" >&2
        return 1
    fi
}

# Our API by name, in comments too.
# shellcheck disable=SC2086 # one word per file
grep -nE '\b(mc|MC)_' $files | complain 'only packs, analyzer/source/c.c and analyzer/verify/c may name the API' ||
    status=1

# strings FILE...: every string and character literal outside of comments, with its place
strings() {
    awk '
    FNR == 1 { comment = 0 }
    {
        line = $0
        while (line != "") {
            if (comment) {
                end = index(line, "*/")
                if (!end)
                    break
                line = substr(line, end + 2)
                comment = 0
            } else if (match(line, /"([^"\\]|\\.)*"|\047([^\047\\]|\\.)*\047|\/\*|\/\//)) {
                found = substr(line, RSTART, RLENGTH)
                line = substr(line, RSTART + RLENGTH)
                if (found == "//")
                    break
                if (found == "/*")
                    comment = 1
                else
                    print FILENAME ":" FNR ": " found
            } else
                break
        }
    }' "$@"
}

# What C looks like, as text: members behind pointers, NULL, comments, directives, casts to void,
# statement bounds. DOT and the signatures of packs have arrows of their own, SQL its NULL, and places in
# reports are URLs.
# shellcheck disable=SC2086
strings $files |
    grep -E -e '->|\bNULL\b|/\*|\*/|"//|\(void\)|"#(if|el|end|inc|def)|;\{|strcmp|"(while|for|struct)"' |
    grep -Ev -e '^analyzer/report/graph_dot\.c:|^analyzer/store/open\.c:|^analyzer/pack/binding\.c:[0-9]+: "->"$' |
    complain 'only analyzer/source/c.c may know what C looks like' || status=1

exit $status
