#!/bin/sh
# The history of runs: what was introduced, fixed or set aside since the last run with the same paths and
# options; runs that found nothing new are not recorded.
#
#   history.sh PROGRAM INCLUDE EXAMPLE
set -eu
program=$1 include=$2 example=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
work=$(cd "$work" && pwd -P)
cp "$example"/*.c "$example"/*.h "$work"
cd "$work"
echo "-I$include" >compile_flags.txt
mkdir -p .git/refs/heads
echo 'ref: refs/heads/main' >.git/HEAD
unset FORCE_COLOR MISCAST_PACKS
ASAN_OPTIONS=detect_leaks=0 NO_COLOR=
export ASAN_OPTIONS NO_COLOR
failed=0

complain() {
    echo "$*" >&2
    failed=1
}

commit() {
    printf '%d%039d\n' "$1" 0 >.git/refs/heads/main
}

check() {
    "$program" check "$@" >/dev/null 2>&1 || true
}

# rows WHAT: prints each run as "revision introduced fixed present of", from standard input
rows() {
    cat >"$work/wanted"
    "$program" history | sed 1d | awk '{print substr($4, 1, 1), $5, $6, $7, $8 $9 $10}' >"$work/got"
    cmp -s "$work/wanted" "$work/got" || complain "$1: $(diff "$work/wanted" "$work/got")"
}

"$program" history >"$work/out" 2>"$work/err" || complain 'no history is no error'
[ ! -s "$work/out" ] || complain 'there is a history before there is a run'

commit 1
check
check
rows 'a second run is no news' <<END
1 - - 1 .
END

cp load.c keep
sed 's/m->b1 = mc_half(m->b1);/& m->w2 = mc_half(m->w2);/' keep >load.c
check
rows 'a finding less' <<END
1 - - 1 .
1 0 1 0 .
END

# What was found once is told again from the store, but it is news.
cp keep load.c
check
rows 'a finding more' <<END
1 - - 1 .
1 0 1 0 .
1 1 0 1 .
END

# Another commit, with a change that is none.
commit 2
check
rows 'nothing to read' <<END
1 - - 1 .
1 0 1 0 .
1 1 0 1 .
END
echo '/* more */' >>load.c
check
check model.c --ignore MC804
rows 'another commit, another question' <<END
1 - - 1 .
1 0 1 0 .
1 1 0 1 .
2 0 0 1 .
2 - - 0 model.c--ignoreMC804
END

# The same by JSON, and by a repository whose branches are packed, and that is elsewhere.
mkdir elsewhere
mv .git elsewhere/git
echo 'gitdir: elsewhere/git' >.git
rm elsewhere/git/refs/heads/main
{
    echo '# pack-refs with: peeled'
    printf '8%039d refs/heads/mainly\n7%039d refs/heads/main\n' 0 0
} >elsewhere/git/packed-refs
echo '/* more */' >>load.c
check
"$program" history --json >"$work/json"
grep -q '"run": 6, .*"revision": "70*", "of": ".", "first": false, .*"present": \["[0-9a-f]*"\]' "$work/json" ||
    complain "JSON: $(cat "$work/json")"

# What does not look at the files as they are leaves nothing.
check --no-cache
"$program" check --stdin-filename main.c <load.c >/dev/null 2>&1 || true
[ "$("$program" history | wc -l)" = 7 ] || complain 'a run without a store, or of unsaved text, is in the history'

# What is told no more was not always fixed. last COLUMNS: of the last run of all that is here
last() {
    "$program" history --json | grep '"of": "\."' | tail -n 1 >"$work/json"
    for key in introduced fixed baselined suppressed left_out present; do
        list=$(sed "s/.*\"$key\": \[\([^]]*\)\].*/\1/" "$work/json")
        [ -z "$list" ] || printf '%s ' "$key"
    done >"$work/got"
    [ "$(cat "$work/got")" = "$1 " ] || complain "$1: $(cat "$work/json")"
}
cp model.c keep
sed 's|m->b2), -1);|& // miscast: ignore[matmul-dtype] known|' keep >model.c
check
last suppressed
cp keep model.c
check
last 'introduced present'
"$program" baseline write >/dev/null 2>&1
echo 'baseline: .miscast-baseline.json' >.miscast.yaml
check
last baselined
"$program" history | sed -n 1p | grep -q 'fixed  baselined  suppressed  present  of' || complain "no column of what was set aside"
rm .miscast.yaml
check
for line in 'ignore: [matmul-dtype]' 'exclude: [model.c]' 'per-file-ignores: {"model.c": [dtype]}'; do
    echo "$line" >.miscast.yaml
    check
    last left_out
    rm .miscast.yaml
    check
    last 'introduced present'
done
rm model.c
check
last left_out
cp keep model.c
check
check --fix
last fixed
exit $failed
