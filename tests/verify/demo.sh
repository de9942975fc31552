#!/bin/sh
# docs/demo.md must show what ./dev demo prints, except for times. MISCAST_BLESS=1 updates it.
#
#   demo.sh PROGRAM INCLUDE FOLDER PAGE
set -eu
program=$1 include=$2 folder=$3 page=$4
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
ASAN_OPTIONS=detect_leaks=0
export ASAN_OPTIONS
unset FORCE_COLOR
NO_COLOR=1
export NO_COLOR

command -v patch >/dev/null 2>&1 || {
    echo "skipped: patch is not installed" >&2
    exit 77
}
# The output of the demo ends with an empty line, the page does not.
sh "$folder/demo.sh" "$program" "$include" | sed '$d' >"$work/got"
awk '/^<!-- demo -->$/ { on = 1; next } /^```/ && on { if (++fences == 2) exit; next } on && fences' \
    "$page" >"$work/shown"

if [ -n "${MISCAST_BLESS:-}" ]; then
    awk -v got="$work/got" '
        /^<!-- demo -->$/ { on = 1 }
        on && /^```/ {
            if (++fences == 1) { print; while ((getline line < got) > 0) print line; next }
            on = 0
        }
        !(on && fences)' "$page" >"$work/page"
    cat "$work/page" >"$page"
    exit
fi
times='s/ ([0-9.e+-]* ms)$/ (N ms)/'
sed "$times" "$work/got" >"$work/got.even"
sed "$times" "$work/shown" >"$work/shown.even"
diff -u "$work/shown.even" "$work/got.even" || {
    echo "the page shows another output than ./dev demo has; MISCAST_BLESS=1 takes that" >&2
    exit 1
}
