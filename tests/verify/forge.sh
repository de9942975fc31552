#!/bin/sh
# Verdicts cannot be forged: for programs that write events themselves, suppress those of the runtime or
# interfere with it, the bug is confirmed or not run, never refuted; and none takes much time.
#
#   forge.sh PROGRAM INCLUDE FOLDER
set -eu
program=$1 include=$2 folder=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
cp -R "$folder"/. "$work"
cd "$work"
NO_COLOR=1 ASAN_OPTIONS=detect_leaks=0
export NO_COLOR ASAN_OPTIONS
unset FORCE_COLOR MISCAST_PACKS
echo "-I$include" >compile_flags.txt

# verified PATH: the report is in got.
verified() {
    status=0
    "$program" verify --isolated --no-cache --timeout 5 "$1" >got 2>said || status=$?
    [ "$status" -eq 1 ] && ! grep -q '^  refuted' got || { cat got said >&2 && exit 1; }
}

# expect FILE VERDICT: the line of the report below the finding in that file.
failed=0
expect() {
    awk -v file="$1:" 'index($0, file) == 1 { here = 1 }
        here && /^  (confirmed|refuted|not r)/ { print; exit }' got >line
    grep -q "^  $2" line && return
    echo "forge: $1 should be $2:" >&2
    cat line said >&2
    failed=1
}

hidden=$(mktemp -d) && mv alone "$hidden"
verified .
foreign='not run: tampered: something other than the runtime wrote'
expect good.c confirmed
expect environment.c confirmed
expect files.c 'not run: incomplete: it exited without the closing record of its events'
expect every_descriptor.c "$foreign"
expect numbered.c "$foreign"
expect flood.c "$foreign"
expect empty.c "$foreign"
expect calls.c 'not run: tampered: an event names a call that no stand-in handles'
expect prints.c 'not reached: main ran on cpu and did not get to that place'
expect leaves.c 'not run: incomplete: it exited without the closing record of its events'
expect closes.c 'not run: incomplete: went well here, but ended by signal 9'
expect redirects.c 'not run: incomplete: went well here, but '
expect starts_again.c 'not reached: main ran on cpu and ended by signal 6'

# Those that define names of others, each by itself.
mv "$hidden/alone" . && rmdir "$hidden"
# alone NAME VERDICT
alone() {
    verified "alone/$1.c"
    expect "alone/$1.c" "$2"
}
alone private confirmed
alone first 'not run: tampered: code would run before the runtime: .preinit_array'
alone chosen 'not run: tampered: a function is chosen before the program begins'
alone writes 'not run: tampered: it defines a function of the runtime, or one that the runtime calls: writev'
alone stands_in 'not run: tampered: it defines a function of the runtime, or one that the runtime calls: mc_op_matmul'
alone versioned 'not run: tampered: a symbol has a version: vsnprintf@@GLIBC_2.17'
alone relocates 'not run: tampered: a section that only linkers make: .rela.got'
alone loads 'not run: tampered: it defines a function that is called before the runtime, or that reports to it: _rtld'
alone options 'not run: tampered: it defines a function that is called before the runtime, or that reports to it: __asan'
alone takes_reports 'not run: tampered: it takes the reports of AddressSanitizer for itself'
[ "$failed" -eq 0 ]
