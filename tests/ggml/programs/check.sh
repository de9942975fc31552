#!/bin/sh
# check.sh MISCAST [N]: checks every program of manifest.txt, or each Nth, right and wrong. In the right one nothing may be
# found; in the wrong one the rule at each line marked bug, and nothing else. What is missed today must still be
# missed, so that the manifest stays true.
set -u
miscast=$1 every=${2:-1} number=0
here=$(cd "$(dirname "$0")" && pwd)
failed=0 found=0 missed=0

# "LINE RULE" of each finding, one per line.
findings() {
    "$miscast" check --isolated --no-cache -j 1 --format concise "$here/$1.cpp" -- -std=c++17 -I"$here/../include" "$2" 2>/dev/null |
        sed -n 's/^.*\.cpp:\([0-9]*\):[0-9]*: .*\[\([a-z0-9-]*\)\]$/\1 \2/p'
}

complain() {
    printf '%s\n' "$*"
    failed=1
}

for program in "$here"/*.cpp; do
    name=$(basename "$program" .cpp)
    [ "$name" = run ] || grep -q "^$name " "$here/manifest.txt" || complain "$name: not in manifest.txt"
done

while read -r name outcome rule today; do
    case $name in '#'*) continue ;; esac
    number=$((number + 1))
    [ $((number % every)) -eq 0 ] || continue
    right=$(findings "$name" -DRIGHT)
    [ -z "$right" ] || complain "$name: found in the right program: $right"
    expected=$(sed -n '/\/\/ bug/=' "$here/$name.cpp" | sed "s/\$/ $rule/")
    wrong=$(findings "$name" -DBUG)
    if [ "$wrong" = "$expected" ]; then
        found=$((found + 1))
        [ "$today" = found ] || complain "$name ($outcome): found now; say so in manifest.txt"
    else
        missed=$((missed + 1))
        [ "$today" = missed ] && [ -z "$wrong" ] || complain "$name ($outcome): expected '$expected', found '$wrong'"
    fi
done <"$here/manifest.txt"
printf 'programs: found %d missed %d\n' "$found" "$missed"
exit $failed
