#!/bin/sh
# Layers point downward: no file includes what stands above it. Prints each edge that must not be.
set -eu
cd "$(dirname "$0")/../.."
status=0

# forbid FOLDER PATTERN [BUT]: nothing in FOLDER includes a path that PATTERN (extended) matches, BUT excepted
forbid() {
    [ -d "$1" ] || return 0
    if grep -rnE "^[[:space:]]*#[[:space:]]*include[[:space:]]*[<\"]($2)" "$1" |
        grep -v "\"${3:-nothing is excepted}\"\$"; then
        echo "$1 must not include these" >&2
        status=1
    fi
}

above_runtime='(\.\./)*(analyzer|rules|frontends|tests|corpus)/'
forbid runtime "$above_runtime"
forbid runtime '\.\.?/'
forbid runtime/include '(\.\./)*runtime/'
# core < kernels < backends < compute < autograd < optim < amp < ops; io and trace are beside or above them
above_backends='compute|autograd|optim|amp|ops|io|trace'
forbid runtime/core "runtime/(kernels|backends|$above_backends)/"
forbid runtime/kernels "runtime/(backends|$above_backends)/.*\\.h"
forbid runtime/backends "runtime/($above_backends)/.*\\.h"
forbid runtime/compute 'runtime/(autograd|optim|amp|ops|io|trace)/'
forbid runtime/autograd 'runtime/(optim|amp|ops|io|trace)/'
forbid runtime/optim 'runtime/(amp|ops|io|trace)/'
forbid runtime/amp 'runtime/(ops|io|trace)/'
forbid runtime/ops 'runtime/(optim|io|trace)/'
forbid runtime/io 'runtime/(ops|optim|amp|trace)/'
forbid runtime/trace 'runtime/(ops|optim|io)/'
# base < ir, pack < flow < source < finding < rules < report, verify < frontends; the sandbox stands alone,
# and the store knows bytes only
forbid analyzer '(frontends|tests|corpus)/'
# Both ends of the channel of events speak one protocol, and seals are computed alike; everything else
# of the runtime is its own.
forbid analyzer 'runtime/' 'runtime/trace/\(protocol\|siphash\)\.h'
for layer in base ir pack flow source finding; do
    forbid "analyzer/$layer" 'rules/|analyzer/(report|verify|sandbox|store)/'
done
forbid analyzer/sandbox 'rules/|analyzer/(base|ir|pack|flow|source|finding|report|verify)/'
forbid analyzer/store 'rules/|analyzer/(ir|pack|flow|source|finding|report|verify|sandbox)/'
forbid analyzer/report 'analyzer/(verify|sandbox|store)/'
forbid analyzer/verify 'analyzer/(report|store)/'
forbid analyzer/base 'analyzer/(ir|pack|flow|source|finding)/'
forbid analyzer/ir 'analyzer/(pack|flow|source|finding)/'
forbid analyzer/pack 'analyzer/(ir|flow|source|finding)/'
forbid analyzer/flow 'analyzer/(source|finding)/'
forbid analyzer/source 'analyzer/finding/'
forbid rules '(runtime|frontends|tests|corpus)/|analyzer/(report|verify|sandbox|store)/'
forbid frontends '(runtime|tests|corpus)/'
forbid frontends/clang 'analyzer/(pack|flow|store)/'
# libclang shows in one place only, and SQLite does.
forbid frontends 'sqlite3'
forbid rules 'sqlite3'
forbid analyzer 'clang-c/'
# A language shows in the table of languages only.
forbid frontends/driver 'clang-c/|frontends/(main|cli|hook|lsp|diff)/'
if grep -rnE '^#include "frontends/(clang|ir)/' frontends/driver | grep -v '^frontends/driver/project/languages\.c:'; then
    echo "frontends/driver must not include these" >&2
    status=1
fi
forbid frontends/cli 'clang-c/|frontends/(clang|ir)/|frontends/(main|hook|lsp|diff)/'
forbid frontends/git 'clang-c/|frontends/(clang|driver|cli|hook|lsp|diff)/'
forbid frontends/diff 'clang-c/|frontends/(main|clang|cli|hook|lsp)/'
forbid frontends/hook 'clang-c/|frontends/(clang|ir)/|frontends/(main|cli|diff|lsp)/'
forbid frontends/lsp 'clang-c/|frontends/(clang|ir)/|frontends/(main|cli|diff|hook)/'
forbid frontends/clang 'frontends/(ir|driver|cli|hook|lsp|diff)/'
forbid frontends/ir 'frontends/(clang|driver|cli|hook|lsp|diff)/|analyzer/(pack|flow|store)/'
# The examples are what users write: the public header and C, nothing of ours.
forbid corpus '(\.\./)*(runtime|analyzer|rules|frontends|tests)/'

exit $status
