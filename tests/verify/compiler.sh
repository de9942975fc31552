#!/bin/sh
# The compiler's input comes from the project: it cannot make us wait, fills neither memory nor disk, and
# ends with us, however we end. A compiler that came with the code is not run.
#
#   compiler.sh PROGRAM INCLUDE
set -eu
program=$1 include=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
mkdir "$work/project" "$work/tmp"
cd "$work/project"
NO_COLOR=1 ASAN_OPTIONS=detect_leaks=0 TMPDIR=$work/tmp
export NO_COLOR ASAN_OPTIONS TMPDIR
unset CC FORCE_COLOR MISCAST_PACKS
echo "-I$include" >compile_flags.txt
cat >good.c <<'END'
#include <miscast/tensor.h>

int main(void)
{
    mc_tensor *x = mc_ones(mc_shape(2, 2));
    mc_print(mc_matmul(x, mc_half(x)));
    return 0;
}
END

# is FILE VERDICT
is() {
    "$program" verify --isolated --no-cache --unit-timeout 1 "$1" >got 2>said || :
    [ -z "$(ls -A "$TMPDIR")" ] && grep -q "^  $2" got || {
        echo "compiler: $1 should be $2:" >&2
        cat got said >&2
        exit 1
    }
}

mkfifo pipe
{ cat good.c && printf '%s\n' '__asm__(".data\n.incbin \"pipe\"\n.text\n");'; } >waits.c
{ cat good.c && printf '%s\n' '__asm__(".data\n.fill 0x3fffffff, 4, 1\n.text\n");'; } >large.c

# Processes of a compiler that writes to our folder.
compilers() {
    for process in /proc/[0-9]*; do
        { tr '\0' ' ' <"$process/cmdline"; } 2>/dev/null | grep -q " $TMPDIR/miscast-verify-" && echo "$process"
    done
    return 0
}

# until_some yes|no: whether there are any
until_some() {
    tries=0
    while [ "$([ -z "$(compilers)" ] && echo no || echo yes)" != "$1" ]; do
        tries=$((tries + 1))
        if [ "$tries" -gt 100 ]; then
            echo "compiler: processes:" >&2
            compilers >&2
            cat got said >&2
            exit 1
        fi
        sleep 0.05
    done
}

# Killed, while a compiler waits: every process of it has limits, and none outlives us.
ln -s pipe pipe.h
{ printf '#ifndef __clang__\n#include "pipe.h"\n#endif\n' && cat waits.c; } >killed.c
"$program" verify --isolated --no-cache --unit-timeout 13 killed.c >got 2>said &
pid=$!
until_some yes
sleep 0.1
for process in $(compilers); do
    grep -q '^Max cpu time *13 ' "$process/limits" && grep -q '^Max file size *268435456 ' "$process/limits" &&
        grep -q '^Max address space *4294967296 ' "$process/limits" || {
        echo "compiler: no limits:" >&2
        tr '\0' ' ' <"$process/cmdline" >&2
        cat "$process/limits" >&2
        kill "$pid"
        exit 1
    }
done
kill -KILL "$pid"
wait "$pid" 2>/dev/null || :
until_some no

is waits.c 'not run: it does not compile: cc took longer than 4 s'
is large.c 'not run: it does not compile: '

for name in cc gcc as ld addr2line; do
    printf '#!/bin/sh\n: >"%s/ran"\nexit 1\n' "$work" >"$name"
    chmod +x "$name"
done
PATH=.::$PATH
is good.c 'confirmed: '
[ ! -e "$work/ran" ] || {
    echo "compiler: a program of the project was run" >&2
    exit 1
}
