#!/bin/sh
# Hostile code through `miscast verify`, from end to end: programs that run for ever, eat memory, fork,
# connect, write to the home folder, read our verdicts, kill their parent. All are contained and reported,
# nothing is lost, and other programs of the same run get their verdicts.
#
#   attack.sh PROGRAM INCLUDE FOLDER
set -eu
program=$1 include=$2 folder=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
work=$(cd "$work" && pwd -P)
mkdir "$work/project" "$work/home" "$work/tmp"
cp "$folder"/*.[ch] "$work/project"
cd "$work/project"
HOME=$work/home TMPDIR=$work/tmp NO_COLOR=1 ASAN_OPTIONS=detect_leaks=0 XDG_STATE_HOME=$work/state
export HOME TMPDIR NO_COLOR ASAN_OPTIONS XDG_STATE_HOME
unset FORCE_COLOR MISCAST_PACKS
sed -i "s|KEY_FILE|$XDG_STATE_HOME/miscast/key|" verdicts.c

# The program that eats memory is killed at 4 GiB: where there is less than twice that, it is skipped.
free=$(awk '/^MemAvailable:/ { print int($2 / 1024) }' /proc/meminfo)
[ "$free" -ge 8192 ] || rm memory.c

separator='['
for file in *.c; do
    printf '%s{"directory": "%s", "file": "%s", "arguments": ["cc", "-I%s", "-c", "%s"]}' \
        "$separator" "$PWD" "$file" "$include" "$file"
    separator=','
done >compile_commands.json
echo ']' >>compile_commands.json

fail() {
    echo "attack: $*" >&2
    cat got said >&2
    exit 1
}

# The first run keeps verdicts, which the second could read.
"$program" verify --isolated good.c >got 2>said || [ $? -eq 1 ] || fail "the first run failed"
[ -s .miscast/verdicts.json ] || fail "nothing was kept"
[ -s "$XDG_STATE_HOME/miscast/key" ] || fail "there is no key"
cp .miscast/verdicts.json kept

status=0
"$program" verify --isolated --timeout 3 --format json=report.json --format concise . >got 2>said || status=$?
[ "$status" -eq 1 ] || fail "the exit code is $status"
if grep -q 'nothing contains\|cannot be contained' report.json; then
    echo "skipped: this machine cannot contain programs" >&2
    exit 77
fi

# expect FILE VERDICT
expect() {
    [ ! -f "$1" ] || grep -q "^$1:.*($2)\$" got || fail "$1 is not $2"
}
expect good.c confirmed
expect forks.c confirmed
expect network.c confirmed
expect home.c confirmed
expect verdicts.c confirmed
expect parent.c confirmed
expect loop.c 'not reached'
expect memory.c 'not reached'

[ -z "$(ls -A "$work/home")" ] || fail "something was written to the home folder"
[ ! -e escaped ] || fail "something was written to the project"
[ -z "$(ls -A "$work/tmp")" ] || fail "something was left behind in the temporary folder"
grep -q '"place": "good.c:5"' .miscast/verdicts.json || fail "a verdict was lost"
grep -q '"place": "parent.c:10"' .miscast/verdicts.json || fail "a verdict was not kept"

# A program that loops forever is given up after three runs and one that reports its branches, not after all
# command lines.
"$program" verify --isolated --timeout 1 --keep runs loop.c >got 2>said || true
count=$(find runs -name 'run[0-9]*' | wc -l)
[ "$count" -ge 1 ] && [ "$count" -le 4 ] || fail "a program that loops forever was run $count times"
