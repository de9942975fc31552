#!/bin/sh
# What a file may include, beyond which folder may use which (layers.sh). Prints each include that must not be.
set -eu
cd "$(dirname "$0")/../.."
status=0

# forbid FOLDER PATTERN: nothing in FOLDER includes a path that PATTERN (extended) matches
forbid() {
    if grep -rnE "^[[:space:]]*#[[:space:]]*include[[:space:]]*[<\"]($2)" "$1"; then
        echo "$1 must not include these" >&2
        status=1
    fi
}

# Paths start at the root of the repository, and the public headers are self-contained.
forbid runtime '\.\.?/'
forbid runtime/include '(\.\./)*runtime/'
# Nothing that is built uses tests or examples.
for folder in runtime analyzer rules frontends; do
    forbid $folder '(tests|corpus)/'
done
# Each library is used in one place.
for folder in analyzer rules frontends/driver frontends/cli frontends/hook frontends/lsp frontends/diff frontends/git \
    frontends/ir; do
    forbid $folder 'clang-c/'
done
forbid frontends 'sqlite3'
forbid rules 'sqlite3'
# A language is named in the table of languages only.
if grep -rnE '^#include "frontends/(clang|ir)/' frontends/driver | grep -v '^frontends/driver/project/languages\.c:'; then
    echo "frontends/driver must not include these" >&2
    status=1
fi
# The examples are what users write: the public header and C, nothing of ours.
forbid corpus '(\.\./)*(runtime|analyzer|rules|frontends|tests)/'

exit $status
