#!/bin/sh
# miscast_add_check in a separate project, with Ninja: the report equals that of a single check, a
# second build does nothing, and a changed header affects only the units that include it.
#
#   cmake.sh PROGRAM INCLUDE EXAMPLE CMAKE MODULE
set -eu
program=$1 include=$2 example=$3 cmake=$4 module=$5
ninja=$(command -v ninja) || exit 77
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
work=$(cd "$work" && pwd -P)
unset FORCE_COLOR MISCAST_PACKS CFLAGS CMAKE_C_COMPILER_LAUNCHER
ASAN_OPTIONS=detect_leaks=0 NO_COLOR=
export ASAN_OPTIONS NO_COLOR
failed=0

complain() {
    echo "$*" >&2
    failed=1
}

tree="$work/a project"
mkdir -p "$tree/model src" "$tree/.git"
cd "$tree"
cp "$example/model.c" "$example/load.c" "$example/model.h" "model src"
cp "$example/main.c" .
cat >CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.25)
project(steps C)
include("${MODULE}")
add_library(api INTERFACE)
target_include_directories(api SYSTEM INTERFACE "${API}")
add_subdirectory("model src")
add_library(a::model ALIAS model)
add_executable(app main.c other.c)
target_link_libraries(app PRIVATE model api)
set_source_files_properties(other.c PROPERTIES COMPILE_DEFINITIONS OTHER=mc_float)
miscast_add_check(app a::model OPTIONS --select all --exit-zero
  --format "json=${CMAKE_BINARY_DIR}/found.json" --format "sarif=${CMAKE_BINARY_DIR}/found.sarif"
  --format "text=${CMAKE_BINARY_DIR}/found.text")
miscast_add_check(app NAME strict)
END
cat >"model src/CMakeLists.txt" <<'END'
add_custom_command(OUTPUT made.h COMMAND "${CMAKE_COMMAND}" -E echo "#define MADE 1" > made.h VERBATIM)
add_library(model STATIC model.c load.c more.c $<$<BOOL:1>:some.c> $<$<BOOL:0>:none.c> not_c.txt made.h)
target_include_directories(model PUBLIC "$<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}>"
                                 PRIVATE "${CMAKE_CURRENT_BINARY_DIR}")
target_compile_definitions(model PRIVATE $<$<COMPILE_LANGUAGE:C>:HALF=mc_half> "TEXT=\"a b\"")
target_compile_options(model PRIVATE $<$<AND:$<COMPILE_LANGUAGE:C>,$<C_COMPILER_ID:GNU,Clang>>:-Wall>)
target_link_libraries(model PRIVATE api)
set_target_properties(model PROPERTIES C_STANDARD 17 C_EXTENSIONS ON)
set_source_files_properties(more.c PROPERTIES COMPILE_DEFINITIONS THIS_FILE=1)
END
echo >"model src/not_c.txt"
cat >"model src/more.c" <<'END'
#include <miscast/tensor.h>
#include "made.h"
#if !MADE || THIS_FILE != 1 || __STDC_VERSION__ != 201710L
#error "not compiled as the target is"
#endif
mc_tensor *more(mc_tensor *x)
{
    return mc_matmul(HALF(x), mc_float(x));
}
END
sed 's/more/some/; /THIS_FILE/,/endif/d' "model src/more.c" >"model src/some.c"
cat >other.c <<'END'
#include <miscast/tensor.h>
mc_tensor *other(mc_tensor *x)
{
    return mc_matmul(mc_half(x), OTHER(x));
}
END

"$cmake" -S . -B build -G Ninja "-DMODULE=$module" "-DAPI=$include" "-DMISCAST_PROGRAM=$program" \
    -DCMAKE_EXPORT_COMPILE_COMMANDS=ON >"$work/out" 2>&1 || {
    cat "$work/out"
    exit 1
}

# build TARGET: what is done, a line each
build() {
    "$ninja" -C build "$1" >"$work/out" 2>&1
}
# read: how many files were read in that
read_count() {
    grep -c 'Building C object' "$work/out" || true
}

build app-miscast || complain "cannot be built: $(cat "$work/out")"
[ "$(read_count)" = 6 ] || complain "not six files were read: $(cat "$work/out")"
"$program" check --no-cache -p build --select all --exit-zero --format json="$work/found.json" \
    --format sarif="$work/found.sarif" --format text="$work/found.text" main.c other.c "model src" >/dev/null 2>&1
for format in json sarif text; do
    cmp -s "build/found.$format" "$work/found.$format" ||
        complain "$format differs: $(diff "$work/found.$format" "build/found.$format" | head -5)"
done
[ "$(grep -c '"fingerprint"' build/found.json)" -ge 4 ] || complain 'there is nothing to compare'

build app-miscast
grep -q 'no work to do' "$work/out" || complain "a second build does something: $(cat "$work/out")"

sleep 0.01
echo '/* changed */' >>"model src/model.h"
build app-miscast
[ "$(read_count)" = 3 ] || complain "a header: not three files were read: $(cat "$work/out")"
build app-miscast
grep -q 'no work to do' "$work/out" || complain "after a header it does something: $(cat "$work/out")"

# Findings fail a target that does not say otherwise, in every build, and are seen.
for again in 1 2; do
    build strict && complain "strict $again does not fail"
    grep -q '^other.c:4:12: error: ' "$work/out" || complain "strict $again says: $(cat "$work/out")"
done
# Nothing of it is in the default build, or in the database.
"$ninja" -C build -t query all | grep -q miscast && complain 'it is part of the default build'
grep -q miscast-units build/compile_commands.json && complain 'its steps are in the database'
exit $failed
