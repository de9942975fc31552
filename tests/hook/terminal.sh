#!/bin/sh
# Behaviour in a terminal: a progress line if the run takes long and stderr is a terminal, removed
# afterwards; Ctrl-C stops at once and leaves nothing behind.
#
#   terminal.sh PROGRAM INCLUDE ROOT PTY
set -eu
pty=$4
status=0
"$pty" true >/dev/null 2>&1 || status=$?
if [ $status -eq 126 ]; then
    echo "skipped: there are no pseudo-terminals here"
    exit 77
fi
. "$(dirname "$0")/prepare.sh"
TERM=xterm TMPDIR=$work/tmp
export TERM TMPDIR
unset NO_COLOR CI
mkdir "$TMPDIR" "$work/model"
cd "$work/model"
git init -q .
make_program
long=z/folder/that/is/so/long/that/no/terminal/would/show/all/of/its/path
mkdir -p $long
# Parsing it takes as long as it may: macros that become nothing, a billion of them.
{
    echo '#define m0'
    for i in 0 1 2 3 4 5 6 7 8; do
        echo "#define m$((i + 1)) m$i m$i m$i m$i m$i m$i m$i m$i m$i m$i"
    done
    echo 'm9 int slow;'
} >$long/slow.c
make_database main.c run.c >compile_commands.json
clear=$(printf '\r\033[K')

# Nobody waits for this, unless the machine is busy.
began=$(date +%s%N)
"$pty" "$program" check . >"$work/out" 2>&1 || fail "a check of good files: $?"
if [ $(($(date +%s%N) - began)) -lt 500000000 ] && grep -qF "$clear" "$work/out"; then
    fail "a line for a fast run"
fi

# One of three takes longer than it may.
make_database main.c run.c $long/slow.c >compile_commands.json
code=0
"$pty" "$program" check --no-cache --unit-timeout 1 . >"$work/out" 2>&1 || code=$?
[ "$code" = 3 ] || fail "a unit that takes too long: $code, not 3"
grep -q 'took longer than 1 s' "$work/out" || fail "it is not said what took too long"
grep -q "\[#*-*\] 2/3 .*slow.c" "$work/out" || fail "no line, or not of the unit in hand"
tr '\r' '\n' <"$work/out" | grep '2/3' | awk '{ sub(/^\033\[K/, "") } length > 59 { exit 1 }' ||
    fail "wider than the terminal"
tr '\r' '\n' <"$work/out" | grep -a -A1 ' 2/3 .*slow.c' | tail -1 | grep -q "$(printf '^\033\\[K')" ||
    fail "the line is not cleared"

# Where it is not wanted.
for variable in NO_COLOR=1 TERM=dumb CI=true; do
    code=0
    env "$variable" "$pty" "$program" check --no-cache --unit-timeout 1 . >"$work/out" 2>&1 || code=$?
    [ "$code" = 3 ] || fail "$variable: $code, not 3"
    if grep -q "$(printf '\033\\[K')" "$work/out"; then
        fail "$variable: a line"
    fi
done

# Stopped while it reads. What was kept before holds, and nothing else is there.
find . "$TMPDIR" ! -path './.miscast*' | sort >"$work/before"
code=0
"$pty" -i '2/3' "$program" check . >"$work/out" 2>&1 || code=$?
[ "$code" = 130 ] || fail "Ctrl-C: $code, not 130"
tail -c 30 "$work/out" | grep -qF "$clear" || fail "Ctrl-C: the line is not cleared"
find . "$TMPDIR" ! -path './.miscast*' | sort >"$work/after"
cmp -s "$work/before" "$work/after" || fail "Ctrl-C: something is left: $(diff "$work/before" "$work/after")"
make_database main.c run.c >compile_commands.json
"$program" check . >"$work/out" 2>&1 || fail "the store after Ctrl-C: $?"
if ls .miscast | grep -v '^store.db$\|^CACHEDIR.TAG$\|^seal$'; then
    fail "Ctrl-C: something is left in the store's folder"
fi

# And by a signal that comes from elsewhere.
make_database main.c run.c $long/slow.c >compile_commands.json
"$program" check . >"$work/out" 2>&1 &
process=$!
sleep 0.7
kill -TERM "$process"
code=0
wait "$process" || code=$?
[ "$code" = 143 ] || fail "SIGTERM: $code, not 143"
