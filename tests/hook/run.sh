#!/bin/sh
# The hook as pre-commit runs it, without network: a commit with a finding is blocked, --fix fixes it,
# and the commit succeeds; unstaged changes have no effect. Skipped (77) if pre-commit or git is not
# installed.
#
#   run.sh PROGRAM INCLUDE ROOT
set -eu
. "$(dirname "$0")/prepare.sh"
need pre-commit
PRE_COMMIT_HOME=$work/cache
export PRE_COMMIT_HOME

# The repository that a project names in its hook configuration.
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
make_program
make_database main.c run.c >compile_commands.json
cat >.pre-commit-config.yaml <<END
repos:
- repo: $work/hooks
  rev: $revision
  hooks:
  - id: miscast
END
echo 'not C' >notes.txt
passes 'install' pre-commit install
put run.c "$tensor" "$bad_run"
git add .
stops 'a finding' 'matmul-dtype' commit
grep -q -- '--no-verify' "$work/out" || fail "it is not said what to do"
miscast check --fix run.c >"$work/out" 2>&1 || fail "--fix left something"
git add .
passes 'after --fix' commit
echo 'more' >>notes.txt
passes 'no C file' commit -a
make_program
git diff --quiet || fail "the fix did not give back what is good"
echo '/* good */' >>run.c
passes 'good' commit -a

put run.c "$tensor" '' "$good_run"
git add run.c
put run.c "$tensor" '' "$bad_run"
passes 'bad, not staged' commit
grep -q mc_half run.c || fail "what was not staged is gone"
git add run.c
put run.c "$tensor" '' "$good_run"
stops 'bad, staged, mended in the tree' 'matmul-dtype' commit
git add run.c

put net.h "$tensor" "$bad_net" 'mc_tensor *run(mc_tensor *x, mc_tensor *w);'
git add net.h
stops 'a header' 'run.c:.*matmul-dtype' commit
