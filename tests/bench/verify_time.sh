#!/bin/sh
# The cost of a verdict: for each single-file program, the time of its verification minus that of its
# check, per verdict, compared with the time to compile it with its own command; medians go to stdout.
# Then all of them in one run with -j2.
#
#   verify_time.sh PROGRAM INCLUDE FOLDER [COUNT]
set -eu
program=$1 include=$2 folder=$3 most=${4:-1000}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
unset FORCE_COLOR MISCAST_PACKS

now() { date +%s%N; }

# spent COMMAND...: its time in microseconds, the minimum of three
spent() {
    least=
    for _ in 1 2 3; do
        from=$(now)
        "$@" >"$work/out" 2>&1 || true
        took=$((($(now) - from) / 1000))
        [ -n "$least" ] && [ "$least" -le "$took" ] || least=$took
    done
    echo "$least"
}

# verdicts FILE: the number of verdicts
verdicts() { grep -c '"contained_by"' "$1" || true; }

median() { sort -n | awk '{ v[NR] = $1 } END { print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'; }

mkdir "$work/all"
cd "$folder"
echo "-I$include" >"$work/all/compile_flags.txt"
done=0
for case in */; do
    case=${case%/}
    [ -f "$case/bug.c" ] && [ "$(ls "$case"/bug*.c | wc -l)" -eq 1 ] && [ "$done" -lt "$most" ] || continue
    mkdir "$work/all/$case"
    cp "$case"/*.h "$work/all/$case" 2>/dev/null || true
    cp "$case/bug.c" "$work/all/$case/bug.c"
    cd "$work/all/$case"
    set -- --isolated --exit-zero bug.c
    "$program" verify --no-cache -j1 --format json=../../report.json --format concise "$@" >/dev/null 2>&1 || true
    count=$(verdicts ../../report.json)
    if [ "$count" -gt 0 ]; then
        compile=$(spent cc "-I$include" -c bug.c -o "$work/bug.o")
        check=$(spent "$program" check --no-cache -j1 "$@")
        verify=$(spent "$program" verify --no-cache -j1 "$@")
        echo "$case $count $compile $check $verify"
        done=$((done + 1))
    else
        rm -rf "$work/all/$case"
    fi
    cd "$OLDPWD"
done >"$work/times"

echo "programs $(wc -l <"$work/times")" \
    "compile $(awk '{ print $3 / 1000 }' "$work/times" | median) ms" \
    "verdict $(awk '{ print ($5 - $4) / $2 / 1000 }' "$work/times" | median) ms" \
    "verification $(awk '{ print ($5 - $4) / 1000 }' "$work/times" | median) ms" \
    "ratio a verdict $(awk '{ print ($5 - $4) / $2 / $3 }' "$work/times" | median)" \
    "ratio a verification $(awk '{ print ($5 - $4) / $3 }' "$work/times" | median)"

cd "$work/all"
from=$(now)
"$program" verify --no-cache -j2 --isolated --exit-zero --format json=../report.json --format concise . >/dev/null 2>&1 || true
echo "one run with -j2: $(verdicts ../report.json) verdicts in $((($(now) - from) / 1000000)) ms"
