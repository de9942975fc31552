#!/bin/sh
# The fixes that are offered for the bugs in corpus/bugs. Each is applied to a copy, all of them until
# nothing is left to fix; the result is compiled, checked again and run, and compared with the fixed twin:
#
#   same     it computes with the same dtypes and devices as the twin: casts and moves apart, the
#            operations have the same operands and results
#   other    it computes otherwise, and a person has judged that it is right; see judged.txt
#   wrong    any other
#
# A fix fails if the program does not compile, still has one of the findings that are marked in it, has
# an error that it did not have, or does not exit with 0. Failures are listed on stderr.
#
#   fixes.sh PROGRAM INCLUDE FOLDER LIBRARY COMPILER JUDGED [ID...]
#
# With KEEP=DIR in the environment, what was fixed stays there.
set -eu

if [ "$1" != --cases ]; then
    program=$1 include=$2 folder=$3 library=$4 cc=$5 judged=$6
    shift 6
    work=${KEEP:-$(mktemp -d)}
    mkdir -p "$work"
    [ -n "${KEEP:-}" ] || trap 'rm -rf "$work"' EXIT INT TERM
    cp -R "$folder"/. "$work"
    echo "-I$include" >"$work/compile_flags.txt"
    case $library in
        *.a)
            "$cc" -shared -o "$work/libmiscast.so" -Wl,--whole-archive "$library" \
                -Wl,--no-whole-archive -lopenblas -lpthread -lm -ldl
            library=$work/libmiscast.so
            ;;
    esac
    [ $# -gt 0 ] || set -- $(cd "$folder" && ls -d ./*/ | sed 's,^\./,,; s,/$,,')
    unset FORCE_COLOR MISCAST_PACKS MISCAST_TRACE
    MISCAST_SIM_DEVICES=2
    export program work include library cc judged MISCAST_SIM_DEVICES
    printf '%s\n' "$@" | xargs -n 8 -P "$(getconf _NPROCESSORS_ONLN)" sh "$0" --cases >"$work/said"
    grep -E ' fails | wrong : ' "$work/said" | sort >&2 || true
    count() { grep -c -E "$1" "$work/said" || true; }
    offered=$(count '^[^ ]+ (safe|unsafe) ')
    echo "cases $# offered $offered safe $(count '^[^ ]+ safe ')" \
        "work $(count ' works ') same $(count ' same : ') other $(count ' other : ') wrong $(count ' wrong : ')"
    [ "$(count ' works ')" = "$offered" ] && [ "$(count ' wrong : ')" = 0 ]
    exit
fi
shift

# ---- some of the cases -------------------------------------------------------------------------

files() {
    ls "$1".c "$1"_*.c 2>/dev/null
}

# findings: "RULE" of each in the files, errors with a mark
findings() {
    # shellcheck disable=SC2046 # file names without spaces
    "$program" check --isolated --exit-zero --no-cache --format concise $(files bug) >out 2>err ||
        { cat err >&2; exit 2; }
    sed -n 's/^[^:]*:[0-9]*:[0-9]*: \([a-z]*\): .* \[\([a-z0-9-]*\)\]$/\1 \2/p' out | sort -u
}

# offered: the fixes, "safe" or "unsafe" and their description
offered() {
    # shellcheck disable=SC2046 # file names without spaces
    "$program" check --isolated --exit-zero --no-cache --format json $(files bug) 2>/dev/null | awk -F'"' '
        /"fix": {/ { inside = 1 }
        inside && $2 == "what" { what = $4 }
        inside && $2 == "safe" { print ($0 ~ /true/ ? "safe" : "unsafe"), what; inside = 0 }'
}

apply() {
    for round in 1 2 3 4; do
        cat bug*.c >before
        # shellcheck disable=SC2046 # file names without spaces
        "$program" check --isolated --exit-zero --no-cache --fix --unsafe-fixes --format concise \
            $(files bug) >out 2>err || { cat err >&2; return 1; }
        cat bug*.c >after
        cmp -s before after && break
    done
}

# compile TWIN; run TWIN: what it computes in TWIN.ops
compile() {
    # shellcheck disable=SC2046 # file names without spaces
    "$cc" -std=c17 -O0 -Wall -Wextra -Werror -Wno-unused-variable -I"$include" $(files "$1") -o "$1.out" \
        "$library" -Wl,--allow-shlib-undefined -lm 2>compile.log
}

run() {
    arguments=$(cat "$1"*.c | sed -n 's,^.*/\* arguments: \(.*\) \*/.*,\1,p')
    status=0
    rm -f trace
    # shellcheck disable=SC2086 # words
    (ulimit -c 0 && MISCAST_TRACE=trace timeout 20 "./$1.out" $arguments >"$1.said" 2>&1) || status=$?
    [ ! -e trace ] || operations <trace | sort -u >"$1.ops"
    [ -e "$1.ops" ] || echo "not traced: $1" >"$1.ops"
    return $status
}

# The operations of a trace: "linear f16@cpu f16@cpu -> f16@cpu"
operations() {
    sed -n 's/^{"op":"\([a-z0-9_]*\)".*"operands":\[\(.*\)\],"result":\(.*\),"in_place".*/\1 \2 -> \3/p' |
        sed 's/{"dtype":"\([a-z0-9]*\)","device":"\([a-z0-9:]*\)","shape":\[[0-9,]*\]}/\1@\2/g; s/,/ /g; s/_ / /' |
        grep -v -E '^(to|to_dtype|to_device|type_as|float|half|bfloat16|double|long|int|bool|cpu|cuda|clone|detach|empty|zeros|ones|full|from_array|from_blob|[a-z]*_like|randn|rand) '
}

# "works", or why it does not
outcome() {
    compile bug || { echo "fails does not compile: $(grep -m1 error compile.log)"; return; }
    run bug || { echo "fails exits with $?: $(grep -m1 . bug.said)"; return; }
    findings >found
    left=$(sed 's/.* //' found | sort -u | comm -12 marks - | paste -s -d ' ' -)
    [ -z "$left" ] || { echo "fails still has $left"; return; }
    errors=$(grep '^error' found | comm -23 - had | paste -s -d ' ' -)
    [ -z "$errors" ] || { echo "fails has a new $errors"; return; }
    echo works
}

# same, other or wrong
judge() {
    compile fixed && run fixed || true
    if [ -e bug.ops ] && cmp -s bug.ops fixed.ops; then
        echo same
    elif grep -q -F -x "$id other: $1" "$judged"; then
        echo other
    else
        echo wrong
    fi
}

for id; do
    cd "$work/$id"
    sed -n 's,.*/\* expect: \([a-z0-9, -]*[a-z0-9]\) \*/.*,\1,p' bug*.c | tr ',' '\n' | tr -d ' ' | sort -u >marks
    offered >fixes
    if [ ! -s fixes ]; then
        echo "$id none"
        continue
    fi
    findings >had
    mkdir -p original && cp bug*.c original
    kind=safe
    ! grep -q '^unsafe' fixes || kind=unsafe
    what=$(cut -d' ' -f2- fixes | sort -u | paste -s -d ';' -)
    apply
    how=$(outcome)
    echo "$id $kind $how $(judge "$what") : $what"
done
