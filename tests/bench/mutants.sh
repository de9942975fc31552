#!/bin/sh
# Bugs planted into the whole programs of corpus/models, one at a time by corpus/mutants/plant.c: how
# many `miscast check` finds, and how many of those `miscast verify` confirms. A mutant counts if it
# misbehaves: built and run in every precision and on every device that the program offers, it says
# something else than the program does, or ends otherwise. Found: a finding stands where the bug was
# planted, or has that place on its lineage; of something that was left out, it names it.
#
#   mutants.sh PROGRAM PLANT MODELS INCLUDE LIBRARY COMPILER [--seed S] [--count N] [--rows FILE]
#              [--model NAME] [LINKED WITH...]
#
# --rows: a line for each mutant that counts. What was not found goes to stderr.
set -eu

if [ "$1" != --one ]; then
    program=$1 plant=$2 models=$3 include=$4 library=$5 cc=$6
    shift 6
    seed=1 count=100 rows= only=
    while [ $# -gt 1 ]; do
        case $1 in
            --seed) seed=$2 ;;
            --count) count=$2 ;;
            --rows) rows=$2 ;;
            --model) only=$2 ;;
            *) break ;;
        esac
        shift 2
    done
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT INT TERM
    case $library in
        *.a)
            "$cc" -shared -o "$work/libmiscast.so" -Wl,--whole-archive "$library" \
                -Wl,--no-whole-archive "$@"
            library=$work/libmiscast.so
            ;;
    esac
    mkdir "$work/clean" "$work/rows"
    cp -R "$models"/. "$work/clean"
    unset FORCE_COLOR MISCAST_PACKS MISCAST_TRACE MISCAST_PROBE
    MISCAST_CUDA=sim OPENBLAS_NUM_THREADS=1 MISCAST_THREADS=1
    export MISCAST_CUDA OPENBLAS_NUM_THREADS MISCAST_THREADS program plant include library cc work seed
    names=$(cd "$work/clean" && ls -d ./*/README.md | sed 's,^\./,,; s,/README.md,,')
    names=${only:-$names}
    export names
    sh "$0" --one clean >&2
    from=1 step=$(($(getconf _NPROCESSORS_ONLN) * 8)) done=0
    while [ "$done" -lt "$count" ] && [ "$from" -lt $((20 * count)) ]; do
        seq "$from" $((from + step - 1)) | xargs -n 1 -P "$(getconf _NPROCESSORS_ONLN)" sh "$0" --one
        from=$((from + step))
        done=$(cat "$work/rows"/* | grep -c -v '^harmless' || true)
        echo "mutants: $done of $count" >&2
    done
    cat "$work/rows"/* | grep -v '^harmless' | sort -n -k 2 -t '	' | head -n "$count" >"$work/all"
    [ -z "$rows" ] || cp "$work/all" "$rows"
    grep '^missed' "$work/all" | cut -f 1,3- >&2 || true
    grep '^found' "$work/all" | cut -f 1,3- | sed 's/^found/not confirmed/' >&2 || true
    awk -F '	' '{
        planted[$4]++; found[$4] += $1 != "missed"; confirmed[$4] += $1 == "confirmed"
        p++; f += $1 != "missed"; c += $1 == "confirmed"
    } END {
        for (k in planted)
            printf "%-32s planted %d found %d confirmed %d\n", k, planted[k], found[k], confirmed[k] | "sort"
        close("sort")
        printf "%-32s planted %d found %d (%.1f%%) confirmed %d (%.1f%% of those)\n", "all", p, f, \
            p ? 100 * f / p : 0, c, f ? 100 * c / f : 0
    }' "$work/all"
    exit
fi

# ---- one mutant --------------------------------------------------------------------------------

shared() {
    ! grep -q '"options.h"' "$1"/*.[ch] || echo options.c
}

# build MODEL PROGRAM: in the current folder
build() {
    # shellcheck disable=SC2046 # file names without spaces
    "$cc" -std=gnu17 -O0 -w -I. -I"$include" "$1"/*.c $(shared "$1") -o "$2" "$library" \
        -Wl,--allow-shlib-undefined -lm 2>/dev/null
}

# runs MODEL: the command lines it is tried with
runs() {
    case $1 in
        llama) dtypes='f32 bf16' more= ;;
        lstm) dtypes='f32 f16 bf16' more='--steps 12 --reach 9' ;;
        resnet) dtypes='f32 f16 bf16' more='--steps 6 --reach 9' ;;
        amp) dtypes='f32 f16 bf16' more='--steps 40' ;;
        *) dtypes='f32 f16 bf16' more= ;;
    esac
    for dtype in $dtypes; do
        for device in cpu cuda; do
            echo "--dtype $dtype --device $device $more"
        done
    done
}

# say PROGRAM ARGUMENT...: what it says and how it ends, in a folder of its own
say() {
    where=$(mktemp -d "$work/run.XXXXXX")
    ended=0
    (cd "$where" && ulimit -c 0 && ulimit -v 6000000 && exec timeout 20 "$@") 2>/dev/null || ended=$?
    echo "exit $ended"
    rm -rf "$where"
}

if [ "$2" = clean ]; then
    cd "$work/clean"
    printf '%s\n' "-I$work/clean" "-I$include" >compile_flags.txt
    found=0
    for model in $names; do
        build "$model" "$work/$model.clean"
        runs "$model" | while read -r line; do
            said=$work/$model.$(echo "$line" | cut -d' ' -f2,4 | tr ' ' .)
            # shellcheck disable=SC2086 # words
            say "$work/$model.clean" $line >"$said"
            grep -q -x 'exit 0' "$said" || { echo "$model $line: $(tail -n 1 "$said")" >&2; exit 1; }
        done
        # shellcheck disable=SC2046
        "$program" check --isolated --no-cache --exit-zero --format concise "$model"/*.c \
            $(shared "$model") 2>/dev/null >"$work/findings"
        found=$((found + $(grep -c ': [a-z]*: ' "$work/findings" || true)))
    done
    echo "false positives $found"
    exit
fi

index=$2
folder=$work/m$index
row=$work/rows/$index
number=$((seed * 1000003 + index))
# shellcheck disable=SC2086
set -- $names
shift $((index % $#))
model=$1
mkdir "$folder"
trap 'rm -rf "$folder"' EXIT
cp -R "$work/clean/$model" "$folder"
cp "$work/clean"/options.* "$folder"
cd "$folder"
printf '%s\n' "-I$folder" "-I$include" >compile_flags.txt
echo harmless >"$row"
planted=$("$plant" "$number" "$model"/*.c) || exit 0
build "$model" "$folder/program" || exit 0

wrong=
while read -r line; do
    # shellcheck disable=SC2086
    say "$folder/program" $line >said
    cmp -s said "$work/$model.$(echo "$line" | cut -d' ' -f2,4 | tr ' ' .)" || {
        wrong=$line
        break
    }
done <<END
$(runs "$model")
END
[ -n "$wrong" ] || exit 0

# shellcheck disable=SC2046
"$program" verify --isolated --no-cache --exit-zero "$model"/*.c $(shared "$model") >told 2>/dev/null || true
place=$(echo "$planted" | cut -f 3) word=$(echo "$planted" | cut -f 4)
verdict=$(awk -v place="$place" -v word="$word" '
    BEGIN { RS = ""; split(place, at, ":"); split(at[2], lines, "-"); best = "missed" }
    {
        near = 0
        for (n = lines[1]; n <= lines[2]; n++)
            near = near || index($0, at[1] ":" n ":")
        near = near || (word != "-" && match($0, "(^|[^a-z_0-9])" word "($|[^a-z_0-9])"))
        if (near && /\n  confirmed: /)
            best = "confirmed"
        else if (near && best == "missed")
            best = "found"
    }
    END { print best }' told)
others=$(grep -c ': [a-z]*: .*\[[a-z0-9-]*\]$' told || true)
printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s findings\t%s, %s\n' "$verdict" "$index" "$model" \
    "$(echo "$planted" | cut -f 2)" "$(echo "$planted" | cut -f 1)" "$place" \
    "$(echo "$planted" | cut -f 5)" "$others" "$wrong" "$(tail -n 1 said)" >"$row"
