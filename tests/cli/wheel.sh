#!/bin/sh
# The wheel, and the CI examples that install it: pip puts it into a fresh virtual environment, where
# miscast works without the build, and `pip uninstall` removes all of it. The jobs of the examples are
# run there, in a repository with a change that introduces a finding.
#
#   wheel.sh CMAKE BUILD SOURCE
set -eu
cmake=$1 build=$2 source=$3
python=
for candidate in /usr/bin/python3 python3; do
    if "$candidate" -c 'import ensurepip, venv, yaml' 2>/dev/null; then
        python=$candidate
        break
    fi
done
[ -n "$python" ] && command -v objdump >/dev/null && command -v git >/dev/null || exit 77
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
work=$(cd "$work" && pwd -P)
unset MISCAST_PACKS FORCE_COLOR PYTHONPATH PIP_REQUIRE_VIRTUALENV
HOME=$work GIT_CONFIG_NOSYSTEM=1 PIP_NO_INDEX=1 PIP_DISABLE_PIP_VERSION_CHECK=1 NO_COLOR=''
SOURCE_DATE_EPOCH=1700000000
export HOME GIT_CONFIG_NOSYSTEM PIP_NO_INDEX PIP_DISABLE_PIP_VERSION_CHECK NO_COLOR SOURCE_DATE_EPOCH

fail() {
    echo "$1" >&2
    cat "$work/out" "$work/err" >&2 || true
    exit 1
}

# says PATTERN: the last output matches it
says() {
    grep -q -- "$1" "$work/out" || fail "expected: $1"
}

: >"$work/err"
"$cmake" --install "$build" --prefix "$work/prefix" >"$work/out" 2>&1 || fail "cannot be installed"
"$python" "$source/cmake/wheel.py" "$work/prefix" "$work/ci" >"$work/out" 2>&1 || fail "no wheel"
"$python" "$source/cmake/wheel.py" "$work/prefix" "$work/again" >"$work/out" 2>&1 || fail "no wheel"
cmp -s "$work"/ci/*.whl "$work"/again/*.whl || fail "the wheel is not reproducible"
rm -rf "$work/prefix" "$work/again"

"$python" -m venv "$work/venv" >"$work/out" 2>&1 || fail "no virtual environment"
find "$work/venv" -type f ! -name '*.pyc' | sort >"$work/before"
mkdir "$work/p" "$work/p/ci"
cp "$work"/ci/*.whl "$work/p/ci"
cd "$work/p"
PATH=$work/venv/bin:$PATH
git init -q
git config user.name tester
git config user.email tester@example.org
printf 'import torch\n\nold = torch.ones(2, 2).half() @ torch.ones(2, 2)\n' >old.py
printf 'found.*\nci\n' >.gitignore
git add -A
git commit -q -m before
base=$(git rev-parse HEAD)
git update-ref refs/remotes/origin/main "$base"
printf 'from torch import nn, ones\n\nprint(nn.Linear(4, 4).half()(ones(2, 4)))\n' >new.py
git add -A
git commit -q -m after

# job SERVICE NAME CODE: what it runs ends with that code
job() {
    status=0
    "$python" "$source/tests/cli/ci.py" "$1" "$source/corpus/examples/ci/$1-pytorch.yml" "$2" >"$work/commands"
    env GITHUB_BASE_REF=main "CI_MERGE_REQUEST_DIFF_BASE_SHA=$base" sh -eu "$work/commands" \
        >"$work/out" 2>"$work/err" || status=$?
    [ $status = "$3" ] || fail "$1: $2 ends with $status"
}

for service in github gitlab; do
    job $service findings 1
    says '^old.py:3:7: error: .*\[matmul-dtype\]'
    says '^new.py:3:7: error: linear needs one dtype: input is float32, weight is float16 \[matmul-dtype\]'
    [ -s found.sarif ] || fail "$service: no SARIF"
    job $service introduced 1
    says 'new.py'
    ! grep -q 'old.py' "$work/out" || fail "$service: an old finding is reported"
done

[ "$(command -v miscast)" = "$work/venv/bin/miscast" ] || fail "another miscast is used"
miscast doctor >"$work/out" 2>&1 || fail "doctor"
says "packs *$work/venv/share/miscast/packs: .*miscast.yaml"
miscast explain matmul-dtype >"$work/out" 2>&1 || fail "explain"
says MC101
pip uninstall -y miscast >"$work/out" 2>&1 || fail "cannot be uninstalled"
find "$work/venv" -type f ! -name '*.pyc' | sort >"$work/after"
cmp -s "$work/before" "$work/after" || fail "pip uninstall leaves files: $(diff "$work/before" "$work/after")"
