#!/bin/sh
# Compiles and runs every program of corpus/bugs, and its fixed twin, and compares them with the
# table in its README. A program does what its row says:
#
#   raises           an operation raises an error, on a line that is marked with "expect:" or, where the
#                    finding is elsewhere, with "raises"
#   wrong silently   the program itself detects that its result is wrong, prints that, and exits with 1
#   slow             likewise: it measures its cost
#   crashes          a signal ends it
#
# The twin exits with 0. A comment "arguments: ..." in a program sets the arguments of both.
#
#   run.sh FOLDER INCLUDE LIBRARY COMPILER [LINKED WITH...]
set -eu

if [ "$1" != --cases ]; then
    folder=$1 include=$2 library=$3 cc=$4
    shift 4
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT INT TERM
    case $library in
        # Linking hundreds of programs with a shared library takes half the time.
        *.a)
            "$cc" -shared -o "$work/libmiscast.so" -Wl,--whole-archive "$library" \
                -Wl,--no-whole-archive "$@"
            library=$work/libmiscast.so
            ;;
    esac
    unset MISCAST_TRACE
    MISCAST_SIM_DEVICES=2
    export MISCAST_SIM_DEVICES folder include library cc work
    status=0
    cases=$(cd "$folder" && ls -d ./*/ | sed 's,^\./,,; s,/$,,')
    echo "$cases" | xargs -n 6 -P "$(getconf _NPROCESSORS_ONLN)" sh "$0" --cases || status=1
    # shellcheck disable=SC2013 # ids are words
    for id in $(sed -n '/^## Programs/,/^## /s/^| \[\([A-Z0-9-]*\)\].*/\1/p' "$folder/README.md"); do
        [ -d "$folder/$id" ] || { echo "$id is in the table, but there is no program" >&2; status=1; }
    done
    echo "$(echo "$cases" | wc -l) programs"
    exit $status
fi
shift

# ---- some of the cases -------------------------------------------------------------------------

failed=0

fail() {
    echo "$id: $*" >&2
    failed=1
}

# column N: of the case's row in the table
column() {
    grep "^| \[$id\]" "$folder/README.md" | head -n 1 | awk -F' *[|] *' -v n="$1" '{ print $(n + 1) }'
}

# files TWIN: of the case, bug or fixed
files() {
    (cd "$folder/$id" && ls "$1".c "$1"_*.c 2>/dev/null)
}

# compile TWIN: in the case's folder, so that errors name files without one. The linker need not look
# through the libraries behind ours, which takes longer than all the rest.
compile() {
    # shellcheck disable=SC2046 # file names without spaces
    (cd "$folder/$id" && "$cc" -std=c17 -O0 -Wall -Wextra -Werror -I"$include" $(files "$1") \
        -o "$work/$id.$1" "$library" -Wl,--allow-shlib-undefined -lm 2>"$work/$id.log") || {
        cat "$work/$id.log" >&2
        fail "$1 does not compile"
        return 1
    }
}

# run TWIN: its exit status, with what it says in $work/$id.out and .err
run() {
    # shellcheck disable=SC2046 # words
    (ulimit -c 0 && cd "$work" && timeout 20 "./$id.$1" \
        $(cat "$folder/$id/$1"*.c | sed -n 's,^.*/\* arguments: \(.*\) \*/.*,\1,p') || exit $?) \
        >"$work/$id.out" 2>"$work/$id.err"
}

# An error is raised on a marked line, or further down in the same statement.
raised_where_marked() {
    place=$(sed -n 's/^\([a-z_0-9]*\.[ch]:[0-9]*\): error: .*/\1/p' "$work/$id.err" | head -n 1)
    [ -n "$place" ] || return 1
    awk -v wanted="${place#*:}" '
        /expect: |\/\* raises \*\// { open = 1 }
        open && FNR == wanted { found = 1 }
        open && /;/ { open = 0 }
        END { exit !found }
    ' "$folder/$id/${place%:*}"
}

check_bug() {
    status=0
    run bug || status=$?
    case $(column 3) in
        raises) [ "$status" = 134 ] && raised_where_marked ;;
        "wrong silently" | slow)
            [ "$status" = 1 ] && [ -s "$work/$id.out" ] && [ ! -s "$work/$id.err" ]
            ;;
        crashes) [ "$status" = 139 ] || [ "$status" = 135 ] || [ "$status" = 134 ] ;;
        *) false ;;
    esac && return
    cat "$work/$id.out" "$work/$id.err" >&2
    fail "exit status $status; the table says: $(column 3)"
}

check_fixed() {
    status=0
    run fixed || status=$?
    [ "$status" = 0 ] && [ ! -s "$work/$id.err" ] && return
    cat "$work/$id.out" "$work/$id.err" >&2
    fail "the fixed twin fails, with exit status $status"
}

# The rules of the marks are those of the table.
check_marks() {
    cat "$folder/$id"/bug*.c | sed -n 's,.*/\* expect: \([a-z0-9, -]*[a-z0-9]\) \*/.*,\1,p' |
        tr ',' '\n' | tr -d ' ' | sort -u >"$work/$id.marks"
    column 5 | tr ',' '\n' | tr -d ' `' | sort -u >"$work/$id.rules"
    cmp -s "$work/$id.marks" "$work/$id.rules" ||
        fail "marked: $(paste -s -d ' ' "$work/$id.marks"); in the table: $(column 5)"
    if grep -q 'expect:' "$folder/$id"/fixed*.c; then
        fail "the fixed twin has marks"
    fi
}

for id; do
    [ -n "$(column 1)" ] || fail "has no row in the table"
    check_marks
    if compile bug && compile fixed; then
        check_bug
        check_fixed
    fi
    rm -f "$work/$id".*
done
exit $failed
