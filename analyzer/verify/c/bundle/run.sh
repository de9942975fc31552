#!/bin/sh
# Builds and runs every case here, prints what was expected and what happened, and writes it to
# CASE/verdict.json and CASE/stderr, which 'miscast verify --import' reads. Arguments go to CMake.
set -eu
cd "$(dirname "$0")"
here=$(pwd -P)

# run_case CASE FOLDER: with the events, stdout and stderr in FOLDER; returns its status
run_case() {
    limit=
    ! command -v timeout >/dev/null 2>&1 || limit='timeout 60'
    (
        export MISCAST_PROBE="$2/events" MISCAST_PROBE_FULL=8000
        export MISCAST_SIM_DEVICES=8 MISCAST_THREADS=1
        export ASAN_OPTIONS=detect_leaks=0
        # Lines are looked up below: the program that clang's runtime starts for that may fail.
        ! command -v addr2line >/dev/null 2>&1 || ASAN_OPTIONS=detect_leaks=0:symbolize=0
        program=$here/build/bin/$1 folder=$1/src input=/dev/null
        . "./$1/case.sh" # sets the arguments, and where the files are that it reads
        cd "$folder"
        exec $limit "$program" "$@" <"$input"
    ) >"$2/stdout" 2>"$2/stderr"
}

# places PROGRAM EVENTS: for each event with a stack, a "#" and the places of its frames
places() {
    grep '"frames":\[' "$2" | while IFS= read -r event; do
        echo '#'
        pc=$(printf '%s\n' "$event" | sed -n 's/.*"pc":"\([^"]*\)".*/\1/p')
        for address in $(printf '%s\n' "$event" | sed 's/.*"frames":\[\([^]]*\)\].*/\1/; s/[",]/ /g'); do
            # A return address is after its call.
            case $address in
                null) ;;
                "$pc") echo "$address" ;;
                *) printf '0x%x\n' $((address - 1)) ;;
            esac
        done | xargs addr2line -e "$1" 2>/dev/null
    done
}

# with_lines PROGRAM REPORT: frames "#0 0x55d (PROGRAM+0x1234)" of AddressSanitizer with their lines
with_lines() {
    left=64
    while IFS= read -r line || [ -n "$line" ]; do
        offset=$(printf '%s\n' "$line" | sed -n 's/^    #[0-9]* 0x[0-9a-f]* .*(.*+\(0x[0-9a-f]*\)).*/\1/p')
        place=
        case $line in
            *"($1+0x"*) [ $left -le 0 ] || place=$(addr2line -e "$1" "$offset" 2>/dev/null) || place= ;;
        esac
        case $place in
            '' | '?'*) printf '%s\n' "$line" ;;
            *) left=$((left - 1)) && printf '%s in call %s\n' "${line%% (*}" "${place%% (*}" ;;
        esac
    done <"$2"
}

if [ "${1-}" = --case ]; then
    case=$2 backend=$3 work=$(mktemp -d) status=0
    { run_case "$case" "$work" || status=$?; } 2>/dev/null
    if [ "$backend" != sim ] && grep -q 'there is no device cuda' "$work/stderr" "$work/events"; then
        # It needs more GPUs than there are.
        rm -f "$work/events"
        backend=sim status=0 MISCAST_CUDA=sim
        export MISCAST_CUDA
        { run_case "$case" "$work" || status=$?; } 2>/dev/null
    fi
    touch "$work/events"
    {
        printf '{"backend": "%s", "status": %d, "events": [\n' "$backend" "$status"
        # A last line that is not whole is left out.
        awk '/}$/ { if (n++) printf ",\n"; printf "%s", $0 }' "$work/events"
        printf '\n]}\n'
    } >"$case/verdict.json"
    if grep -q 'ERROR: AddressSanitizer: ' "$work/stderr"; then
        head -c 100000 "$work/stderr" >"$work/report"
        with_lines "$here/build/bin/$case" "$work/report" >"$case/stderr"
    else
        head -c 1000000 "$work/stderr" >"$case/stderr"
    fi
    places "$here/build/bin/$case" "$work/events" >"$case/places" || true
    {
        printf '%s (%s)\n  expected: ' "$case" "$backend"
        cat "$case/expected"
        printf '  happened: '
        grep -m 1 'error: ' "$work/stderr" || echo "it ended with $status and raised nothing"
    } >"$case/happened"
    rm -rf "$work"
    exit 0
fi

cmake -S . -B build "$@" >build.log 2>&1 && cmake --build build --parallel >>build.log 2>&1 || {
    tail -n 20 build.log >&2
    exit 1
}
backend=$(build/bin/backend)
for case in */finding.json; do
    echo "${case%/*}"
done >cases
xargs -P "$(getconf _NPROCESSORS_ONLN)" -I CASE ./run.sh --case CASE "$backend" <cases
while read -r case; do
    cat "$case/happened"
done <cases
