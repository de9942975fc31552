#!/bin/sh
# What ./dev demo shows: the planted bugs are found, run and fixed, as far as that can be done
# automatically; what a person has to decide is in decided.patch. Works on a copy.
#
#   demo.sh PROGRAM INCLUDE
set -eu
program=$1 include=$2
here=$(cd "$(dirname "$0")" && pwd -P)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
work=$(cd "$work" && pwd -P)
cp "$here"/*.[ch] "$here/decided.patch" "$work"
cd "$work"
echo "-I$include" >compile_flags.txt
unset MISCAST_PACKS

# Called by the commands that are shown.
miscast() {
    status=0
    "$program" "$@" 2>"$work/said" || status=$?
    grep -v 'files analysed' "$work/said" || true
    [ "$status" -le 1 ]
}

show() {
    printf '$ %s\n' "$*"
    eval "$*" | sed "s|$work/||g"
    echo
}

show 'miscast verify'
show 'miscast verify --fix --unsafe-fixes --format concise'
show 'patch -s -p1 <decided.patch'
show 'miscast verify --fix'
