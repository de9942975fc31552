#!/bin/sh
# verdicts.sh MISCAST FOLDER: verifies the programs of a folder and compares the verdicts with its file `verdicts`: a line
# for each finding, "file:line rule verdict", sorted; programs without a line have no finding. MISCAST_BLESS=1 rewrites it.
# Without an interpreter that can import torch, the test is skipped.
set -eu
miscast=$1
folder=$2
"$miscast" doctor | grep -q '^PyTorch *[0-9]' || exit 77
# Hostile programs start others, which is left to namespaces.
case $folder in
    */hostile) "$miscast" doctor | grep -q '^sandbox *namespaces' || { echo "skipped: no namespaces here"; exit 77; } ;;
esac
seen=$(mktemp)
trap 'rm -f "$seen"' EXIT
cd "$folder"
set -- ./*.py
for file in ./*/*.py; do
    [ ! -f "$file" ] || set -- "$@" "$file"
done
NO_COLOR=1 "$miscast" verify --no-cache "$@" 2>"$seen.err" >"$seen.out" || [ $? -eq 1 ]
awk '
match($0, /^[^ ]+\.py:[0-9]+:/) {
    split($1, part, ":")
    sub(/^\.\//, "", part[1])
    rule = $NF
    gsub(/[][]/, "", rule)
    at = part[1] ":" part[2] " " rule
}
match($0, /^  (confirmed|refuted|not reached|not run):/) {
    verdict = substr($0, 3, RLENGTH - 3)
    print at " " verdict
}' "$seen.out" | LC_ALL=C sort >"$seen"
[ -n "${MISCAST_BLESS:-}" ] && cp "$seen" verdicts
diff verdicts "$seen" || { cat "$seen.out" "$seen.err"; rm -f "$seen.out" "$seen.err"; exit 1; }
rm -f "$seen.out" "$seen.err"
