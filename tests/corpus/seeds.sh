#!/bin/sh
# The programs of corpus/seeds: the output of `miscast check` and of the program itself, compared with
# the file NAME.expected next to NAME.c:
#
#   $ miscast check main.c model.c
#   main.c:25:12: error: matmul needs one dtype: 'a' is f32, 'b' is f16 [matmul-dtype]
#   $ ./main
#   its stdout, then its stderr
#   exit 134
#
# A file with main() is a program; the other C files in its folder belong to each program. The lines
# with findings are those marked "expect: RULE SEVERITY", and an error is raised on a marked line or
# one marked "raises". Times, and numbers said to be "about" something, are compared as #, and the rows of the
# profile without their order. MISCAST_BLESS=1 rewrites the expected output.
#
#   seeds.sh PROGRAM FOLDER INCLUDE LIBRARY COMPILER [LINKED WITH...]
set -eu
program=$1 folder=$2 include=$3 library=$4 cc=$5
shift 5
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
unset FORCE_COLOR MISCAST_PACKS MISCAST_TRACE MISCAST_PROFILE
failed=0 programs=0

fail() {
    echo "$seed/$name.c: $*" >&2
    failed=1
}

# What differs from run to run: "0.123 ms", "about 0.02"; in rows of the profile all but op, place,
# calls and bytes, and with them the order of rows. "Aborted" is printed by the shell.
settled() {
    sed -E '/^Aborted/d; s/[0-9.]+ ms/# ms/; s/about [0-9.e+-]+/about #/g; s/ +[0-9]+\.[0-9]{3}( |$)/ #\1/g
            s/ +[0-9]+\.[0-9]{3}( |$)/ #\1/g; s/ +[0-9.]+%/ #%/' |
        awk '/ms .*share/ { table = 1; print; next }
             table && /^total/ { table = 0; close("sort"); print; next }
             table { print | "sort"; next }
             { print }'
}

# What the check finds, and "line rule severity" of that, in "found".
check() {
    echo "\$ miscast check $*"
    status=0
    "$program" check --isolated --no-cache --format concise "$@" >"$work/out" 2>"$work/err" || status=$?
    if [ "$status" -gt 1 ]; then
        cat "$work/err" >&2
        fail "could not be checked"
    fi
    cat "$work/out"
    sed -n 's/^\([^:]*:[0-9]*\):[0-9]*: \([a-z]*\): .* \[\([a-z0-9-]*\)\]$/\1 \3 \2/p' "$work/out" |
        sort >"$work/found"
}

# The same of each mark.
marks() {
    awk '{
        if (match($0, /expect: [a-z0-9, -]*/)) {
            n = split(substr($0, RSTART + 8, RLENGTH - 8), parts, /, */)
            for (i = 1; i <= n; i++) {
                split(parts[i], words, / +/)
                print FILENAME ":" FNR, words[1], words[2]
            }
        }
    }' "$@" | sort
}

# run OTHERS...: compiles and runs the program; what it prints, what it says, how it ends
run() {
    echo "\$ ./$name"
    "$cc" -std=c17 -O1 -Wall -Wextra -Wpedantic -Werror -I"$include" "$name.c" "$@" \
        -o "$work/$name" "$work/libmiscast.so" -Wl,--allow-shlib-undefined -lm 2>"$work/err" || {
        cat "$work/err" >&2
        fail "does not compile"
        return
    }
    status=0
    (ulimit -c 0 && timeout 60 "$work/$name" || exit $?) >"$work/out" 2>"$work/err" || status=$?
    settled <"$work/out"
    settled <"$work/err"
    echo "exit $status"
}

# An error is raised where a line says so, and none is raised where no line does.
check_raised() {
    place=$(sed -n 's/^\([a-z_0-9]*\.[ch]:[0-9]*\): error: .*/\1/p' "$work/err" | head -n 1)
    [ -n "$place" ] || return 0
    sed -n "${place#*:}p" "${place%:*}" | grep -q -E 'expect: .* error|/\* raises \*/' ||
        fail "raises an error at $place, which has no mark"
}

compare() {
    if [ -n "${MISCAST_BLESS:-}" ]; then
        cp "$work/got" "$folder/$seed/$name.expected"
    elif ! diff -u "$name.expected" "$work/got" >&2; then
        fail "not as expected"
    fi
}

"$cc" -shared -o "$work/libmiscast.so" -Wl,--whole-archive "$library" -Wl,--no-whole-archive "$@"
mkdir "$work/seeds"
cp -R "$folder"/. "$work/seeds"
echo "-I$include" >"$work/seeds/compile_flags.txt"
for seed in $(cd "$folder" && ls -d ./*/ | sed 's,^\./,,; s,/$,,'); do
    cd "$work/seeds/$seed"
    others=$(grep -L '^int main(' ./*.c | sed 's,^\./,,' || true)
    grep -q "^| \[[0-9-]*\]($seed/" "$folder/README.md" || { name=main; fail "has no row in the README"; }
    for file in $(grep -l '^int main(' ./*.c | sed 's,^\./,,'); do
        name=${file%.c} programs=$((programs + 1))
        # shellcheck disable=SC2086 # file names without spaces
        check "$file" $others >"$work/got"
        # shellcheck disable=SC2086
        marks "$file" $others >"$work/wanted"
        diff -u "$work/wanted" "$work/found" >&2 || fail "not what the marks say"
        # shellcheck disable=SC2086
        run $others >>"$work/got"
        check_raised
        compare
    done
done
echo "$programs programs"
[ "$programs" -gt 0 ] || failed=1
exit $failed
