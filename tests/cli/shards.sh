#!/bin/sh
# A check in steps equals a single check: linked summaries and shards give the same reports to the byte,
# also in another checkout. What cannot be linked is reported in one line.
#
#   shards.sh PROGRAM INCLUDE EXAMPLE
set -eu
program=$1 include=$2 example=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
work=$(cd "$work" && pwd -P)
unset FORCE_COLOR MISCAST_PACKS
ASAN_OPTIONS=detect_leaks=0 NO_COLOR=
export ASAN_OPTIONS NO_COLOR
failed=0

complain() {
    echo "$*" >&2
    failed=1
}

# A tree with a space in a folder name, a file with an error, and one that is no longer C.
tree="$work/a tree"
mkdir -p "$tree/some src" "$tree/build" "$tree/.git"
cp "$example"/*.c "$example"/*.h "$tree"
cd "$tree"
printf '#include "../half.h"\nmc_tensor *other(mc_tensor *x)\n{\n    return MISTAKE(x, mc_half(x));\n}\n' \
    >"some src/other file.c"
printf '#define MISTAKE(a, b) mc_matmul(mc_to_dtype(a, MC_F32), b)\n#include <miscast/tensor.h>\n' >half.h
printf '#include "gone.h"\nint broken(void) { return undeclared; }\n' >broken.c

# database: writes a database for all C files here
database() {
    separator='['
    for file in *.c */*.c; do
        printf '%s{"directory": "%s", "file": "%s", "arguments": ["cc", "-I.", "-I%s", "-c", "%s"]}' \
            "$separator" "$PWD" "$file" "$include" "$file"
        separator=','
    done >build/compile_commands.json
    echo ']' >>build/compile_commands.json
}
database

# same WHAT SUMMARY...: linked, they say what a check says
same() {
    what=$1
    shift
    for format in text json sarif; do
        one=0 other=0
        "$program" check --no-cache --select all --format $format >"$work/check" 2>/dev/null || one=$?
        "$program" link --select all --format $format "$@" >"$work/link" 2>"$work/link.err" || other=$?
        [ "$one" = "$other" ] || complain "$what: exit code $other instead of $one"
        cmp -s "$work/check" "$work/link" || complain "$what: $format differs: $(diff "$work/check" "$work/link" | head -5)"
    done
    [ -s "$work/check" ] || complain "$what: there is nothing to compare"
}

# refused WHAT LINE ARGUMENT...: exit code 2, and this line alone
refused() {
    what=$1 line=$2
    shift 2
    status=0
    "$program" "$@" >"$work/out" 2>"$work/err" || status=$?
    [ $status = 2 ] || complain "$what: exit code $status instead of 2"
    [ ! -s "$work/out" ] || complain "$what: says something on standard output"
    [ "$(head -1 "$work/err")" = "miscast: error: $line" ] || complain "$what: says: $(cat "$work/err")"
}

