#!/bin/sh
# small_edits.sh MISCAST INCLUDE: small edits of one unit after another are analysed by themselves. What a
# run of everything stores (the program as its parts) shows whether there was one: a small edit does not
# store it again.
set -eu
miscast=$1 include=$2
python3 -c 'import sqlite3' 2>/dev/null || exit 77
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
cd "$here"
mkdir .git
unset FORCE_COLOR MISCAST_PACKS
ASAN_OPTIONS=detect_leaks=0
export ASAN_OPTIONS
failed=0

for k in 1 2 3 4 5 6; do
    printf '#include <miscast/tensor.h>\nmc_tensor *f%d(mc_tensor *x);\nmc_tensor *f%d(mc_tensor *x)\n{\n    return mc_add(x, %d);\n}\n' \
        $k $k $k >u$k.c
    printf '%s{"directory": "%s", "file": "u%d.c", "command": "cc -I%s -c u%d.c"}' \
        "$([ $k = 1 ] && echo '[' || echo ',')" "$here" $k "$include" $k >>compile_commands.json
done
echo ']' >>compile_commands.json

parts() {
    python3 -c 'import sqlite3
for row in sqlite3.connect(".miscast/store.db").execute("SELECT hex(key) FROM kept WHERE kind = 7"):
    print(*row)'
}

# expect same|new WHAT: what is stored after a check; the output is that of a run without the store
expect() {
    before=$(parts)
    "$miscast" check >with 2>&1 || true
    "$miscast" check --no-cache >without 2>&1 || true
    cmp -s with without || { echo "$2: not the same output" >&2 && failed=1; }
    now=same
    [ "$(parts)" = "$before" ] || now=new
    [ "$now" = "$1" ] || { echo "$2: the stored program is $now" >&2 && failed=1; }
}

"$miscast" check >first 2>&1 || true
[ -n "$(parts)" ] || { echo 'nothing is stored' >&2 && exit 1; }
printf 'mc_tensor *more(mc_tensor *x);\nmc_tensor *more(mc_tensor *x)\n{\n    return mc_matmul(mc_half(x), mc_float(x));\n}\n' >>u1.c
expect same 'a function more'
echo '/* no more */' >>u2.c
expect same 'then a comment in another unit'
sed 's/mc_add/mc_mul/' u3.c >new && mv new u3.c
expect same 'then another call in a third'
for k in 1 2 4 5 6; do
    sed 's/mc_add/mc_sub/' u$k.c >new && mv new u$k.c
done
expect new 'then nearly everything'
exit $failed
