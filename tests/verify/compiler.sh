#!/bin/sh
# The compiler's input comes from the project: it cannot make us wait, fills neither memory nor disk, and
# a compiler that came with the code is not run.
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
