#!/bin/sh
# A verification that is interrupted, while a program runs and while it is compiled, leaves no process
# and no folder behind, and ends by the signal. What a killed one leaves is removed by the next: that,
# and nothing that only looks like it.
#
#   interrupt.sh PROGRAM INCLUDE FOLDER
set -eu
program=$1 include=$2 folder=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
mkdir "$work/tmp"
cp "$folder/attack.h" "$folder/loop.c" "$work"
cd "$work"
echo "-I$include" >compile_flags.txt
ASAN_OPTIONS=detect_leaks=0 TMPDIR=$work/tmp
export ASAN_OPTIONS TMPDIR
unset MISCAST_PACKS

# Processes that run, or have open, something in our folder.
left() {
    readlink /proc/[0-9]*/exe 2>/dev/null | grep "^$work/" || :
    grep -ls "$work/tmp/miscast-" /proc/[0-9]*/cmdline || :
}

# started PATTERN: a verification, until a file of that name is there. SIGHUP ends it even if whoever
# started this test ignores it, as nohup does.
started() {
    env --default-signal=HUP "$program" verify --no-cache --isolated --timeout 60 loop.c >out 2>err &
    pid=$!
    tries=0
    # shellcheck disable=SC2086 # a pattern
    until ls tmp/miscast-*/worker*/$1 >/dev/null 2>&1; do
        tries=$((tries + 1))
        if [ "$tries" -gt 600 ] || ! kill -0 "$pid" 2>/dev/null; then
            cat out err >&2
            echo "interrupt: $1 never came" >&2
            exit 1
        fi
        sleep 0.05
    done
}

# interrupted SIGNAL PATTERN: sent once a file of that name is there
interrupted() {
    started "$2"
    kill "-$1" "$pid"
    status=0
    wait "$pid" || status=$?
    [ "$status" -gt 128 ] || {
        echo "interrupt: it ended with $status" >&2
        exit 1
    }
    sleep 0.2
    [ -z "$(ls -A tmp)" ] || {
        find tmp >&2
        echo "interrupt: a folder is left after $1" >&2
        exit 1
    }
    [ -z "$(left)" ] || {
        left >&2
        echo "interrupt: a process is left after $1" >&2
        exit 1
    }
}

interrupted TERM 'run*'
interrupted TERM 'log*'
interrupted HUP 'run*'

fail() {
    find tmp >&2
    echo "interrupt: $*" >&2
    exit 1
}

# Killed, with a mess inside: deep, with long names, folders without rights, a link out.
started 'run*'
kill -KILL "$pid"
wait "$pid" || :
left_folder=$(echo tmp/miscast-verify-*)
[ -d "$left_folder" ] || fail "SIGKILL left nothing"
long=$(printf 'n%.0s' $(seq 250))
(
    cd "$left_folder"/worker*/run*
    path=$(for i in $(seq 14); do printf '%s/' "$long"; done) # two of them are longer than a path may be
    mkdir -p "one/$path" "two/$path/shut" && touch "two/$path/shut/file" && chmod 0 "two/$path/shut"
    mv two "one/$path"
)
mkdir kept && touch kept/file && chmod 500 kept
ln -s "$work/kept" "$left_folder/link"
# Not ours: nothing says so; a lock that another holds; a link; rights for others.
mkdir -m 700 tmp/miscast-verify-abcdef tmp/miscast-verify-locked
touch tmp/miscast-verify-abcdef/lock
cp "$left_folder/lock" tmp/miscast-verify-locked/lock && chmod 600 tmp/miscast-verify-locked/lock
mkdir -m 700 other && cp "$left_folder/lock" other
ln -s "$work/other" tmp/miscast-verify-linked
mkdir -m 755 tmp/miscast-verify-public && cp "$left_folder/lock" tmp/miscast-verify-public
(
    flock 9
    "$program" verify --no-cache --isolated --timeout 1 loop.c >out 2>err || [ $? -eq 1 ]
) 9>>tmp/miscast-verify-locked/lock
[ ! -e "$left_folder" ] || fail "what SIGKILL left is still there"
[ -f kept/file ] || fail "a link was followed"
for folder in abcdef locked linked public; do
    [ -e "tmp/miscast-verify-$folder/lock" ] || fail "$folder was not ours"
done
[ "$(ls tmp | wc -l)" -eq 4 ] || fail "a folder is left"
chmod 700 kept
