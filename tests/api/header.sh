#!/bin/sh
# header.sh COMPILER STANDARD FILE: the public header compiles without a warning. Exit code 77 (skipped)
# where there is no such compiler, or it does not know the standard.
set -eu
compiler=$1 standard=$2 file=$3
here=$(dirname "$0")
include=$here/../../runtime/include
language=c
[ "${file##*.}" = c ] || language=c++

command -v "$compiler" >/dev/null 2>&1 || exit 77
echo 'int x;' | "$compiler" "-std=$standard" -x "$language" -fsyntax-only - 2>/dev/null || exit 77

compile() {
    "$compiler" "-std=$standard" -Wall -Wextra -Wpedantic -Werror -I"$include" -fsyntax-only "$@"
}
compile "$here/$file"
# Each header on its own, without what another one happened to include before.
for header in types tensor amp optim probe; do
    echo "#include <miscast/$header.h>" | compile -x "$language" -
done
