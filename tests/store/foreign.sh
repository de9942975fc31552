#!/bin/sh
# What a checkout, an archive or another user can put in place of the store's folder: forged verdicts
# and stores, links, pipes, hard links. None of it is trusted, written to or removed; one line says so,
# and the findings are those of a check without a store.
#
#   foreign.sh PROGRAM INCLUDE EXAMPLE
set -eu
program=$1 include=$2 example=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
work=$(cd "$work" && pwd -P)
unset FORCE_COLOR MISCAST_PACKS XDG_STATE_HOME
NO_COLOR=1 ASAN_OPTIONS=detect_leaks=0 HOME=$work/home XDG_CACHE_HOME=$work/cache
export NO_COLOR ASAN_OPTIONS HOME XDG_CACHE_HOME
mkdir "$work/home" "$work/p" "$work/p/.git" "$work/other"
cd "$work/p"
cp "$example"/*.c "$example"/*.h .
echo "-I$include" >compile_flags.txt
failed=0

complain() {
    echo "foreign: $*" >&2
    failed=1
}
# check: writes its output to out and err; must not hang
check() {
    timeout 20 "$program" "$@" >"$work/out" 2>"$work/err" || [ $? -eq 1 ] || complain "miscast $* fails: $(cat "$work/err")"
}
check check --no-cache
cp "$work/out" "$work/plain.out"
lines=$(wc -l <"$work/err")

# is_right WHAT [PATTERN]: the findings are the same; one more line matches PATTERN, or there is none
is_right() {
    cmp -s "$work/out" "$work/plain.out" || complain "$1: other findings"
    more=$(($(wc -l <"$work/err") - lines))
    if [ -n "${2-}" ]; then
        [ "$more" -eq 1 ] && grep -q -- "$2" "$work/err" || complain "$1: $(cat "$work/err")"
    else
        [ "$more" -eq 0 ] || complain "$1: $(cat "$work/err")"
    fi
}
listing() { # FOLDER: all that is in it, as it is
    (cd "$1" && find . -exec ls -ldn --time-style=full-iso {} + && find . -type f -exec cksum {} +) 2>/dev/null
}
# stays FOLDER WHAT PATTERN: neither check nor clean touches it
stays() {
    listing "$1" >"$work/before"
    check check
    is_right "$2" "$3"
    timeout 20 "$program" clean >"$work/out" 2>"$work/err" || complain "$2: clean fails"
    ! grep -q "removed .*p/\.miscast\|removed \.miscast" "$work/out" || complain "$2: clean removes it"
    listing "$1" >"$work/after"
    cmp -s "$work/before" "$work/after" || complain "$2: it was touched: $(diff "$work/before" "$work/after")"
}
fresh() {
    rm -rf .miscast "$work/cache"
}

# ---- ours -----------------------------------------------------------------------------------------

check check
is_right 'ours'
key=$HOME/.local/state/miscast/key
[ "$(stat -c '%a %s' "$key")" = '600 16' ] || complain "the key: $(stat -c '%a %s' "$key")"
[ "$(stat -c %a .miscast)" = 700 ] || complain "the folder can be read by others"
check check
is_right 'ours, again'
cp -R .miscast "$work/copy" # a copy of what the user made is still the user's
fresh
cp -R "$work/copy" .miscast
check history
grep -q ' 1  ' "$work/out" || complain "a copy is not taken"
check check
is_right 'a copy'

# ---- somebody else's ------------------------------------------------------------------------------

made_by_another() {
    fresh
    XDG_STATE_HOME=$work/another timeout 20 "$program" "$@" >/dev/null 2>&1 || [ $? -eq 1 ]
}
not_yours='\.miscast: holds results that you did not make on this machine: it is left alone'
made_by_another check
stays .miscast "another's store" "$not_yours"
check check
ls "$work"/cache/miscast/*/store.db >/dev/null || complain "nothing is kept in the user's cache"
made_by_another verify
[ -s .miscast/verdicts.json ] || complain "another's verdicts were not made"
sed -i 's/"confirmed"/"refuted"/' .miscast/verdicts.json
cp .miscast/verdicts.json "$work/forged"
check verify
[ "$(grep -c confirmed "$work/out")" -eq 1 ] || complain "forged verdicts: $(cat "$work/out")"
grep -q "$not_yours" "$work/err" || complain "forged verdicts: nothing is said"
rm .miscast/seal
stays .miscast 'without a seal' "$not_yours"
rm .miscast/store.db*
stays .miscast 'verdicts alone' "$not_yours"
made_by_another check
rm .miscast/seal
stays .miscast 'a store alone' "$not_yours"
made_by_another check
cp "$work/copy/seal" .miscast/seal # as if it had been published
check check
is_right "another's rows under the user's own seal"
fresh
cp -R "$work/copy" .miscast
python3 - .miscast/store.db <<'END' 2>/dev/null || true
import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
rows = [r for r in db.execute("SELECT id, data FROM kept WHERE kind = 2")]
for id, data in rows:
    db.execute("UPDATE kept SET data = ? WHERE id = ?", (bytes(data).replace(b"f16", b"f32"), id))
