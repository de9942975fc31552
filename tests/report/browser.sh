#!/bin/sh
# The HTML report in a browser: browser.mjs checks it. Skipped (77) without Chromium, node or
# playwright-core; './dev test-browser' installs them.
#
#   browser.sh PROGRAM INCLUDE FOLDER EXAMPLE PLAYWRIGHT
set -eu
program=$1 include=$2 folder=$3 example=$4 playwright=${MISCAST_PLAYWRIGHT:-$5}

skip() {
    echo "skipped: $*; './dev test-browser' installs it" >&2
    exit 77
}

chromium=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || skip "no chromium"
command -v node >/dev/null 2>&1 || skip "no node"
[ -f "$playwright/index.mjs" ] || skip "no playwright-core"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
cp "$example"/*.c "$example"/*.h "$work"
cd "$work"
echo "-I$include" >compile_flags.txt
ASAN_OPTIONS=detect_leaks=0
export ASAN_OPTIONS

# two runs before it, for the chart
report() {
    status=0
    "$program" "$@" >out 2>err || status=$?
    [ "$status" -eq 1 ] || {
        cat err >&2
        exit 1
    }
}
report check --isolated
sed -i 's/mc_double(loss);/loss = mc_double(loss);/' train.c
report check --isolated
report report --isolated --verify --layout plain -o page
node "$folder/browser.mjs" "$playwright" "$chromium" "$work/page/index.html" ${MISCAST_SHOTS:+"$MISCAST_SHOTS"}
