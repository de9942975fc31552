#!/bin/sh
# The hook as pre-commit runs it, without network: a commit with a finding is refused, --fix mends it,
# and then it goes through. Skipped (77) where pre-commit or git is not installed.
#
#   run.sh PROGRAM INCLUDE ROOT
set -eu
program=$1 include=$2 root=$3
for tool in git pre-commit; do
    command -v "$tool" >/dev/null 2>&1 || {
        echo "$tool is not installed" >&2
        exit 77
    }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
HOME=$work PRE_COMMIT_HOME=$work/cache PATH=$(dirname "$program"):$PATH
GIT_CONFIG_GLOBAL=$work/gitconfig GIT_CONFIG_NOSYSTEM=1 ASAN_OPTIONS=detect_leaks=0
export HOME PRE_COMMIT_HOME PATH GIT_CONFIG_GLOBAL GIT_CONFIG_NOSYSTEM ASAN_OPTIONS
unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE
git config --global user.name test
git config --global user.email test@example.org
git config --global init.defaultBranch main
git config --global protocol.file.allow always

fail() {
    echo "hook: $*" >&2
    cat "$work/out" >&2
    exit 1
}

# What a project names as the hook's repository.
mkdir "$work/hooks"
cp "$root/.pre-commit-hooks.yaml" "$work/hooks"
cd "$work/hooks"
git init -q .
git add .
git commit -q -m hooks
revision=$(git rev-parse HEAD)

mkdir "$work/model"
cd "$work/model"
git init -q .
echo "-I$include" >compile_flags.txt
cat >.pre-commit-config.yaml <<END
repos:
- repo: $work/hooks
  rev: $revision
  hooks:
  - id: miscast
END
cat >model.c <<'END'
#include <miscast/tensor.h>

int main(void)
{
    mc_tensor *x = mc_randn(mc_shape(4, 4)), *w = mc_half(mc_randn(mc_shape(4, 4)));
    mc_print(mc_matmul(x, w));
    return 0;
}
END
echo 'not C' >notes.txt
pre-commit install >"$work/out" 2>&1 || fail "cannot be installed"
git add .

if git commit -q -m 'a model' >"$work/out" 2>&1; then
    fail "the commit went through in spite of the finding"
fi
grep -q 'matmul-dtype' "$work/out" || fail "the commit was refused for another reason"
miscast check --fix model.c >"$work/out" 2>&1 || fail "--fix left something"
git add .
git commit -q -m 'a model' >"$work/out" 2>&1 || fail "the commit was refused after --fix"
echo 'more' >>notes.txt
git commit -q -a -m 'no C file' >"$work/out" 2>&1 || fail "a commit without C files was refused"
