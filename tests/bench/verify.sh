#!/bin/sh
# The verdicts of `miscast verify` on the findings in corpus/bugs and corpus/seeds: every program is
# checked and its findings are run. Findings that were not confirmed go to stderr, the totals to stdout,
# errors first.
#
#   verify.sh PROGRAM INCLUDE FOLDER...
set -eu

if [ "$1" != --cases ]; then
    program=$1 include=$2
    shift 2
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT INT TERM
    for folder; do
        for case in "$folder"/*/; do
            name=$(basename "$folder")-$(basename "$case")
            cp -R "$case" "$work/$name"
        done
    done
    echo "-I$include" >"$work/compile_flags.txt"
    unset FORCE_COLOR MISCAST_PACKS
    export program work
    (cd "$work" && ls -d ./*/ | sed 's,^\./,,; s,/$,,') | xargs -n 4 -P "$(getconf _NPROCESSORS_ONLN)" sh "$0" --cases >"$work/said"
    grep -v ' confirmed ' "$work/said" | sort >&2 || true
    count() { grep -c -E "$1" "$work/said" || true; }
    for which in error '[a-z]*'; do
        [ "$which" = error ] && printf 'errors' || printf 'findings'
        echo " $(count "^$which ") confirmed $(count "^$which confirmed ") refuted $(count "^$which refuted ")" \
            "not-reached $(count "^$which not-reached ") not-run $(count "^$which not-run ")"
    done
    exit
fi
shift

# ---- some of the cases -------------------------------------------------------------------------

# One program: its files are main.c, or all that begin with the name of the twin.
verify() {
    "$program" verify -j1 --isolated --exit-zero --format json "$@" 2>err >out || { cat err >&2; }
    awk -F'"' -v id="$id" '
        /"severity":/ { severity = $4 }
        /"rule":/ { rule = $4 }
        /"file":/ && !file { file = $4 }
        /"line":/ && !line { line = $3; gsub(/[^0-9]/, "", line) }
        /"kind":/ { kind = $4; gsub(/ /, "-", kind) }
        /"text": / && kind { text = $0; sub(/^ *"text": "/, "", text); sub(/",?$/, "", text) }
        /^    }/ {
            if (severity)
                print severity, (kind ? kind : "none"), id " " file ":" line, "[" rule "]", text
            severity = kind = file = line = text = ""
        }' out
}

for id; do
    cd "$work/$id"
    if ls bug*.c >/dev/null 2>&1; then
        # shellcheck disable=SC2046 # file names without spaces
        verify $(ls bug.c bug_*.c 2>/dev/null)
    else
        for file in *.c; do
            verify "$file"
        done
    fi
done
