#!/bin/sh
# The findings in the corpus of bugs, for a machine with a GPU.
#
#   corpus.sh emit PROGRAM SOURCE FOLDER   creates FOLDER/project from corpus/bugs and corpus/seeds, and
#                                          FOLDER/bundle from its findings; run FOLDER/bundle/run.sh there
#   corpus.sh compare PROGRAM FOLDER       compares the results in FOLDER/bundle with a run here
#   corpus.sh check PROGRAM SOURCE RUNTIME NAME...
#                                          both, for some bugs, on the module that MISCAST_CUDA_MODULE
#                                          names; RUNTIME is the library
set -eu
unset FORCE_COLOR MISCAST_PACKS
NO_COLOR=1
export NO_COLOR

# emit PROGRAM SOURCE FOLDER [NAME...]
emit() {
    program=$1 source=$2 folder=$3
    shift 3
    mkdir -p "$folder/project"
    echo "-I$source/runtime/include" >"$folder/project/compile_flags.txt"
    for case in "$source"/corpus/bugs/*/ "$source"/corpus/seeds/*/; do
        name=$(basename "$case")
        case " $* " in
            "  " | *" $name "*) ;;
            *) continue ;;
        esac
        mkdir -p "$folder/project/$name"
        cp "$case"/bug*.c "$folder/project/$name" 2>/dev/null || cp "$case"/*.c "$folder/project/$name"
        cp "$case"/*.h "$folder/project/$name" 2>/dev/null || true
    done
    cd "$folder/project"
    MISCAST_CUDA=sim "$program" verify --isolated --no-cache --exit-zero --emit "$folder/bundle" \
        --format concise . >/dev/null
    echo "emitted $(ls -d "$folder"/bundle/*/ | wc -l) cases"
}

# verdicts OPTION...: "FILE:LINE RULE FINGERPRINT VERDICT DEVICE", one per line
verdicts() {
    MISCAST_CUDA=sim "$program" verify --isolated --no-cache --exit-zero \
        --format json="$folder/report.json" "$@" . >/dev/null
    awk -F'"' '
        $2 == "rule" { rule = $4 }
        $2 == "file" && !in_lineage { file = $4 }
        $2 == "line" && !in_lineage { line = $3; gsub(/[^0-9]/, "", line) }
        $2 == "fingerprint" { print_id = $4 }
        $2 == "lineage" { in_lineage = 1 }
        $2 == "verdict" { in_verdict = 1 }
        in_verdict && $2 == "kind" { kind = $4 }
        in_verdict && $2 == "device" {
            print file ":" line, rule, print_id, kind ", " $4
            in_lineage = in_verdict = 0
        }' "$folder/report.json"
}

compare() {
    program=$1 folder=$2
    cd "$folder/project"
    verdicts >"$folder/here.txt"
    verdicts --import "$folder/bundle" >"$folder/there.txt"
    for where in here there; do
        echo "$where:"
        sed 's/^[^ ]* [^ ]* [^ ]* //' "$folder/$where.txt" | sort | uniq -c
    done
    sed 's/, simulated cuda$/, cuda/' "$folder/here.txt" >"$folder/a"
    sed 's/, simulated cuda$/, cuda/' "$folder/there.txt" >"$folder/b"
    if diff "$folder/a" "$folder/b" >"$folder/differ"; then
        echo "verdicts differ 0"
    else
        echo "verdicts differ $(grep -c '^>' "$folder/differ")"
        cat "$folder/differ"
        return 1
    fi
}

# That the cases were confirmed there, on cuda, is asked for, too: bundles that ran nowhere agree.
check() {
    program=$1 source=$2 runtime=$3 folder=$(mktemp -d)
    shift 3
    trap 'rm -rf "$folder"' EXIT
    emit "$program" "$source" "$folder" "$@"
    MISCAST_CUDA=real "$folder/bundle/run.sh" -DMISCAST_LIBRARY="$runtime" \
        -DMISCAST_INCLUDE="$source/runtime/include" >"$folder/run.log"
    compare "$program" "$folder"
    for name; do
        grep -q "^$name/.* confirmed, cuda$" "$folder/there.txt" || {
            echo "$name was not confirmed on cuda"
            return 1
        }
    done
}

what=$1
shift
"$what" "$@"
