#!/bin/sh
# Findings are written as a bundle, built and run from there with nothing but the runtime, and read
# back: the verdicts must be those of running them directly. A case whose code has changed since is not
# judged.
#
#   bundle.sh PROGRAM SOURCE LIBRARY
set -eu
program=$1 source=$2 library=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
work=$(cd "$work" && pwd -P)
mkdir "$work/project"
cd "$work/project"
NO_COLOR=1 ASAN_OPTIONS=detect_leaks=0
export NO_COLOR ASAN_OPTIONS
unset FORCE_COLOR MISCAST_PACKS

# Programs that fail: one with several files, one that loses digits, one under AddressSanitizer, one on
# cuda, one with raw memory of CUDA; a function that nobody calls;
# and one that reads a file.
for case in MC-003 MC-010 MC-012 MC-260; do
    mkdir "$case"
    cp "$source/corpus/bugs/$case"/bug*.c "$case"
    cp "$source/corpus/bugs/$case"/*.h "$case" 2>/dev/null || true
done
mkdir story alone raw
cp "$source"/tests/rules/copy-direction/bad.c "$source"/tests/rules/copy-direction/gpu.h raw
cp "$source"/corpus/examples/story/*.[ch] story
cat >alone/alone.c <<'END'
#include <miscast/tensor.h>

struct layer {
    mc_tensor *weight;
};

mc_tensor *layer_forward(const struct layer *l, mc_tensor *x)
{
    mc_tensor *h = mc_matmul(mc_float(x), mc_half(l->weight));
    return SCALE(h);
}
END

mkdir reads
cat >reads/reads.c <<'END'
#include <miscast/tensor.h>

#include <stdio.h>
#include <string.h>

int main(void)
{
    char word[32] = "";
    mc_dtype d = MC_F32;
    FILE *f = fopen("model.cfg", "r");
    if (!f)
        return 1;
    if (fgets(word, sizeof word, f) && !strcmp(word, "half\n"))
        d = MC_F16;
    fclose(f);
    mc_tensor *w = mc_ones(mc_shape(4, 4), .dtype = d);
    mc_print(mc_matmul(mc_ones(mc_shape(2, 4)), w));
    return 0;
}
END

separator='['
for file in */*.c; do
    printf '%s{"directory": "%s", "file": "%s", "arguments": ["cc", "-I%s", "-DSCALE(x)=mc_mul(x, 2)", "-c", "%s"]}' \
        "$separator" "$PWD" "$file" "$source/runtime/include" "$file"
    separator=','
done >compile_commands.json
echo ']' >>compile_commands.json

fail() {
    echo "bundle: $*" >&2
    exit 1
}

# verdicts OPTION...: all of them, without times
verdicts() {
    "$program" verify --isolated --no-cache --exit-zero "$@" . 2>"$work/said" >"$work/out" || {
        cat "$work/said" >&2
        fail "verify $* failed"
    }
    sed "s/ ([0-9.e+-]* ms)\$//; s|$work/project/||g" "$work/out"
}

verdicts --emit "$work/bundle" >"$work/direct"
grep -q '^  confirmed: .*layer_forward()' "$work/direct" || fail "no harness was needed"
grep -q '^  confirmed: .*simulated cuda' "$work/direct" || fail "nothing ran on simulated cuda"
[ ! -e "$work/bundle/build" ] || fail "it is built already"

# Elsewhere, without the project.
mv "$work/bundle" "$work/elsewhere"
mv "$work/project" "$work/away"
"$work/elsewhere/run.sh" -DMISCAST_LIBRARY="$library" -DMISCAST_INCLUDE="$source/runtime/include" \
    >"$work/ran" || fail "run.sh failed"
rm -r "$work/elsewhere/build" # as if it had come from another kind of machine
mv "$work/away" "$work/project"
cd "$work/project"
grep -q 'happened: .*error: ' "$work/ran" || fail "run.sh does not say what happened"

verdicts --import "$work/elsewhere" >"$work/imported"
diff -u "$work/direct" "$work/imported" || fail "other verdicts than by running them here"
[ "$(grep -c '^  confirmed: ' "$work/imported")" -ge 8 ] || fail "too few verdicts"

echo '/* changed */' >>alone/alone.c
verdicts --import "$work/elsewhere" | grep -q 'not run: its code has changed' ||
    fail "what changed is judged as if it had not"

# What is written for the user is no part of what is checked next. It goes into a folder that is new
# or was written so before, and never through a link.
mkdir "$work/small"
cd "$work/small"
cat >a.c <<'END'
#include <miscast/tensor.h>
mc_tensor *product(mc_tensor *x)
{
    return mc_matmul(mc_float(x), mc_half(x));
}
END
printf -- '-I%s\n' "$source/runtime/include" >compile_flags.txt
echo mine >mine
small() { "$program" "$@" --isolated --no-cache --exit-zero . 2>"$work/said"; }
small check --format concise >"$work/before"
small verify --emit bundle --keep kept >"$work/out"
[ -n "$(find kept -name '*.c')" ] && [ -e bundle/run.sh ] || fail "nothing was written"
small check --format concise >"$work/after"
cmp "$work/before" "$work/after" || fail "a check reads what verify wrote"
for option in --emit --keep; do
    small verify $option . >"$work/out" && fail "$option . was taken"
    grep -q 'has other files in it' "$work/said" || fail "$option . was refused for another reason"
done
ln -sf ../mine bundle/run.sh
small verify --emit bundle >"$work/out" || :
mkdir page
ln -s ../mine page/index.html
small report -o page >"$work/out" || :
[ "$(cat mine)" = mine ] || fail "it was written through a link"
