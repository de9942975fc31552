#!/bin/sh
# The whole programs of corpus/models are clean: `miscast check` has no findings, also under the
# what-ifs in their READMEs; no limit is reached, and all calls are understood. A what-if that matches
# nothing is a mistake in the README. Files that a line names are checked alone.
#
#   models.sh PROGRAM FOLDER INCLUDE
set -eu
program=$1 folder=$2 include=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
cp -R "$folder"/. "$work"
printf '%s\n' "-I$work" "-I$include" >"$work/compile_flags.txt"
unset FORCE_COLOR MISCAST_PACKS
failed=0 checks=0

# check MODEL [FILE...] [ASSUMPTION...]
check() {
    model=$1
    shift
    files=
    while [ $# -gt 0 ]; do
        case $1 in
            *.c) files="$files $model/$1" && shift ;;
            *) break ;;
        esac
    done
    if [ -z "$files" ]; then
        files=$(ls "$model"/*.c)
        ! grep -q '"options.h"' "$model"/*.[ch] || files="$files options.c"
    fi
    status=0
    # shellcheck disable=SC2086 # file names without spaces
    "$program" check -v --isolated --no-cache --fail-on note "$@" $files >out 2>&1 || status=$?
    checks=$((checks + 1))
    if [ $status -ne 0 ] || grep -q 'fits no tensor' out || ! grep -q 'files* analysed; tensors in' out ||
        grep -q -e 'limits* reached' -e 'no pack knows' out; then
        echo "$model $*: exit $status" >&2
        cat out >&2
        failed=1
    fi
}

cd "$work"
for readme in */README.md; do
    sed -n 's/^miscast check//p' "$readme" >"$work/lines"
    [ -s "$work/lines" ] || { echo "$readme has no 'miscast check'" >&2; failed=1; }
    set -f
    while read -r arguments; do
        set -- $arguments
        set +f
        check "${readme%/README.md}" "$@"
        set -f
    done <"$work/lines"
    set +f
done
echo "$checks checks"
exit $failed
