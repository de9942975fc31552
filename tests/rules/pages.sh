#!/bin/sh
# Checks the examples on the pages of the rules, in each language: "Example" has a finding of the rule,
# "Use instead" has none.
#
#   pages.sh PROGRAM INCLUDE PAGES HAS_PYTHON
set -eu
include=$2 pages=$3 has_python=$4
. "$(dirname "$0")/prepare.sh"
count=0

# block HEADING LANGUAGE: the first code in that language below it
block() {
    awk -v heading="## $1" -v fence='```'"$2" '
        /^## / { inside = $0 == heading }
        /^```/ { if (code) exit; if (inside && $0 == fence) { code = 1; next } }
        inside && code { print }
    ' "$doc" >snippet
    [ -s snippet ]
}

# example HEADING LANGUAGE FILE: what is there as a program; C without a function becomes the body of one
example() {
    block "$1" "$2" || return 1
    if [ "$2" = python ]; then
        cp snippet "$3"
        return 0
    fi
    {
        grep '^/[*] miscast check' snippet || true
        echo '#include <miscast/tensor.h>'
        if grep -q '^{' snippet; then
            cat snippet
        else
            echo 'void example(void);'
            echo 'void example(void)'
            echo '{'
            sed 's/^/    /' snippet
            echo '}'
        fi
    } >"$3"
}

# examples LANGUAGE SUFFIX
examples() {
    if example "Example" "$1" "example.$2"; then
        check "example.$2"
        grep -q "\[$rule\]$" "$work/out" || {
            cat "$work/out" >&2
            fail "the example in the documentation ($1) has no finding of the rule"
        }
    else
        fail "the documentation has no example ($1)"
    fi
    if example "Use instead" "$1" "instead.$2"; then
        check "instead.$2"
        if [ -s "$work/out" ]; then
            cat "$work/out" >&2
            fail "what the documentation says to use instead ($1) has findings"
        fi
    else
        fail "the documentation does not say what to use instead ($1)"
    fi
}

cd "$work"
mkdir case
cd case
echo "-I$include" >compile_flags.txt
for doc in "$pages"/*.md; do
    rule=$(basename "$doc" .md)
    count=$((count + 1))
    if grep -q '^```c$' "$doc"; then
        examples c c
    fi
    if [ "$has_python" = 1 ] && grep -q '^```python$' "$doc"; then
        examples python py
    fi
    rm -f example.* instead.*
done
[ "$count" -gt 0 ] || { echo "$pages: no pages" >&2; failed=1; }
exit $failed
