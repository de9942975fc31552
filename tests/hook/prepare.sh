# Shared by the tests of the hook: a temporary folder, git without user configuration, a program with
# a database. Sourced with PROGRAM, INCLUDE and ROOT in $1, $2, $3.
program=$1 include=$2 root=$3
need() {
    for tool; do
        command -v "$tool" >/dev/null 2>&1 || {
            echo "$tool is not installed" >&2
            exit 77
        }
    done
}
need git
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
HOME=$work XDG_CACHE_HOME=$work/.cache PATH=$(dirname "$program"):$PATH
GIT_CONFIG_GLOBAL=$work/gitconfig GIT_CONFIG_NOSYSTEM=1 ASAN_OPTIONS=detect_leaks=0
export HOME XDG_CACHE_HOME PATH GIT_CONFIG_GLOBAL GIT_CONFIG_NOSYSTEM ASAN_OPTIONS
unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE
git config --global user.name test
git config --global user.email test@example.org
git config --global init.defaultBranch main
git config --global protocol.file.allow always
git config --global advice.detachedHead false

fail() {
    echo "hook: $*" >&2
    cat "$work/out" >&2
    exit 1
}
passes() { # WHAT COMMAND...
    what=$1
    shift
    "$@" >"$work/out" 2>&1 || fail "$what: stopped"
}
stops() { # WHAT TEXT COMMAND...
    what=$1 text=$2
    shift 2
    if "$@" >"$work/out" 2>&1; then
        fail "$what: went through"
    fi
    grep -q -- "$text" "$work/out" || fail "$what: stopped for another reason"
}
silent() {
    [ ! -s "$work/out" ] || fail "$1: something is said"
}
commit() {
    git commit -q -m 'a change' "$@"
}

# net.h decides what weights are; main.c hands them to run.c.
good_net='static inline mc_tensor *weight(void) { return mc_randn(mc_shape(4, 4)); }'
bad_net='static inline mc_tensor *weight(void) { return mc_half(mc_randn(mc_shape(4, 4))); }'
good_run='mc_tensor *run(mc_tensor *x, mc_tensor *w) { return mc_matmul(x, w); }'
bad_run='mc_tensor *run(mc_tensor *x, mc_tensor *w) { return mc_matmul(x, mc_half(w)); }'
bad_alone='(mc_tensor *x) { return mc_matmul(mc_float(x), mc_half(x)); }'
tensor='#include <miscast/tensor.h>'
put() { # FILE LINE...
    to=$1
    shift
    printf '%s\n' "$@" >"$to"
}
make_program() {
    put net.h "$tensor" "$good_net" 'mc_tensor *run(mc_tensor *x, mc_tensor *w);'
    put run.c "$tensor" "$good_run"
    put main.c '#include "net.h"' 'int main(void)' '{' \
        '    mc_print(run(mc_randn(mc_shape(4, 4)), weight()));' '    return 0;' '}'
}
make_database() { # FILE...
    echo '['
    between=
    for file; do
        printf '%s{"directory": "%s", "file": "%s", "arguments": ["cc", "-I%s", "-c", "%s"]}\n' \
            "$between" "$PWD" "$file" "$include" "$file"
        between=,
    done
    echo ']'
}
