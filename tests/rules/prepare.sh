# Shared by the tests of the rules: a temporary folder, and what is told about files in it. Sourced with
# PROGRAM in $1; 'rule' names the rule that is tested.
program=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
unset FORCE_COLOR MISCAST_PACKS
ASAN_OPTIONS=detect_leaks=0
export ASAN_OPTIONS
failed=0

fail() {
    echo "$rule: $*" >&2
    failed=1
}

# check FILE...: what is told about them, together, in "$work/out". The first line of a file can name
# options: "/* miscast check --extend-select rule */", "# miscast check --extend-select rule".
check() {
    status=0
    options=$(sed -n '1s|^/[*] miscast check \(.*\) [*]/$|\1|p; 1s|^# miscast check \(.*\)$|\1|p' "$1")
    # shellcheck disable=SC2086 # a list of words
    "$program" check --isolated --no-cache --format concise $options "$@" >"$work/out" 2>"$work/err" || status=$?
    if [ "$status" -gt 1 ]; then
        cat "$work/err" >&2
        fail "$* could not be checked"
    fi
}