summarize_all() {
    for file in *.c */*.c; do
        "$program" summarize "$file" -o "build/$(basename "$file").mcs" --depfile "build/$(basename "$file").d" ||
            complain "summarize $file: exit code $?"
    done
}
summarize_all
same 'summaries' build/*.mcs
grep -q 'broken.c' "$work/link.err" || complain 'the error in broken.c is not told'

# The same bytes: again, from elsewhere, with the flags given.
cp build/main.c.mcs "$work/first.mcs"
"$program" summarize main.c -o build/main.c.mcs
cmp -s build/main.c.mcs "$work/first.mcs" || complain 'a second time gives other bytes'
(cd build && "$program" summarize ../main.c -o "$work/second.mcs" -- -I.. "-I$include" -O2)
cmp -s "$work/second.mcs" "$work/first.mcs" || complain 'from another folder, with flags, gives other bytes'

# What was read, as Make reads it.
grep -q '^build/other\\ file.c.mcs:' "build/other file.c.d" || complain 'the target of the depfile is wrong'
grep -qF "$(echo "$tree" | sed 's/ /\\ /g')/half.h" "build/other file.c.d" || complain 'the depfile misses a header'

# In shares, of which one is empty.
for n in 1 2 7; do
    rm -f build/share*.mcs
    i=1
    while [ $i -le $n ]; do
        "$program" check --no-cache --shard $i/$n -o build/share$i.mcs 2>/dev/null || complain "share $i of $n: exit code $?"
        i=$((i + 1))
    done
    same "$n shares" build/share*.mcs
done
[ ! -e build/.miscast ] || complain 'a share leaves something behind in spite of --no-cache'
# What is kept gives the same.
for again in 1 2; do
    "$program" check --shard 1/1 -o build/kept$again.mcs 2>/dev/null
    "$program" check --no-cache --shard 1/1 -o build/plain.mcs 2>/dev/null
    cmp -s build/kept$again.mcs build/plain.mcs || complain "a share from the store has other bytes ($again)"
done
rm -rf build/.miscast

# Elsewhere: only the sources and the summaries.
mkdir -p "$work/elsewhere/deeper"
cp -R "$tree" "$work/elsewhere/deeper/b"
mv "$tree" "$work/gone"
cd "$work/elsewhere/deeper/b"
database
same 'summaries from elsewhere' build/*.c.mcs
same 'shares from elsewhere' build/share*.mcs
cd "some src"
"$program" link ../build/share*.mcs --format concise >"$work/link" 2>/dev/null || true
"$program" check --no-cache .. --format concise >"$work/check" 2>/dev/null || true
cmp -s "$work/check" "$work/link" || complain "from another folder: $(diff "$work/check" "$work/link" | head -5)"
cd ..

# What does not fit.
refused 'a missing share' 'shard 3 of 7 is missing' link build/share[124567].mcs
refused 'a share twice' 'build/share2.mcs: is given twice' link build/share2.mcs build/share2.mcs
cp build/share2.mcs build/copy.mcs
refused 'a copy of a share' 'build/copy.mcs: is shard 2 of 7, like build/share2.mcs' link build/share2.mcs build/copy.mcs
rm build/copy.mcs
refused 'a unit twice' 'main.c: is in two of the summaries' link build/main.c.mcs "$work/first.mcs"
refused 'a share and a summary' 'build/main.c.mcs: a shard can only be linked with the other shards of its run' link build/share*.mcs build/main.c.mcs
"$program" check main.c --no-cache --shard 2/7 -o build/other.mcs 2>/dev/null
refused 'a share of another run' 'build/other.mcs: belongs to another run than build/share1.mcs: other files, or another number of shards' \
    link build/share1.mcs build/other.mcs
refused 'another file' 'main.c: is not a summary made by miscast' link main.c
refused 'no file' 'gone.mcs: cannot be read: No such file or directory' link gone.mcs
size=$(wc -c <"$work/first.mcs")
for n in 17 25 40 $((size / 2)) $((size - 1)); do
    head -c "$n" "$work/first.mcs" >"$work/cut.mcs"
    refused "cut to $n bytes" "$work/cut.mcs: is damaged or truncated" link "$work/cut.mcs"
done
LC_ALL=C tr @ A <"$work/first.mcs" >"$work/bent.mcs"
refused 'a changed byte' "$work/bent.mcs: is damaged or truncated" link "$work/bent.mcs"
version=$("$program" --version | sed 's/miscast //')
LC_ALL=C sed "s/${version%??}/9.9/" "$work/first.mcs" >"$work/new.mcs"
refused 'another version' "$work/new.mcs: is a summary of miscast 9.9${version#"${version%??}"}, and this is $version: make it anew" \
    link "$work/new.mcs"
refused 'no output' "'summarize' needs -o FILE" summarize main.c
refused 'two files' "'summarize' takes one file at a time, and not 'main.c' and 'gone.c'" \
    summarize -- cc -o two.o main.c lib.o gone.c
(cd build && "$program" summarize -- cc "-I$include" -c ../main.c) || complain 'a command without -o'
[ -s build/main.o ] || complain 'the summary is not where the object would be'
refused 'a report of a shard' "--shard reports nothing yet: --format is for 'miscast link'" \
    check --shard 1/2 -o x.mcs --format sarif=x
refused 'a shard without output' '--shard needs -o FILE' check --shard 1/2
refused 'a shard beyond the last' "--shard expects I/N, such as 1/4, not '3/2'" check --shard 3/2 -o x.mcs
echo '/* changed */' >>main.c
refused 'a source that changed' 'build/main.c.mcs: was made from another main.c than the one here: make it again' \
    link build/main.c.mcs

exit $failed
