#!/bin/sh
# symbols.sh NM ARCHIVE INCLUDE COMPILER FLAGS...: the static library takes no name from its users. All
# its global symbols are mc_* or miscast_private_*, and a program that defines every private name
# itself, without the prefix, links the whole archive and runs.
set -eu
nm=$1 archive=$2 include=$3 compiler=$4
shift 4
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Names in "__" belong to compilers: sanitizers add some.
"$nm" -P -g --defined-only "$archive" | awk 'NF > 1 && !/^__/ { print $1 }' | sort -u >"$work/names"
if grep -vE '^(mc_|miscast_private_)' "$work/names"; then
    echo "these symbols of $archive are neither API nor prefixed" >&2
    exit 1
fi
sed -n '/^miscast_private___/d; s/^miscast_private_//p' "$work/names" >"$work/private"
count=$(wc -l <"$work/private")
[ "$count" -ge 400 ] || { echo "only $count private names: is this the runtime?" >&2; exit 1; }

{
    sed 's/.*/int &;/' "$work/private"
    cat <<'END'
#include <miscast/tensor.h>
int main(void)
{
    mc_tensor *x = mc_full(mc_shape(2, 3), 2.0, .dtype = MC_F32);
    mc_tensor *y = mc_matmul(x, mc_transpose(x, 0, 1));
    return mc_numel(y) == 4 && mc_item(mc_sum(y)) == 48 ? 0 : 1;
}
END
} >"$work/user.c"
"$compiler" -std=c17 -w -fno-builtin -I"$include" -o "$work/user" "$work/user.c" \
    -Wl,--whole-archive "$archive" -Wl,--no-whole-archive "$@"
"$work/user"
echo "$count private names can be defined by a program"
