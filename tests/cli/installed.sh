#!/bin/sh
# installed.sh CMAKE BUILD: an installation needs neither the source nor the build. Installs into a
# folder, moves it, and uses it: with a project that finds the package, one that uses pkg-config, and a
# file without any flags. Such programs find the GPU module. The documentation is installed, too.
set -eu
cmake=$1 build=$2
unset MISCAST_PACKS MISCAST_RUNTIME
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
    echo "$1" >&2
    cat "$work/out" >&2
    exit 1
}

# says PATTERN: the last output matches it
says() {
    grep -q -- "$1" "$work/out" || fail "expected: $1"
}

"$cmake" --install "$build" --prefix "$work/first" >"$work/out" 2>&1 || fail "cannot be installed"
mv "$work/first" "$work/prefix"
PATH=$work/prefix/bin:$PATH

mkdir "$work/project"
cd "$work/project"
cat >CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.25)
project(outside C)
find_package(miscast REQUIRED)
add_executable(outside outside.c)
target_link_libraries(outside PRIVATE miscast::runtime)
miscast_add_check(outside)
END
cat >outside.c <<'END'
#include <miscast/tensor.h>

int main(int count, char **words)
{
    if (count > 1 && words[1])
        mc_print(mc_ones(mc_shape(1), .device = MC_CUDA));
    mc_tensor *x = mc_half(mc_ones(mc_shape(2, 3)));
    mc_print(mc_dtype_of(x) == MC_F16 ? mc_sum(x) : NULL);
    mc_print(mc_matmul(x, mc_ones(mc_shape(3, 2))));
    return 0;
}
END

miscast doctor outside.c >"$work/out" 2>&1 || fail "doctor"
says "packs *$work/prefix/share/miscast/packs: .*miscast.yaml"
says "flags .*-isystem $work/prefix/include"
miscast check outside.c >"$work/out" 2>&1 && fail "check finds nothing"
says 'outside.c:9:14: error: matmul needs one dtype.*\[matmul-dtype\]'
says '1 file analysed; tensors in [0-9]* of [0-9]* functions*; [a-z]'

# A build with sanitizers has a library that wants them.
sanitize=
! grep -q '^MISCAST_SANITIZE:BOOL=ON' "$build/CMakeCache.txt" || sanitize=-fsanitize=address,undefined

# finds_module PROGRAM: whatever stands in its place is looked at. It stays no longer, for `doctor`. With
# sanitizers it is their library that opens others, and knows no search path of the program.
finds_module() {
    [ -z "$sanitize" ] || return 0
    folder=$(dirname "$(find "$work/prefix" -name 'libmiscast_run.so' | head -n 1)")
    echo 'no module' >"$folder/libmiscast-cuda.so"
    MISCAST_CUDA=real "$1" cuda >"$work/out" 2>&1 && fail "cuda without a module"
    rm "$folder/libmiscast-cuda.so"
    says "no device cuda:0 here: $work/prefix/.*/miscast/libmiscast-cuda.so: "
}

"$cmake" -S . -B build "-DCMAKE_PREFIX_PATH=$work/prefix" >"$work/out" 2>&1 || fail "configure"
"$cmake" --build build >"$work/out" 2>&1 || fail "build"
build/outside >"$work/out" 2>&1 && fail "the program does not fail"
says '^tensor(6., dtype=f16)'
says 'outside.c:9: error: matmul'
finds_module build/outside
"$cmake" --build build --target outside-miscast >"$work/out" 2>&1 && fail "the target outside-miscast does not fail"
says '^outside.c:9:14: error: matmul needs one dtype.*\[matmul-dtype\]'

# Without CMake.
if command -v pkg-config >/dev/null 2>&1 && command -v cc >/dev/null 2>&1; then
    PKG_CONFIG_PATH=$(dirname "$(find "$work/prefix" -name miscast.pc)")
    export PKG_CONFIG_PATH
    # shellcheck disable=SC2046 # flags are words
    ${CC-cc} outside.c -o plain $sanitize $(pkg-config --cflags --libs miscast) >"$work/out" 2>&1 ||
        fail "does not build with the flags of pkg-config"
    ./plain >"$work/out" 2>&1 && fail "the program does not fail"
    says '^tensor(6., dtype=f16)'
    finds_module ./plain
fi

for file in share/man/man1/miscast.1 share/bash-completion/completions/miscast \
    share/zsh/site-functions/_miscast share/fish/vendor_completions.d/miscast.fish \
    share/doc/miscast/README.md share/doc/miscast/docs/tutorial.md share/doc/miscast/docs/img/finding.svg \
    share/doc/miscast/editors/emacs/miscast.el share/miscast/docs/matmul-dtype.md; do
    [ -s "$work/prefix/$file" ] || fail "$file is not installed"
done

# links PAGE: the files that it links to, one per line
links() {
    grep -o ']([^):# ]*[)#]' "$1" | sed 's/^](//; s/[)#]$//' | sort -u
}

# Links lead to what is installed.
count=0
for page in "$work/prefix/share/doc/miscast/README.md" "$work"/prefix/share/doc/miscast/docs/*.md; do
    for link in $(links "$page"); do
        [ -e "$(dirname "$page")/$link" ] || fail "$page links to $link, which is not installed"
        count=$((count + 1))
    done
done
[ "$count" -gt 100 ] || fail "the documentation has only $count links"

# The example that README.md begins with, in a copy: its flags lead nowhere.
cp -R "$work/prefix/share/doc/miscast/corpus/examples/half" "$work/half"
cd "$work/half"
miscast check >"$work/out" 2>&1 && fail "the example has no finding"
says '^model.c:8:23: warning: linear needs one dtype'
says '3 files analysed; '
miscast doctor >"$work/out" 2>&1 || fail "doctor in the example"
says '^database .*/half/compile_flags.txt, for all files$'

