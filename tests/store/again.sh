#!/bin/sh
# again.sh MISCAST INCLUDE EDITS SEED: an incremental run after a change reports what a run without the
# store reports, byte for byte. A small, highly connected program (calls, fields, globals, tables of
# functions, inline functions in headers, statics of one name) is changed at random.
set -eu
miscast=$1 include=$2 edits=$3 seed=$4
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
cd "$here"
mkdir inc lib app
N=5

# The current choice for each thing that can change, in a variable of its own.
for k in 1 2 3 4 5; do
    eval "op$k=$((k % 4)) set$k=$((k % 3)) use$k=$((k % 4)) init$k=$k call$k=$((k % 5 + 1)) lines$k=0 there$k=1"
done
mode=0 table=0 twice=0 limit=0 macro=0

pick() { # of the words behind the number, the one it says; from 0
    n=$1
    shift $((n + 1))
    printf '%s' "$1"
}

header() {
    cat >inc/common.h <<EOF
#include <miscast/tensor.h>
struct model { mc_tensor *w, *b; int half; };
struct op { const char *name; mc_tensor *(*run)(mc_tensor *); };
extern const struct op ops[5];
extern int mode;
extern mc_tensor *scale;
$(for k in 1 2 3 4 5; do echo "mc_tensor *op$k(mc_tensor *x); void set$k(struct model *m, int half); mc_tensor *use$k(struct model *m, mc_tensor *x);"; done)
static inline mc_tensor *twice(mc_tensor *x) { return $(pick $twice 'mc_add(x, x)' 'mc_mul(x, 2.0)' 'mc_half(x)'); }
#define AS $(pick $macro MC_F16 MC_BF16 MC_F32)
EOF
}
more_lines() { i=0; while [ $i -lt $1 ]; do echo; i=$((i + 1)); done; }
op() {
    eval "how=\$op$1 lines=\$lines$1"
    { echo '#include "common.h"'; more_lines $lines; cat <<EOF
static mc_tensor *helper(mc_tensor *x) { return $(pick $how 'mc_relu(x)' 'mc_float(x)' 'mc_to_dtype(x, AS)' 'twice(x)'); }
mc_tensor *op$1(mc_tensor *x) { return helper(x); }
EOF
    } >lib/op$1.c
}
set_() {
    eval "how=\$set$1"
    cat >lib/set$1.c <<EOF
#include "common.h"
static mc_tensor *helper(int half) { return mc_to_dtype(mc_randn(mc_shape(8, 8)), half ? MC_F16 : $(pick $how MC_F32 MC_F16 MC_F64)); }
void set$1(struct model *m, int half)
{
    m->w = helper(half);
    m->b = mc_zeros(mc_shape(8));
    m->half = half;
    scale = m->w;
}
EOF
}
use() {
    eval "how=\$use$1 lines=\$lines$1"
    { echo '#include "common.h"'; more_lines $lines; cat <<EOF
mc_tensor *use$1(struct model *m, mc_tensor *x)
{
    mc_tensor *h = mc_matmul(x, m->w);
    if (mode > 1)
        h = mc_add(h, mc_to_dtype(m->b, MC_F32));
    h = $(pick $how "op$1(h)" "ops[$((($1 + 1) % 5))].run(h)" 'twice(h)' 'mc_to_dtype(h, mc_dtype_of(h))');
    return mc_matmul(h, m->w);
}
EOF
    } >lib/use$1.c
}
app() {
    eval "how=\$init$1 callee=\$call$1 there=\$there$1"
    rm -f app/app$1.c
    [ $there = 1 ] || return 0
    cat >app/app$1.c <<EOF
#include "common.h"
static int runs(void) { return $1; }
int app$1(int half)
{
    struct model m;
    set$how(&m, half);
    mc_tensor *x = mc_to_dtype(mc_randn(mc_shape(4, 8)), $(pick $(($1 % 3)) MC_F16 MC_F32 AS));
    mc_tensor *y = use$callee(&m, x);
    if (runs() > 2)
        y = use$(($1 % 5 + 1))(&m, y);
    return mc_size(y, 0) > 0 && mc_size(mc_add_(x, 1), 0);
}
$([ $1 != 3 ] || echo 'int main(void) { return app3(mode); }')
EOF
}
globals() {
    cat >lib/globals.c <<EOF
#include "common.h"
int mode = $mode;
mc_tensor *scale;
static const double limits[] = {$(pick $limit 1.0 70000.0 1e-9), 2.0};
const struct op ops[5] = {$(for k in 0 1 2 3 4; do printf '{"o%s", op%s}, ' $k $(((k + table) % 5 + 1)); done)};
mc_tensor *scaled(mc_tensor *x) { return mc_mul(mc_half(x), limits[0]); }
EOF
}
commands() {
    { echo '['; between=''
      for f in lib/*.c app/*.c; do
          printf '%s{"directory": "%s", "file": "%s", "command": "cc -I%s -Iinc -c %s"}' "$between" "$here" "$f" "$include" "$f"
          between=',
'
      done; echo ']'; } >compile_commands.json
}
random() { # below $1, into $r
    seed=$(((seed * 1103515245 + 12345) % 2147483648))
    r=$((seed / 65536 % $1))
}
change() {
    random 15; kind=$r
    random $N; k=$((r + 1))
    random 4; to=$r
    what="$kind $k $to"
    case $kind in
    0 | 1) eval "op$k=$to"; op $k ;;
    2) eval "set$k=$((to % 3))"; set_ $k ;;
    3 | 4) eval "use$k=$to"; use $k ;;
    5) eval "init$k=$((to + 1))"; app $k ;;
    6) eval "call$k=$((to + 1))"; app $k ;;
    7) mode=$to; globals ;;
    8) table=$to; globals ;;
    9) limit=$((to % 3)); globals ;;
    10) twice=$((to % 3)); header ;;
    11) macro=$((to % 3)); header ;;
    12) eval "lines$k=$to"; use $k; op $k ;;
    13) eval "there$k=\$((1 - there$k))"; app $k; commands ;;
    14) echo "/* $seed */" >>lib/use$k.c ;;
    esac
}
compare() { # as text and as JSON by turns
    [ "$format" = text ] && format=json || format=text
    "$miscast" check --exit-zero --format=$format . >with 2>with.err || { echo "failed after: $what"; cat with.err; exit 1; }
    "$miscast" check --exit-zero --no-cache --format=$format . >without 2>without.err
    cmp -s with without && cmp -s with.err without.err && return
    echo "differs after: $what"
    diff with without | head -20
    diff with.err without.err | head
    exit 1
}

header; globals
for k in 1 2 3 4 5; do op $k; set_ $k; use $k; app $k; done
commands
what=nothing
format=text
compare
[ "$(grep -c '"code"' with)" -gt 5 ] || { echo "there is too little to find"; exit 1; }
i=0
while [ $i -lt $edits ]; do
    random 3
    change
    [ $r -gt 0 ] || change
    compare
    i=$((i + 1))
done
