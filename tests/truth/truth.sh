#!/bin/sh
# truth.sh TRUTH runtime [static]: the truth program itself, in the modes it was built with. It finds
# a wrong row, and no row can crash it.
set -eu
truth=$1
shift
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
rows=$dir/rows.tsv

fail() {
    echo "truth.sh: $*" >&2
    [ ! -e "$dir/out" ] || cat "$dir/out" "$dir/err" >&2
    exit 1
}

# expect STATUS LINE: the program exits with STATUS, and its output is exactly that line
expect() {
    status=0
    "$truth" "$mode" "$rows" >"$dir/out" 2>"$dir/err" || status=$?
    [ "$status" -eq "$1" ] || fail "exit status $status instead of $1"
    grep -qxF "$rows$2" "$dir/out" || fail "no line $rows$2"
}

# About dtypes and errors, in every mode.
wrong_rows() {
    printf 'add\tplain\tf16,f32\tf32\nadd\tplain\tf16,f32\tf16\n' >"$rows"
    expect 1 ":2: add f16,f32: expected f16, $says f32"
    expect 1 ': rows 2 agree 1 disagree 1 skipped 0'

    # The kind of an error counts, but for the two that have a better word.
    printf 'mm\tplain\tf16,f32\terror:shape\n' >"$rows"
    expect 1 ': rows 1 agree 0 disagree 1 skipped 0'
    printf 'add_\tplain\tf32.0d,f32\terror:dtype\nmm\tplain\tf16,f32\terror:dtype\n' >"$rows"
    expect 0 ': rows 2 agree 2 disagree 0 skipped 0'

    # Values on the host are told apart, and a truth from an untruth.
    printf 'equal\tplain\tf16,f16\tpy:int\nitem\tplain\tbool\tpy:int\n' >"$rows"
    expect 1 ': rows 2 agree 0 disagree 2 skipped 0'
    printf 'can_cast\tplain\tf32,i64\ttrue\ncan_cast\tplain\ti64,f32\tfalse\n' >"$rows"
    expect 1 ': rows 2 agree 0 disagree 2 skipped 0'
}

# About bits: a bit that is off is found; one NaN is as good as another, but not in a cast.
wrong_bits() {
    printf 'to\tcpu\tf32:1065353216,f16\t15361\nadd\tcpu\tf32:0,f32:1\t2\n' >"$rows"
    expect 1 ': rows 2 agree 0 disagree 2 skipped 0'
    printf 'sub\tcpu\tf32:2139095040,f32:2139095040\t%s\n' 2143289344 -4194304 2143289345 >"$rows"
    expect 0 ': rows 3 agree 3 disagree 0 skipped 0'
}

# A program of four statements whose outcomes are right, then with one that is not.
programs() {
    made='new f16 2 0; new f32 2 0; add t0 t1; mm t0 t1'
    for third in 'f32:2 1' 'f16:2 1' 'f32: 1' 'f32:2@cuda 1' 'f32:2+grad 1' 'error:dtype' '-'; do
        printf 'program\ttyped\t%s\tf16:2 0.5; f32:2 0.5; %s; error:shape\n' "$made" "$third"
    done >"$rows"
    expect 1 ': rows 7 agree 1 disagree 6 skipped 0'
    printf 'program\ttyped\t%s\tf16:2 0.5; f32:2 0.5; f32:2 1; %s\n' "$made" error:shape "$made" error:dtype \
        "$made" 'f32:2 1' >"$rows"
    expect 1 ': rows 3 agree 1 disagree 2 skipped 0'
    {
        printf 'program\ttyped\t%s\t%s\n' 'add t0 t1' '-' 'new f17 2 0' '-' 'new f16 2' '-' 'end' '-'
        printf 'program\ttyped\t%s\t%s\n' 'new f16 2 0; add t0' '-; -' 'new f16 2 0; add t0 t1' '-; -'
        printf 'program\ttyped\t%s\t%s\n' 'new f16 2 0' '-; -' 'new f16 2 0; neg t0' '-' 'autocast' '-'
        printf 'program\ttyped\t%s\t%s\n' 'new f16 2x-1 0' '-' 'no_such t0' '-' '; ; ;' '; ;'
    } >"$rows"
    count=$(grep -ac '' "$rows")
    expect 0 ": rows $count agree 0 disagree 0 skipped $count"
}

hostile_rows() {
    {
        printf '\n\t\n\t\t\t\n\t\t\t\t\nadd\nadd\tplain\nadd\tplain\tf16,f16\nadd\tplain\tf16,f16\t\n'
        printf 'add\tplain\tf16,f16\tf16\tf16\nno_such_op\tplain\tf16\tf16\nadd\t\tf16,f16\tf16\n'
        printf 'add\tautocast:cpu:i32\tf16,f16\tf16\nadd\tautocast:tpu:f16\tf16\tf16\nadd\tautocast:cpu\tf16\tf16\nadd\tplain\t\tf16\nadd\tplain\t,\tf16\n'
        printf 'add\tplain\tf16\tf16\nadd\tplain\tf16,f16,f16\tf16\nadd\tplain\tscalar:int,f16\tf16\n'
        printf 'mm\tplain\tf16,scalar:int\tf16\nadd\tplain\tf16,scalar:\tf16\nadd\tplain\tf17,f16\tf16\n'
        printf 'zeros\tplain\tdtype:\tf16\nzeros\tplain\tdtype:f16,f16\tf16\nadd\tcpu\tf16,f16\tf16\n'
        printf 'add\tplain\tf16:1,f16:1\t2\nadd\tcpu\tf16:1,f16\t2\nadd\tcpu\tf16:,f16:1\t2\n'
        printf 'to\tcpu\tf16:65536,f32\t0\nto\tcpu\tbool:2,f32\t0\nto\tcpu\tf64:99999999999999999999,f32\t0\n'
        printf 'to\tcpu\tf32:1x,f16\t0\nto\tcpu\tf32:1,f32:1\t0\nto\tmars\tf32:1,f16\t0\n'
        printf 'add\tplain\tf16\0,f16\tf16\n\377\376\t\200\t\201\t\202\n'
        printf '%03000d\tplain\tf16\tf16\nabs\tplain\t%03000d\tf16\n' 0 0
        printf 'abs\tplain\tf16\tf16'
    } >"$rows"
    count=$(grep -ac '' "$rows")
    expect 0 ": rows $count agree 1 disagree 0 skipped $((count - 1))"
}

for mode in "$@"; do
    says=got
    [ "$mode" = runtime ] || says=inferred
    wrong_rows
    [ "$mode" != runtime ] || wrong_bits
    programs
    hostile_rows
done

# What is no dtype's business is skipped, not passed.
printf 'to\tcpu\tf32:1065353216,f16\t15360\n' >"$rows"
case "$*" in *static*) mode=static && expect 0 ': rows 1 agree 0 disagree 0 skipped 1' ;; esac

for mode in runtime static neither; do
    status=0
    "$truth" "$mode" "$dir/no_such_file" >/dev/null 2>&1 || status=$?
    [ "$status" -eq 2 ] || fail "$mode: exit status $status instead of 2"
done
