#!/bin/sh
# The CI examples: the commands of their jobs are run here, one job after the other, in a repository
# with a change that introduces a finding.
#
#   ci.sh PROGRAM INCLUDE EXAMPLE CI
set -eu
program=$1 include=$2 example=$3 ci=$4
python3 -c 'import yaml' 2>/dev/null && command -v git >/dev/null && command -v cmake >/dev/null || exit 77
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
work=$(cd "$work" && pwd -P)
unset FORCE_COLOR MISCAST_PACKS
ASAN_OPTIONS=detect_leaks=0 NO_COLOR='' HOME=$work GIT_CONFIG_NOSYSTEM=1 API=$include
mkdir "$work/bin" "$work/p"
ln -s "$program" "$work/bin/miscast"
PATH=$work/bin:$PATH
export ASAN_OPTIONS NO_COLOR HOME GIT_CONFIG_NOSYSTEM API PATH
failed=0

complain() {
    echo "$*" >&2
    failed=1
}

cd "$work/p"
git init -q
git config user.name tester
git config user.email tester@example.org
cp "$example"/*.c "$example"/*.h .
mkdir ci
printf '#!/bin/sh\nmiscast --version\n' >ci/install-miscast
chmod +x ci/install-miscast
printf 'build\n*.mcs\nfound.*\n' >.gitignore
cat >CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.25)
project(half C)
file(GLOB sources *.c)
add_executable(half ${sources})
target_include_directories(half PRIVATE "$ENV{API}")
END
git add -A
git commit -q -m before
base=$(git rev-parse HEAD)
git update-ref refs/remotes/origin/main "$base"
printf '#include <miscast/tensor.h>\nmc_tensor *new(mc_tensor *x)\n{\n    return mc_matmul(mc_half(x), mc_float(x));\n}\n' >new.c
git add -A
git commit -q -m after

# job SERVICE NAME CODE: what it runs ends with that code
job() {
    status=0
    python3 "$here/ci.py" "$1" "$ci/$1.yml" "$2" >"$work/commands" || exit 1
    env GITHUB_BASE_REF=main "CI_MERGE_REQUEST_DIFF_BASE_SHA=$base" sh -eu "$work/commands" >"$work/out" 2>"$work/err" ||
        status=$?
    [ $status = "$3" ] || complain "$1: $2 ends with $status: $(cat "$work/err")"
}

for service in github gitlab; do
    rm -rf build found.* ./*.mcs
    job $service read 0
    [ "$(ls ./*.mcs | wc -l)" = 4 ] || complain "$service: there are not four shares"
    mv build "$work/build"
    job $service findings 1
    mv "$work/build" build
    miscast check --no-cache --format sarif="$work/found.sarif" >/dev/null 2>&1 || true
    cmp -s found.sarif "$work/found.sarif" || complain "$service: the findings are not those of one check"
    grep -q '^new.c:4:12: error: ' "$work/out" || complain "$service: $(cat "$work/out")"
    rm -rf build
    job $service introduced 1
    grep -q 'new.c' "$work/out" || complain "$service: the new finding is not told: $(cat "$work/out")"
    grep -q 'model.c' "$work/out" && complain "$service: an old finding is told: $(cat "$work/out")"
done
exit $failed
