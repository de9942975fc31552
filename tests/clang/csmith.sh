#!/bin/sh
# csmith.sh INTERPRET COMPILER COUNT [SEED]: random programs behave the same interpreted as
# compiled. Prints how many did, did not, or used something that is not interpreted. 77: csmith is
# not installed.
set -eu
interpret=$1
compiler=$2
count=$3
seed=${4:-1}
here=$(dirname "$0")
command -v csmith >/dev/null || exit 77
include=
for folder in /usr/include/csmith /usr/include/csmith-2.3.0 /usr/local/include/csmith-2.3.0; do
    if [ -e "$folder/csmith.h" ]; then
        include=$folder
    fi
done
[ -n "$include" ] || exit 77

file=$(mktemp --suffix=.c)
trap 'rm -f "$file"' EXIT
same=0 skipped=0 differ=0
last=$((seed + count))
while [ "$seed" -lt "$last" ]; do
    # A union shows how its members are laid out, which the interpreter does not always know; and what
    # is volatile may change at any time, so that it is not interpreted.
    if [ $((seed % 2)) -eq 0 ]; then
        set -- --no-volatiles --no-volatile-pointers --no-unions
    else
        set -- --no-volatiles --no-volatile-pointers --no-bitfields --no-packed-struct --float
    fi
    code=77
    if timeout 20 csmith --seed "$seed" --max-funcs 5 "$@" >"$file" 2>/dev/null; then
        code=0
        "$here/run.sh" "$interpret" "$compiler" "$file" "-I$include" 2>/dev/null || code=$?
    fi
    case $code in
    0) same=$((same + 1)) ;;
    77) skipped=$((skipped + 1)) ;;
    *) differ=$((differ + 1)) && echo "seed $seed differs: csmith --max-funcs 5 $*" ;;
    esac
    seed=$((seed + 1))
done
echo "same $same differ $differ skipped $skipped"
[ "$differ" -eq 0 ] && [ "$same" -gt 0 ]