db.commit()
END
check check
is_right 'a row that was changed'

# Verdicts that git, which takes ignored files for worthless, put into the user's own folder.
fresh
check verify
cp -R .miscast "$work/verified"
for how in copy 'a link' 'a pipe'; do
    fresh
    cp -R "$work/verified" .miscast
    case $how in
        copy) cp "$work/forged" .miscast/verdicts.json ;;
        'a link') rm .miscast/verdicts.json && cp "$work/forged" "$work/other" && ln -s "$work/other/forged" .miscast/verdicts.json ;;
        'a pipe') rm .miscast/verdicts.json && mkfifo .miscast/verdicts.json ;;
    esac
    listing "$work/other" >"$work/before"
    check verify
    [ "$(grep -c confirmed "$work/out")" -eq 1 ] || complain "verdicts, $how: $(cat "$work/out")"
    listing "$work/other" >"$work/after"
    cmp -s "$work/before" "$work/after" || complain "verdicts, $how: the other file was touched"
done

# ---- links ----------------------------------------------------------------------------------------

fresh
cp -R "$work/copy" "$work/other/kept" # the user's own, of another project
for to in "$work/other/kept" ../other nowhere; do
    fresh
    ln -s "$to" .miscast
    listing "$work/other" >"$work/there"
    stays . "a link to $to" '\.miscast: is a link, which is not followed: it is left alone'
    listing "$work/other" | cmp -s - "$work/there" || complain "a link to $to: what it leads to was touched"
    [ -L .miscast ] && [ ! -e nowhere ] || complain "a link to $to is gone"
done
fresh
mkfifo .miscast
stays . 'a pipe' '\.miscast: is not a folder: it is left alone'
fresh
# Files of the store: a link to a file, a hard link, a pipe, a device, a folder.
for kind in link:store.db hard:store.db pipe:store.db folder:store.db zero:store.db link:store.db-wal \
    hard:store.db-wal pipe:store.db-wal link:store.db-shm link:store.db-journal; do
    name=${kind#*:}
    fresh
    cp -R "$work/copy" .miscast
    rm -f ".miscast/$name" "$work/other/file"
    echo precious >"$work/other/file"
    case $kind in
        link:*) ln -s "$work/other/file" ".miscast/$name" ;;
        hard:*) ln "$work/other/file" ".miscast/$name" ;;
        pipe:*) mkfifo ".miscast/$name" ;;
        folder:*) mkdir ".miscast/$name" ;;
        zero:*) ln -s /dev/zero ".miscast/$name" ;;
    esac
    check check
    is_right "$kind" 'is not a plain file: nothing is kept'
    [ "$(cat "$work/other/file")" = precious ] || complain "$kind: written through"
    timeout 20 "$program" clean >"$work/out" 2>"$work/err" || [ "${kind%:*}" = folder ] || complain "$kind: clean: $(cat "$work/err")"
    [ "$(cat "$work/other/file")" = precious ] || complain "$kind: removed through"
