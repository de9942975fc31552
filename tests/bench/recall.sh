#!/bin/sh
# How many of the bugs in corpus/bugs `miscast check` finds. Each case is checked by itself, its program
# and its fixed twin separately. Found: every line marked "expect: RULE" has a finding of that rule.
# Quiet: the twin has no finding. Failures are listed on stderr.
#
#   recall.sh PROGRAM INCLUDE FOLDER [ID...]
set -eu

if [ "$1" != --cases ]; then
    program=$1 include=$2 folder=$3
    shift 3
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT INT TERM
    cp -R "$folder"/. "$work"
    echo "-I$include" >"$work/compile_flags.txt"
    [ $# -gt 0 ] || set -- $(cd "$folder" && ls -d ./*/ | sed 's,^\./,,; s,/$,,')
    unset FORCE_COLOR MISCAST_PACKS
    export program work
    printf '%s\n' "$@" | xargs -n 8 -P "$(getconf _NPROCESSORS_ONLN)" sh "$0" --cases >"$work/said"
    grep -v -x -E 'found|quiet' "$work/said" | sort >&2 || true
    echo "cases $# found $(grep -c -x found "$work/said") twins $# quiet $(grep -c -x quiet "$work/said")"
    exit
fi
shift

# ---- some of the cases -------------------------------------------------------------------------

# check TWIN: "FILE:LINE RULE" of each finding
check() {
    # shellcheck disable=SC2046 # file names without spaces
    "$program" check --isolated --exit-zero --format concise \
        $(ls "$1".c "$1"_*.c 2>/dev/null) >out 2>err || { cat err >&2; exit 2; }
    sed -n 's/^\([^:]*:[0-9]*\):[0-9]*: [a-z]*: .* \[\([a-z0-9-]*\)\]$/\1 \2/p' out | sort -u
}

# The same for each mark.
marks() {
    awk '{
        if (match($0, /expect: [a-z0-9, -]*/)) {
            n = split(substr($0, RSTART + 8, RLENGTH - 8), rules, /, */)
            for (i = 1; i <= n; i++) {
                sub(/ .*/, "", rules[i])
                print FILENAME ":" FNR, rules[i]
            }
        }
    }' bug*.c | sort -u
}

for id; do
    cd "$work/$id"
    check bug >got
    marks >wanted
    if [ -s wanted ] && [ -z "$(comm -23 wanted got)" ]; then
        echo found
    else
        comm -23 wanted got | sed "s/^/$id: not found: /"
        comm -13 wanted got | sed "s/^/$id:  but found: /"
    fi
    check fixed >got
    if [ -s got ]; then
        sed "s/^/$id: not quiet: /" got
    else
        echo quiet
    fi
done
