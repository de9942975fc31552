#!/bin/sh
# A verification that is interrupted, while a program runs and while it is compiled, leaves no process
# and no folder behind, and ends by the signal.
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
    for process in /proc/[0-9]*; do
        case $(readlink "$process/exe" 2>/dev/null) in "$work"/*) echo "$process" ;; esac
        { tr '\0' ' ' <"$process/cmdline"; } 2>/dev/null | grep -q "$work/tmp/miscast-" && echo "$process"
    done
    return 0
}

# interrupted SIGNAL PATTERN: sent once a file of that name is there
interrupted() {
    "$program" verify --no-cache --isolated --timeout 60 loop.c >out 2>err &
    pid=$!
    tries=0
    # shellcheck disable=SC2086 # a pattern
    until ls tmp/miscast-*/worker*/$2 >/dev/null 2>&1; do
        tries=$((tries + 1))
        if [ "$tries" -gt 600 ] || ! kill -0 "$pid" 2>/dev/null; then
            cat out err >&2
            echo "interrupt: $2 never came" >&2
            exit 1
        fi
        sleep 0.05
    done
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
