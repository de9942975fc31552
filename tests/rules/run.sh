#!/bin/sh
# Checks the fixtures of a rule, each file or folder by itself. The findings must be those that lines
# are marked with:
#
#   y = mc_matmul(a, b); /* expect: matmul-dtype error */
#   y = a @ b  # expect: matmul-dtype error
#
# Files named good* have no marks. A file NAME.fixed is NAME.c after --fix, NAME.py.fixed is NAME.py.
# MISCAST_BLESS=1 rewrites the .fixed files.
#
#   run.sh PROGRAM INCLUDE FOLDER HAS_PYTHON
set -eu
include=$2 folder=$3 has_python=$4
rule=$(basename "$folder")
. "$(dirname "$0")/prepare.sh"

# "line rule severity" for each mark
marks() {
    awk '{
        if (match($0, /expect: [a-z0-9, -]*/)) {
            n = split(substr($0, RSTART + 8, RLENGTH - 8), parts, /, */)
            for (i = 1; i <= n; i++) {
                split(parts[i], words, / +/)
                print FNR, words[1], words[2]
            }
        }
    }' "$1" | sort
}

# The same of each finding in the file.
findings() {
    grep "^$1:" | sed -n 's/^[^:]*:\([0-9]*\):[0-9]*: \([a-z]*\): .* \[\([a-z0-9-]*\)\]$/\1 \3 \2/p' | sort
}

compare() {
    marks "$1" >"$work/wanted"
    findings "$1" <"$work/out" >"$work/got"
    if ! diff -u "$work/wanted" "$work/got" >"$work/diff"; then
        sed 1,2d "$work/diff" >&2
        cat "$work/out" >&2
        fail "$1: not what the marks say"
    fi
}

check_group() {
    check "$@"
    for file; do
        compare "$file"
    done
}

# What --fix makes of a file, and that it is then without what was mended.
check_fix() {
    file=$1 fixed=$2
    "$program" check --isolated --no-cache --fix --unsafe-fixes --format concise "$file" >"$work/out" 2>"$work/err" || true
    if grep -q "does not compile" "$work/err"; then
        cat "$work/err" >&2
        fail "$file: what was fixed does not compile"
    fi
    if [ -n "${MISCAST_BLESS:-}" ]; then
        cp "$file" "$fixed"
    elif ! diff -u "$fixed" "$file" >&2; then
        fail "$file: not fixed as expected"
    fi
}

cd "$work"
mkdir case
cp -R "$folder"/. case
cd case
echo "-I$include" >compile_flags.txt

bad=0
for file in bad*.c good*.c bad*.py good*.py; do
    [ -e "$file" ] || continue
    case $file in
        *.py) [ "$has_python" = 1 ] || continue ;;
    esac
    check_group "$file"
    case $file in
        good*) [ -s "$work/wanted" ] && fail "$file has marks" ;;
        *)
            bad=1
            grep -q " $rule " "$work/wanted" || fail "$file has no mark for the rule"
            ;;
    esac
done
for group in bad*/ good*/; do
    [ -d "$group" ] || continue
    cd "$group"
    echo "-I$include" >compile_flags.txt
    check_group *.c
    cd ..
done
if [ "$has_python" = 1 ] || ls bad*.c >/dev/null 2>&1; then
    [ "$bad" = 1 ] || fail "there is no bad*.c, and no bad*.py"
fi
ls good*.c >/dev/null 2>&1 || ls good*.py >/dev/null 2>&1 || fail "there is no good*.c, and no good*.py"
for fixed in "$folder"/*.fixed; do
    [ -e "$fixed" ] || continue
    case $fixed in
        *.py.fixed) [ "$has_python" = 1 ] || continue; check_fix "$(basename "$fixed" .fixed)" "$fixed" ;;
        *) check_fix "$(basename "$fixed" .fixed).c" "$fixed" ;;
    esac
done
exit $failed
