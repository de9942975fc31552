#!/bin/sh
# What a unit depends on besides the files that it reads: each is changed, one at a time, and the output
# with a store is compared with the output without.
#
#   depends.sh PROGRAM INCLUDE
set -eu
program=$1 include=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
work=$(cd "$work" && pwd -P)
mkdir "$work/p" && cd "$work/p"
mkdir .git src inc early
unset FORCE_COLOR MISCAST_PACKS CPATH C_INCLUDE_PATH SOURCE_DATE_EPOCH
ASAN_OPTIONS=detect_leaks=0 NO_COLOR=1
export ASAN_OPTIONS NO_COLOR
failed=0
right='#define CAST mc_float' wrong='#define CAST mc_half' broken='#define MORE int x x;'

# database [FLAG...]
database() {
    printf '[{"directory": "%s", "file": "src/a.c", "command": "cc %s -Iearly -Iinc -I%s -c src/a.c"}]\n' \
        "$PWD" "$*" "$include" >compile_commands.json
}

# same STATUS WHAT: the output is the same with and without the store, and STATUS is the exit code
same() {
    kept=0 plain=0
    "$program" check >"$work/kept.out" 2>"$work/kept.err" || kept=$?
    "$program" check --no-cache >"$work/plain.out" 2>"$work/plain.err" || plain=$?
    if [ "$plain" -ne "$1" ]; then
        echo "$2: not what is meant: status $plain" >&2
        failed=1
    fi
    [ "$kept" -eq "$plain" ] && cmp -s "$work/kept.out" "$work/plain.out" &&
        cmp -s "$work/kept.err" "$work/plain.err" && return
    echo "$2: not the same" >&2
    diff "$work/plain.out" "$work/kept.out" >&2 || true
    failed=1
}

# source TEXT: in a function, before a product
source() {
    printf '%s\n' "#include <miscast/tensor.h>" "$1" '#ifdef MORE' MORE '#endif' \
        'void f(void)' '{' '    mc_tensor *x = mc_ones(mc_shape(2, 2));' \
        '    mc_print(mc_matmul(x, CAST(x)));' '}' >src/a.c
}

source '#include "h.h"'
echo "$right" >inc/h.h
database
same 0 'at first'

# Names that stand for no file, until they do.
ln -s ../target.h early/h.h
same 0 'a link to nowhere'
same 0 'a link to nowhere, again'
echo "$wrong" >target.h
same 1 'the link leads somewhere'
rm early/h.h target.h
mkdir early/h.h
same 0 'a folder that is called like a header'
rmdir early/h.h
echo "$wrong" >early/h.h
same 1 'and is one'
rm early/h.h
same 0 'and is gone'

# Folders that come, and links to them.
database -Ilate/below
same 0 'a folder that is not there'
mkdir -p late/below
echo "$wrong" >late/below/h.h
same 1 'and is'
rm -r late
mkdir one two
echo "$wrong" >two/h.h
ln -s one late
database -Ilate
same 0 'a link to a folder'
ln -sfn two late
same 1 'to another'
rm -r late one two
database -iquote late
same 0 'quoted'
mkdir late
echo "$wrong" >late/h.h
same 1 'quoted, and there'
rm -r late

# Files that flags include are looked for where the compiler runs.
for flag in -include -imacros; do
    echo '#define UNUSED 1' >inc/pre.h
    database "$flag pre.h"
    same 0 "$flag"
    echo "$broken" >pre.h
    same 3 "$flag, found before"
    rm pre.h
    echo "$broken" >inc/pre.h
    same 3 "$flag, changed"
done
echo '#define UNUSED 1' >inc/pre.h

# What a header asks for, though it is the system's to some.
mkdir sys
printf '%s\n' '#if __has_include(<maybe.h>)' '#include <maybe.h>' '#else' "$right" '#endif' >sys/s.h
source '#include <s.h>'
database -isystem sys
same 0 'a header that may be there'
echo "$wrong" >inc/maybe.h
same 1 'and is'
rm inc/maybe.h

# The environment, the order of folders.
source '#include <h.h>'
database
for variable in CPATH C_INCLUDE_PATH; do
    mkdir env
    mv inc/h.h env/h.h
    same 3 "no $variable"
    eval "export $variable=\$PWD/env"
    same 0 "$variable"
    echo "$wrong" >env/h.h
    same 1 "$variable, changed"
    unset "$variable"
    same 3 "$variable is no more"
    rm -r env
    echo "$right" >inc/h.h
done
echo "$wrong" >early/h.h
database
same 1 'in this order'
database -Iinc
same 0 'in another'
rm early/h.h

# Both kinds of database in one folder, and either alone. Flags name no units.
printf '%s\n' "-I$include" -Iearly -Iinc "-DCAST=mc_half" >compile_flags.txt
source ''
database -DCAST=mc_float
same 0 'commands and flags'
rm compile_commands.json
same 1 'flags alone'
database -DCAST=mc_float
same 0 'commands and flags again'
rm compile_flags.txt
same 0 'commands alone'
source '#include <h.h>'

# Time is none of what a program says.
source 'enum { ODD = __TIME__[7] % 2, EVEN = __TIMESTAMP__[18] % 2 };
#define CAST(x) (ODD || EVEN ? mc_half(x) : mc_float(x))'
database
same 0 'a time'
touch -d '2001-01-01 00:00:01' src/a.c
sleep 1
same 0 'a second later'

# The same text, found elsewhere: it is told where.
mkdir one two
printf 'static inline mc_tensor *as_half(mc_tensor *x)\n{\n    return mc_half(x);\n}\n' >one/m.h
cp one/m.h two/m.h
ln -s ../one/m.h inc/m.h
source '#include "m.h"
#define CAST as_half'
same 1 'a link to a header'
ln -sf ../two/m.h inc/m.h
same 1 'to another of the same text'
rm inc/m.h
cp one/m.h inc/m.h
same 1 'the same text in its place'
cp one/m.h early/m.h
same 1 'the same text, found before'
rm early/m.h

# A unit that has to be read again, and is what it was, beside one that is not.
printf '#include "m.h"\nmc_tensor *late(mc_tensor *x)\n{\n    return mc_float(x);\n}\n' >src/b.c
sed -i '1s/^/#include <miscast\/tensor.h>\n/' src/b.c
source 'mc_tensor *late(mc_tensor *x);
#define CAST late'
database -Ilate
sed "s/a\.c/b.c/g; s/^.//; s/^/,/" compile_commands.json >other
sed -i 's/.$//' compile_commands.json
cat other >>compile_commands.json
same 0 'two units'
mkdir late
cp one/m.h late/n.h
echo '/* the same, but for this */' >>src/a.c
same 0 'one again, though nothing became of it'
sed -i 's/mc_print/(void)0, mc_print/' src/a.c
cp one/m.h early/m.h
rm -r late
same 0 'and again'

exit $failed
