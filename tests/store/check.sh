#!/bin/sh
# A store never changes the output: after each change to a project, a run with a store of earlier
# results and one without are compared: stdout, stderr and exit code.
#
#   check.sh PROGRAM INCLUDE EXAMPLE
set -eu
program=$1 include=$2 example=$3
packs=$(cd "$(dirname "$0")/../../rules/packs" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
work=$(cd "$work" && pwd -P)
mkdir "$work/p" "$work/p/build" "$work/p/inc" "$work/p/late"
cp "$example"/*.c "$example"/*.h "$work/p"
cd "$work/p"
mkdir .git # the root
unset FORCE_COLOR MISCAST_PACKS
ASAN_OPTIONS=detect_leaks=0 NO_COLOR=
export ASAN_OPTIONS NO_COLOR
failed=0

# database [FLAG...]: writes a database for all C files, with these flags
database() {
    separator='['
    for file in *.c; do
        printf '%s{"directory": "%s", "file": "%s", "command": "cc %s -I inc -I late -I%s -c %s"}' \
            "$separator" "$PWD" "$file" "$*" "$include" "$file"
        separator=','
    done >build/compile_commands.json
    echo ']' >>build/compile_commands.json
}

# run NAME ARGUMENT...: writes the output to files of that name
run() {
    name=$1
    shift
    status=0
    "$program" "$@" >"$work/$name.out" 2>"$work/$name.err" || status=$?
    echo "$status" >"$work/$name.status"
}

complain() {
    echo "$*" >&2
    failed=1
}

# run_plain ARGUMENT...: without the store, as name "plain"; not again where all files, packs and
# arguments are those of a run before
run_plain() {
    key=$({
        echo "$PWD ${MISCAST_PACKS-} $*"
        find "$work/p" ${MISCAST_PACKS:+"$MISCAST_PACKS"} "$work/flags" -type f ! -path '*/.miscast/*' \
            -exec cksum {} + 2>/dev/null | sort
    } | cksum | tr -d ' ')
    if [ ! -f "$work/plain.$key.status" ]; then
        run "plain.$key" "$@" --no-cache
    fi
    for part in out err status; do
        cp "$work/plain.$key.$part" "$work/plain.$part"
    done
}

# same WHAT ARGUMENT...: with and without the store
same() {
    what=$1
    shift
    run kept "$@"
    run_plain "$@"
    for part in out err status; do
        cmp -s "$work/kept.$part" "$work/plain.$part" && continue
        complain "$what: $part differs: miscast $*"
        diff "$work/plain.$part" "$work/kept.$part" >&2 || true
    done
}

# told WHAT ARGUMENT...: the same, but that one line on stderr says what is wrong with the store
told() {
    what=$1
    shift
    run kept "$@"
    run_plain "$@"
    grep -v "store\.db\|cannot be made\|build/\.miscast: " "$work/kept.err" >"$work/rest.err" || true
    cmp -s "$work/kept.out" "$work/plain.out" || complain "$what: out differs"
    cmp -s "$work/rest.err" "$work/plain.err" || complain "$what: err differs"
    [ $(($(wc -l <"$work/kept.err") - $(wc -l <"$work/rest.err"))) -eq 1 ] ||
        complain "$what: not one line on stderr"
}

# Whether a run loads libclang, OpenBLAS: LD_DEBUG has the loader say what it maps.
loads() {
    LD_DEBUG=files "$program" "$@" 2>&1 | grep -q 'libclang\|openblas'
}

# Times that are in the past, and a clock that has gone on.
settle() {
    find . -type f ! -path './build/.miscast/*' -exec touch -d '2001-01-01' {} +
    sleep 0.02
}

database
settle
same cold check
[ -f build/.miscast/store.db ] || complain "no store beside the database"
same warm check
! loads check || complain "nothing changed, but a library was loaded"
for command in types contracts; do
    same "warm $command" "$command" model.c
    ! loads "$command" model.c || complain "$command loaded a library"
done
same trace trace model.c:8:23
same 'other rules' check --select all
same 'one file' check model.c
same 'what-if' check --assume 'x=bf16' model.c
same sarif check --format sarif

# A run in which nothing changed reads no unit: that they cannot be read makes no difference.
if python3 -c 'import sqlite3' 2>/dev/null; then
    cp build/.miscast/store.db "$work/store.db"
    python3 -c 'import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
db.execute("UPDATE texts SET data = x'"''"'")
db.commit()' build/.miscast/store.db
    same 'units that cannot be read' check
    ! loads check || complain "nothing changed, but units were read"
    same 'units that are needed' check --select all --ignore upkeep
    cp "$work/store.db" build/.miscast/store.db
    rm -f build/.miscast/store.db-*
fi

touch ./*.c ./*.h
same touched check
! loads check || complain "files were only touched, but a library was loaded"

sed 's/mc_half(x)/mc_bfloat16(x)/' main.c >new && mv new main.c
same 'a leaf' check
sed 's/bfloat16/half/' main.c >new && mv new main.c
same 'a leaf as it was' check
echo 'extern int unused_in_all;' >>model.h
same 'a header' check
echo '// miscast: ignore-file[matmul-dtype] a test' >>model.c
same 'a comment that suppresses' check
same 'types with it' types model.c
sed '$d' model.c >new && mv new model.c
same 'and no more' check

# A header that is found before another of its name.
printf '#define HALF 1\n' >late/choice.h
printf '#include <choice.h>\n#if HALF\n#define CAST mc_half\n#else\n#define CAST mc_float\n#endif\n' >>model.h
sed 's/mc_half(x)/CAST(x)/' main.c >new && mv new main.c
same 'a new header' check
same 'the same again' check
printf '#define HALF 0\n' >inc/choice.h
same 'a header before it' check
rm inc/choice.h
same 'which is gone' check
rm late/choice.h
same 'a header that is missing' check
same 'and still is' check
printf '#define HALF 1\n' >late/choice.h
same 'and is there again' check
sed 's/#include <choice.h>/#if __has_include(<maybe.h>)\n#include <maybe.h>\n#endif\n&/' model.h >new && mv new model.h
same 'a header that may be there' check
printf '#error here it is\n' >inc/maybe.h
same 'and is' check
rm inc/maybe.h
same 'and is not' check

printf '1, 2' >late/numbers
printf 'static const int numbers[] = {\n#embed "late/numbers"\n};\nint first_number(void) { return numbers[0]; }\n' >>load.c
same 'a file that is no source' check
printf 'no' >late/numbers
same 'and another' check

database -DUNUSED=1
same 'another flag' check
database
same 'and without' check
printf 'flags\n' >"$work/flags" && database "@$work/flags"
printf -- '-DHALF=1' >"$work/flags"
same 'a file of flags' check
printf -- '-Werror -DHALF=0' >"$work/flags"
same 'and another' check
database

cp model.c other.c
same 'a file that is in no database' check
mv other.c third.c
same 'and has another name' check
rm third.c
same 'and is gone' check
mv load.c loading.c
same 'a file of the database that is gone' check
database
same 'and goes by another name' check
mv loading.c load.c
database

printf 'ignore: [matmul-dtype]\n' >.miscast.yaml
same 'a configuration' check
printf 'per-file-ignores: {"model.c": [dtype]}\n' >.miscast.yaml
same 'another configuration' check
printf 'baseline: base.json\n' >.miscast.yaml
run baseline baseline write
same 'a baseline' check
same 'and without' check --no-baseline
sed 's/"occurrence": 0/"occurrence": 7/' base.json >new && mv new base.json
same 'another baseline' check
same 'baseline show' baseline show
rm .miscast.yaml base.json

# Packs: those that come along, in a copy, and one of the user's.
cp -R "$packs" "$work/packs"
chmod -R u+w "$work/packs"
MISCAST_PACKS=$work/packs
export MISCAST_PACKS
same 'packs elsewhere' check
for file in "$work"/packs/*.yaml; do
    sed 's/mc_half/mc_no_half/' "$file" >"$work/new" && mv "$work/new" "$file"
done
same 'other packs' check
unset MISCAST_PACKS

# Text that is not saved is no file's contents.
for i in 1 2; do
    status=0
    sed 's/mc_linear(h, m->w2/mc_linear(m->w2, h/' model.c |
        "$program" check --stdin-filename model.c >"$work/kept.out" 2>&1 || status=$?
    sed 's/mc_linear(h, m->w2/mc_linear(m->w2, h/' model.c |
        "$program" check --stdin-filename model.c --no-cache >"$work/plain.out" 2>&1 || status=$?
    cmp -s "$work/kept.out" "$work/plain.out" || complain "standard input, $i"
done

# Mending, with what is kept.
cp -R . "$work/q"
"$program" check >"$work/warm.out" 2>&1 || true
run kept check --fix --unsafe-fixes
mkdir "$work/r" && cp ./*.c ./*.h "$work/r"
cp "$work"/q/*.c "$work"/q/*.h .
run plain check --fix --unsafe-fixes --no-cache
cmp -s "$work/kept.out" "$work/plain.out" && cmp -s "$work/kept.err" "$work/plain.err" ||
    complain "--fix says something else"
for file in *.c *.h; do
    cmp -s "$file" "$work/r/$file" || complain "--fix makes another $file"
done
cp "$work"/q/*.c "$work"/q/*.h .

# From another folder.
mkdir below
(cd below && same 'from below' check .. && same 'again from below' check ..) || failed=1

# A store that is no good.
same before check
head -c 9000 build/.miscast/store.db >new && mv new build/.miscast/store.db
rm -f build/.miscast/store.db-*
told truncated check
same 'after that' check
echo 'not a database' >build/.miscast/store.db
told 'no database' check
same 'after that' check
: >build/.miscast/store.db
same empty check
same 'after that' check
rm -rf build/.miscast && mkdir build/.miscast build/.miscast/store.db
XDG_CACHE_HOME=$work/users
export XDG_CACHE_HOME
told 'a folder' check
unset XDG_CACHE_HOME
rm -rf build/.miscast
told 'nowhere to write' check --cache-dir /proc/self/nowhere
same 'elsewhere' check --cache-dir "$work/cache"
[ -f "$work/cache/store.db" ] || complain "--cache-dir is not used"
[ ! -e build/.miscast ] || complain "--cache-dir is not all that is used"

# Where the project cannot be written, the user's cache is used. For root that is another user, who may be
# unable to read anything of ours: the program, packs and headers are copied.
user=
[ "$(id -u)" -ne 0 ] || user='setpriv --reuid=65534 --regid=65534 --clear-groups'
if [ -z "$user" ] || $user true 2>/dev/null; then
    mkdir "$work/home" "$work/ours"
    cp "$program" "$work/ours/miscast"
    cp -R "$packs" "$work/ours/packs"
    cp -R "$include" "$work/ours/include"
    cp build/compile_commands.json "$work/database"
    sed "s|-I$include|-I$work/ours/include|g" "$work/database" >build/compile_commands.json
    chmod -R a+rX "$work/ours"
    chmod 755 "$work" "$work/p" && chmod 777 "$work/home" && chmod 555 build
    as_user() {
        HOME=$work/home XDG_CACHE_HOME='' MISCAST_PACKS=$work/ours/packs $user "$work/ours/miscast" "$@"
    }
    for i in 1 2; do
        as_user check >"$work/kept.out" 2>"$work/kept.err" || true
        as_user check --no-cache >"$work/plain.out" 2>"$work/plain.err" || true
        cmp -s "$work/kept.out" "$work/plain.out" && cmp -s "$work/kept.err" "$work/plain.err" ||
            complain "in the user's cache, $i: $(cat "$work/kept.err")"
        ! grep -q 'error:\|with errors' "$work/kept.err" || complain "as a user, $i: $(cat "$work/kept.err")"
    done
    ls "$work"/home/.cache/miscast/*/store.db >/dev/null || complain "nothing is kept there"
    [ ! -e build/.miscast ] || complain "something is written where it should not be"
    as_user clean >/dev/null
    ! ls "$work"/home/.cache/miscast/*/store.db 2>/dev/null || complain "clean leaves it there"
    chmod 755 build
    cp "$work/database" build/compile_commands.json
fi

run kept check
"$program" clean >"$work/clean.out" || complain "clean fails"
[ "$(cat "$work/clean.out")" = 'removed build/.miscast' ] || complain "clean says something else"
[ ! -e build/.miscast ] || complain "clean leaves something there"
"$program" clean >"$work/clean.out" && [ ! -s "$work/clean.out" ] || complain "clean twice"

# Several at a time, from nothing.
for i in 1 2 3 4; do
    "$program" check >"$work/many.$i.out" 2>"$work/many.$i.err" &
done
wait
run plain check --no-cache
for i in 1 2 3 4; do
    cmp -s "$work/many.$i.out" "$work/plain.out" && cmp -s "$work/many.$i.err" "$work/plain.err" ||
        complain "one of several says something else: $(diff "$work/many.$i.err" "$work/plain.err")"
done

# One that is ended at any moment.
rm -rf build/.miscast
for time in 0.01 0.03 0.05 0.07 0.09 0.12; do
    timeout -s KILL "$time" "$program" check >/dev/null 2>&1 || true
done
same 'after those that were killed' check
same 'and again' check

exit $failed
