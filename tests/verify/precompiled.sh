#!/bin/sh
# Precompiled headers that come with a project are never used: the text is what is checked and run. The
# one here was made from another text, without the bug.
#
#   precompiled.sh PROGRAM INCLUDE
set -eu
program=$1 include=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
cd "$work"
NO_COLOR=1 ASAN_OPTIONS=detect_leaks=0
export NO_COLOR ASAN_OPTIONS
unset FORCE_COLOR MISCAST_PACKS
mkdir included given
echo '#define NARROW(x) mc_half(x)' >included/narrow.h
cat >included/main.c <<'END'
#include "narrow.h"

#include <miscast/tensor.h>

int main(void)
{
    mc_tensor *x = mc_ones(mc_shape(2, 2));
    mc_print(mc_matmul(x, NARROW(x)));
    return 0;
}
END
sed 1d included/main.c >given/main.c
cp included/narrow.h given
echo "-I$include" >included/compile_flags.txt
printf '%s\n' "-I$include" -include narrow.h >given/compile_flags.txt

# What verify compiles with, as it must match; clang's is made of the flags alone.
flags='-O0 -gdwarf-4 -w -fno-omit-frame-pointer -pthread'
echo '#define NARROW(x) (x)' >narrow.h
# shellcheck disable=SC2086 # words
cc $flags "-I$include" -x c-header narrow.h -o included/narrow.h.gch
cp included/narrow.h.gch given
mkdir given/narrow.h.pch included/narrow.h.pch
cp included/narrow.h.gch given/narrow.h.pch/c
# shellcheck disable=SC2086
if cc --version | grep -q 'Free Software'; then
    (cd included && cc $flags "-I$include" -c main.c -o ../taken.o)
    ! nm taken.o | grep -q mc_op_half || {
        echo "precompiled: the compiler does not take it, and nothing is tested" >&2
        exit 1
    }
fi

# is FOLDER COMMAND WHAT: what the command says of the bug
is() {
    (cd "$1" && "$program" "$2" --isolated --no-cache main.c >../got 2>../said) || [ $? -eq 1 ] || :
    grep -q "$3" got || {
        echo "precompiled: $2 in $1:" >&2
        cat got said >&2
        exit 1
    }
}
is included check 'error: matmul needs one dtype'
is included verify '^  confirmed: '
is given check 'error: matmul needs one dtype'
is given verify '^  confirmed: '
rm -r given/narrow.h.pch
echo 'not what it should be' >given/narrow.h.pch
is given check 'error: matmul needs one dtype'
is given verify '^  confirmed: '
