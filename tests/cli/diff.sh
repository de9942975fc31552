#!/bin/sh
# miscast diff of two commits, of a commit and the working tree, and of saved results; neither the
# working tree nor the index is changed.
#
#   diff.sh PROGRAM INCLUDE EXAMPLE
set -eu
program=$1 include=$2 example=$3
command -v git >/dev/null || exit 77
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
work=$(cd "$work" && pwd -P)
unset FORCE_COLOR MISCAST_PACKS
ASAN_OPTIONS=detect_leaks=0 NO_COLOR='' HOME=$work GIT_CONFIG_NOSYSTEM=1
export ASAN_OPTIONS NO_COLOR HOME GIT_CONFIG_NOSYSTEM
failed=0

complain() {
    echo "$*" >&2
    failed=1
}

mkdir "$work/p"
cd "$work/p"
git init -q
git config user.name tester
git config user.email tester@example.org
mkdir src old build
cp "$example"/*.c "$example"/*.h src
printf 'build\n' >.gitignore

# database FILE...: writes a database for these, with a generated header
database() {
    separator='['
    for file; do
        printf '%s{"directory": "%s", "file": "%s", "arguments": ["cc", "-Ibuild", "-I%s", "-c", "%s"]}' \
            "$separator" "$PWD" "$file" "$include" "$file"
        separator=','
    done >build/compile_commands.json
    echo ']' >>build/compile_commands.json
}
commit() {
    git add -A
    git commit -q -m "$1"
    git tag "$1"
}

# one: the example's finding; one in a file that goes; one that stays
mistake() {
    printf '#include <miscast/tensor.h>\n#include "made.h"\n%s\nmc_tensor *%s(mc_tensor *x)\n{\n    return mc_matmul(mc_half(x), mc_float(x));\n}\n' "$2" "$1"
}
echo '#define MADE 1' >build/made.h
mistake goes '' >old/goes.c
mistake stays '' >src/stays.c
commit one

# two: the first is mended, the second is gone with its folder, one is new, and lines have moved
sed 's/m->b1 = mc_half(m->b1);/& m->w2 = mc_half(m->w2);/' src/load.c >"$work/x"
cp "$work/x" src/load.c
git rm -q -r old
mistake stays '/* a line */' >src/stays.c
mistake comes '' >src/comes.c
commit two
database src/*.c

# the tree: another, and one that nobody added
mistake later '' >src/later.c
git add src/later.c
mistake nobodys '' >src/nobodys.c
sed 's/mc_float(x)/mc_double(x)/' src/stays.c >"$work/x"
cp "$work/x" src/stays.c
git status --porcelain >"$work/before"

# told WHAT CODE ARGUMENT...: "introduced NAME", "fixed NAME", "before NAME" for each finding, from
# standard input, by JSON
told() {
    what=$1 code=$2
    shift 2
    cat >"$work/wanted"
    status=0
    "$program" diff "$@" --format json >"$work/out" 2>"$work/err" || status=$?
    [ $status = "$code" ] || complain "$what: exit code $status instead of $code: $(cat "$work/err")"
    awk '/^  "(introduced|fixed|before)"/ { gsub(/[" :\[]/, ""); sub(/],?$/, ""); list = $0 }
         /^      "file"/ { gsub(/[",]/, ""); file = $2 }
         /^      "function"/ { gsub(/[",]/, ""); print list, file, $2 }' "$work/out" >"$work/got"
    cmp -s "$work/wanted" "$work/got" || complain "$what: $(diff "$work/wanted" "$work/got")"
}

told 'two commits' 1 one two <<END
introduced src/comes.c comes
fixed old/goes.c goes
fixed src/model.c model_forward
before src/stays.c stays
END
told 'backwards' 1 two one <<END
introduced old/goes.c goes
introduced src/model.c model_forward
fixed src/comes.c comes
before src/stays.c stays
END
told 'the same' 0 one one <<END
before old/goes.c goes
before src/model.c model_forward
before src/stays.c stays
END
# What git does not know is in no commit, and not in the database either.
told 'the tree' 1 two <<END
introduced src/later.c later
introduced src/stays.c stays
fixed src/stays.c stays
before src/comes.c comes
END

git status --porcelain >"$work/after"
cmp -s "$work/before" "$work/after" || complain 'the tree or the index is not what it was'

# Other formats tell what was introduced, and text what was fixed, too.
"$program" diff one two --format sarif="$work/sarif" --format github >"$work/out" 2>/dev/null || true
[ "$(grep -c '"ruleId"' "$work/sarif")" = 1 ] || complain 'SARIF does not have the one'
grep -q '^::.*file=src/comes.c' "$work/out" || complain "github: $(cat "$work/out")"
"$program" diff one two >"$work/out" 2>"$work/err" || true
grep -q '^src/comes.c:6:12: error: ' "$work/out" || complain "text: $(cat "$work/out")"
sed -n '/^fixed:/,$p' "$work/out" | grep -q '^  old/goes.c:6:12: ' || complain "fixed: $(cat "$work/out")"
grep -q '^miscast: 1 introduced, 2 fixed, 1 was there before$' "$work/err" || complain "counts: $(cat "$work/err")"

# Saved results say the same; what is checked out makes no difference, nor what the database has.
git stash -q -u
database src/load.c src/main.c src/model.c src/stays.c
for out in one two; do
    git checkout -q $out
    told "with $out checked out" 1 one two <<END
introduced src/comes.c comes
fixed old/goes.c goes
fixed src/model.c model_forward
before src/stays.c stays
END
done
database src/*.c
"$program" check --format json >"$work/two.json" 2>/dev/null || true
git checkout -q one
"$program" check --no-cache --format json old/goes.c src >"$work/one.json" 2>/dev/null || true
git checkout -q two
told 'saved results' 1 "$work/one.json" "$work/two.json" <<END
introduced src/comes.c comes
fixed old/goes.c goes
fixed src/model.c model_forward
before src/stays.c stays
END
told 'a saved result and the tree' 1 "$work/one.json" <<END
introduced src/comes.c comes
fixed old/goes.c goes
fixed src/model.c model_forward
before src/stays.c stays
END
"$program" diff "$work/one.json" "$work/two.json" >"$work/out" 2>/dev/null || true
grep -q '^src/comes.c:6:12: error: ' "$work/out" || complain "text of saved results: $(cat "$work/out")"

# A name that would turn the direction of writing, end a line or erase a letter is written as ASCII.
hostile=$(printf 'co\342\200\256m\302\205e\177s')
sed "s/comes/$hostile/g" "$work/two.json" >"$work/hostile.json"
"$program" diff "$work/one.json" "$work/hostile.json" --format json >"$work/out" 2>"$work/err" || true
LC_ALL=C grep -q '[^ -~]' "$work/out" && complain "not ASCII: $(cat "$work/out")"
grep -qi '"file": "src/co\\u202em\\u0085e\\u007fs\.c"' "$work/out" || complain "hostile name: $(cat "$work/out" "$work/err")"

# refused WHAT LINE ARGUMENT...
refused() {
    what=$1 line=$2
    shift 2
    status=0
    "$program" diff "$@" >"$work/out" 2>"$work/err" || status=$?
    [ $status = 2 ] || complain "$what: exit code $status instead of 2"
    grep -qF "miscast: error: $line" "$work/err" || complain "$what: says: $(cat "$work/err")"
}
refused 'no commit' "'nothing' is neither a commit here nor a result of 'check --format json'" nothing
refused 'an option as a commit' "'--' is neither a commit" -- -- two
echo '{"findings": [{}]}' >"$work/bad.json"
refused 'no finding' "$work/bad.json: finding 1 is not what this miscast writes" "$work/bad.json"
echo '{"findings": [' >"$work/bad.json"
refused 'no JSON' "$work/bad.json:2:" "$work/bad.json"
echo '{}' >"$work/bad.json"
refused 'another JSON' "$work/bad.json: is not what 'check --format json' writes" "$work/bad.json"
exit $failed
