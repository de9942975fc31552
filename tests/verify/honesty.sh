#!/bin/sh
# Verdicts separate true from false: what a wrong pack makes miscast find in a correct program is refuted
# when it runs, a bug under a condition that never holds is not reached, and a real bug is confirmed, with a
# stand-in where the library is not here. Each line below falsifies one requirement of a pack.
#
#   honesty.sh PROGRAM INCLUDE PACKS SOURCES
set -eu
program=$1 include=$2 packs=$3 sources=$4
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
cp "$sources"/*.[ch] "$work"
echo "-I$include" >"$work/compile_flags.txt"
cd "$work"
failures=0

# expect NAME VERDICT FILE LEAST: at least that many findings, all with that verdict.
expect() {
    "$program" verify --isolated --no-cache --exit-zero --format json "$3" >out 2>err || cat err
    all=$(grep -c '"fingerprint":' out || true)
    as=$(grep -c "\"kind\": \"$2\"" out || true)
    if [ "$all" -ge "$4" ] && [ "$all" = "$as" ]; then
        echo "ok   $1: $all $2"
    else
        echo "FAIL $1: $all findings, of which $as are $2"
        grep -E '"(rule|line|text)":' out || cat err
        failures=$((failures + 1))
    fi
}

# falsify SOURCE NAME FILE PATTERN REPLACEMENT
falsify() {
    source=$1
    shift
    rm -rf packs
    cp -R "$packs" packs
    sed "s#$3#$4#" "$packs/$2" >"packs/$2"
    if cmp -s "$packs/$2" "packs/$2"; then
        echo "FAIL $1: nothing was falsified"
        failures=$((failures + 1))
        return
    fi
    MISCAST_PACKS=$work/packs
    export MISCAST_PACKS
    expect "$1" refuted "$source" 1
    unset MISCAST_PACKS
}

# remembered NAME CODE PATTERN: check, which runs nothing, ends with that code and says that.
remembered() {
    code=0
    "$program" check --isolated --cache-dir cache well.c >out 2>&1 || code=$?
    if [ "$code" = "$2" ] && grep -q "$3" out; then
        echo "ok   $1"
    else
        echo "FAIL $1: exit code $code"
        cat out
        failures=$((failures + 1))
    fi
}

unset MISCAST_PACKS FORCE_COLOR
"$program" check --isolated well.c gpu_well.c >out 2>&1 || { echo "FAIL the program is not clean:" && cat out && exit 1; }
falsify well.c 'products want two dtypes' miscast.yaml '^  - dtype: same_dtype(a, b)$' '  - dtype: not same_dtype(a, b)'
falsify well.c 'products want f64' miscast.yaml '^  - dtype: same_dtype(a, b)$' '  - dtype: a.dtype == f64'
falsify well.c 'indices want i32' miscast.yaml 'dtype: index.dtype in i32 | i64$' 'dtype: index.dtype == i32'
falsify well.c 'memcpy reads twice as much' libc.yaml 'bytes <= from.bytes' 'bytes * 2 <= from.bytes'
falsify well.c 'memcpy wants the device' libc.yaml 'same_device(to, from) and to.device == cpu' 'from.device == cuda'
falsify gpu_well.c 'copies to the device go to the host' cuda.yaml 'kind != 1 or to.device == cuda' 'kind != 1 or to.device == cpu'
# What was refuted stays so until its code changes, also where the check itself is not repeated.
rm -rf packs
cp -R "$packs" packs
sed 's#^  - dtype: same_dtype(a, b)$#  - dtype: a.dtype == f64#' "$packs/miscast.yaml" >packs/miscast.yaml
MISCAST_PACKS=$work/packs
export MISCAST_PACKS
remembered 'before it was run' 1 ': 1 finding'
"$program" verify --isolated --cache-dir cache --timeout 20 well.c >out 2>&1 || cat out
remembered 'refuted' 0 '1 refuted, which does not count'
remembered 'refuted, once more' 0 '^  refuted: main ran on cpu and went well here'
cp well.c before
sed 's/^int main/\n&/' before >well.c
remembered 'changed since' 1 ': 1 finding'
cp before well.c
remembered 'as before' 0 '1 refuted, which does not count'
unset MISCAST_PACKS
expect 'memory of CUDA' confirmed gpu.c 5
expect 'under two settings' confirmed contains.c 2
expect 'a flag that is taken back' confirmed negated.c 2
expect 'behind a condition' 'not reached' behind.c 2
[ "$failures" = 0 ]