done
# The folder of the database is a link: what is kept goes to the user's cache, and nothing through it.
fresh
mkdir "$work/other/build"
ln -s ../other/build build
mv compile_flags.txt "$work/other/build"
listing "$work/other" >"$work/before"
check check -p build
is_right 'a folder that is a link'
"$program" clean -p build >"$work/out" 2>&1 || complain "clean behind a link: $(cat "$work/out")"
listing "$work/other" | cmp -s - "$work/before" || complain 'something is written behind a link'
mv "$work/other/build/compile_flags.txt" .
rm build
fresh
ln -s "$work/other" cached
listing "$work/other" >"$work/before"
check check --cache-dir cached/here
is_right '--cache-dir behind a link of the project' 'lies behind a link'
listing "$work/other" | cmp -s - "$work/before" || complain '--cache-dir behind a link is used'
rm cached

# ---- what .miscast.yaml names -----------------------------------------------------------------------

# The database of another project: nothing is kept next to it, or removed there.
fresh
mv compile_flags.txt "$work/other/build"
cp -R "$work/copy" "$work/other/build/.miscast"
echo "database: ../other/build" >.miscast.yaml
listing "$work/other" >"$work/before"
check check
"$program" clean >"$work/out" 2>&1 || complain "clean: $(cat "$work/out")"
listing "$work/other" | cmp -s - "$work/before" || complain "something is written where .miscast.yaml says"
mv "$work/other/build/compile_flags.txt" .
# Reports and baselines anywhere but below it.
ln -s "$work/other" away
ln -s "$work/other/new" found.json
ln -s "$work/other/new" .miscast-baseline.json
for file in "$work/other/new" ../other/new away/new found.json .git/hooks/pre-commit .GIT/config; do
    printf 'format: [text, "json=%s"]\n' "$file" >.miscast.yaml
    "$program" check >"$work/out" 2>"$work/err" && complain "a report to $file"
    grep -q 'yaml:1:.*; --format can name it$' "$work/err" || complain "a report to $file: $(cat "$work/err")"
    printf 'baseline: "%s"\n' "$file" >.miscast.yaml
    "$program" baseline write >"$work/out" 2>"$work/err" && complain "a baseline to $file"
    grep -q -- '; --baseline can name it$' "$work/err" || complain "a baseline to $file: $(cat "$work/err")"
done
rm .miscast.yaml
"$program" baseline write >"$work/out" 2>"$work/err" && complain "a baseline through a link"
[ ! -e "$work/other/new" ] && [ ! -e .git/hooks ] || complain "something is written where .miscast.yaml says"
"$program" baseline write --baseline found.json >"$work/out" 2>"$work/err" || complain "a baseline that the user names: $(cat "$work/err")"
rm found.json .miscast-baseline.json away "$work/other/new"
mkdir -p below/here
echo 'format: [text, "json=below/here/found.json"]' >.miscast.yaml
(cd "$work" && timeout 20 "$program" check p/main.c >/dev/null 2>&1) || [ $? -eq 1 ]
[ -s below/here/found.json ] || complain "a report below it is not written"
rm -r .miscast.yaml below

# ---- the key --------------------------------------------------------------------------------------

fresh
for how in readable short link gone unwritable nowhere inside home; do
    rm -rf "$work/state"
    mkdir -p "$work/state/miscast"
    XDG_STATE_HOME=$work/state
    case $how in
        readable) cp "$key" "$work/state/miscast/key" && chmod 644 "$work/state/miscast/key" && says='can be read by others' ;;
        short) : >"$work/state/miscast/key" && says='is not a key of miscast' ;;
        link) ln -s "$key" "$work/state/miscast/key" && says='cannot be read' ;;
        gone) says= ;;
        unwritable) XDG_STATE_HOME=/proc/nowhere && says='cannot be made, so nothing is kept' ;;
        nowhere) XDG_STATE_HOME= HOME= && says='neither HOME nor XDG_STATE_HOME' ;;
        inside) HOME=$work/home XDG_STATE_HOME=$work/p/state && mkdir -p state/miscast && says='is in the repository' ;;
        home) HOME=$work/p XDG_STATE_HOME= && says='is in the repository' ;;
    esac
    export XDG_STATE_HOME HOME
    check check
    is_right "the key, $how" "$says"
    [ -n "$says" ] && [ -e .miscast ] && complain "the key, $how: something is kept"
    [ $how = home ] && ls -A | grep -e .local -e .cache && complain "the key, $how: it is made in the repository"
    fresh
done
exit $failed
