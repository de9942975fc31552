#!/bin/sh
# Bugs planted into the whole programs of corpus/models, one at a time by corpus/mutants/plant.c: how
# many `miscast check` finds, and how many of those `miscast verify` confirms. A mutant counts if it
# misbehaves: built and run in every precision and on every device that the program offers, it prints
# something else than the original or exits differently. Other random numbers are no bug: what changes how
# numbers are drawn has to fail. Found: a finding is where the bug was planted, or has that place in its
# lineage, or, if the bug left something out, names it.
#
#   mutants.sh PROGRAM PLANT MODELS INCLUDE LIBRARY COMPILER KEPT [--seed S] [--count N]
#              [--model NAME] [--rows FILE] [--with FILE]... [--list] [LINKED WITH...]
#
# --rows: writes a line for each mutant that counts. --with: also counts the lines of another run, with
# another seed, so that runs at different times or places can be combined. --list: lists those not found
# and not confirmed, with their findings. KEPT is a folder for intermediate results: an interrupted run
# resumes from there, and after a change of PROGRAM only its answers are computed again.
set -eu

if [ "$1" != --one ]; then
    program=$1 plant=$2 models=$3 include=$4 library=$5 cc=$6 kept=$7
    shift 7
    seed=1 count=100 rows= only= list= with=
    while [ $# -gt 0 ]; do
        case $1 in
            --seed) seed=$2 && shift ;;
            --count) count=$2 && shift ;;
            --rows) rows=$2 && shift ;;
            --with) with="$with $2" && shift ;;
            --model) only=$2 && shift ;;
            --list) list=1 ;;
            *) break ;;
        esac
        shift
    done
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    trap 'exit 130' INT TERM HUP
    mkdir -p "$kept"
    exec 9>"$kept/lock"
    flock -n 9 || { echo "mutants: another run uses $kept" >&2; exit 2; }
    answers=$(cksum <"$program" | tr ' ' -)
    made=$(cat "$plant" "$library" "$models"/*.[ch] "$models"/*/*.[ch] | cksum)
    if [ "$(cat "$kept/made" 2>/dev/null)" != "$made" ]; then
        rm -rf "$kept/clean" "$kept/seen"
        echo "$made" >"$kept/made"
    fi
    mkdir -p "$kept/seen/$seed" "$kept/answers"
    case $library in
        *.a)
            "$cc" -shared -o "$work/libmiscast.so" -Wl,--whole-archive "$library" \
                -Wl,--no-whole-archive "$@"
            library=$work/libmiscast.so
            ;;
    esac
    unset FORCE_COLOR MISCAST_PACKS MISCAST_TRACE MISCAST_PROBE
    MISCAST_CUDA=sim OPENBLAS_NUM_THREADS=1 MISCAST_THREADS=1
    export MISCAST_CUDA OPENBLAS_NUM_THREADS MISCAST_THREADS program plant include library cc work \
        seed kept answers count
    names=$(cd "$models" && ls -d ./*/README.md | sed 's,^\./,,; s,/README.md,,')
    export names only
    [ -f "$kept/clean/done" ] || { rm -rf "$kept/clean" && mkdir "$kept/clean" && cp -R "$models"/. "$kept/clean"; }
    sh "$0" --one clean
    cores=$(getconf _NPROCESSORS_ONLN)
    # About a quarter of what is planted does no harm. In few and large steps: at the end of each,
    # all wait for the last.
    from=1 done=0
    : >"$work/all"
    while [ "$done" -lt "$count" ] && [ "$from" -lt $((20 * count)) ]; do
        step=$(((count - done) * 5 / 4 + cores))
        seq "$from" $((from + step - 1)) | xargs -n 1 -P "$cores" sh "$0" --one
        for index in $(seq "$from" $((from + step - 1))); do
            cat "$kept/answers/$answers.$seed.$index" 2>/dev/null >>"$work/all" || true
        done
        from=$((from + step))
        done=$(wc -l <"$work/all")
    done
    [ ! -t 2 ] || echo >&2
    head -n "$count" "$work/all" >"$work/counted"
    [ -z "$rows" ] || cp "$work/counted" "$rows"
    # shellcheck disable=SC2086 # a list of words
    [ -z "$with" ] || cat $with >>"$work/counted"
    if [ -n "$list" ]; then
        awk -F '	' '$1 != "confirmed" {
            printf "%s: %s, %s (%s), %s\n    %s\n    misbehaves with %s\n", $1 == "missed" ? $1 : "not confirmed",
                $3, $4, $5, $6, $7, $9
            if ($10 != "")
                printf "    said: %s\n", $10
        }' "$work/counted"
    fi
    awk -F '	' '{
        planted[$4]++; found[$4] += $1 != "missed"; confirmed[$4] += $1 == "confirmed"
        p++; f += $1 != "missed"; c += $1 == "confirmed"
    } END {
        for (k in planted)
            printf "%-32s planted %d found %d confirmed %d\n", k, planted[k], found[k], confirmed[k] | "sort"
        close("sort")
        printf "%-32s planted %d found %d (%.1f%%) confirmed %d (%.1f%% of those)\n", "all", p, f, \
            p ? 100 * f / p : 0, c, f ? 100 * c / f : 0
    }' "$work/counted"
    cat "$work/clean"
    exit
fi

# ---- one mutant --------------------------------------------------------------------------------

shared() {
    ! grep -q '"options.h"' "$1"/*.[ch] || echo options.c
}

# compile FILE OBJECT
compile() {
    "$cc" -std=gnu17 -O0 -w -I. -I"$include" -c "$1" -o "$2" 2>/dev/null
}

# link PROGRAM OBJECT...
link() {
    out=$1
    shift
    "$cc" "$@" -o "$out" "$library" -Wl,--allow-shlib-undefined -lm 2>/dev/null
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
    { (cd "$where" && ulimit -c 0 && ulimit -v 6000000 && exec timeout 20 "$@") || ended=$?; } 2>/dev/null
    echo "exit $ended"
    rm -rf "$where"
}

# check MODEL, verify MODEL: what is said of it
ask() {
    # shellcheck disable=SC2046 # file names without spaces
    "$program" "$1" --isolated --no-cache --exit-zero "$2"/*.c $(shared "$2") 2>/dev/null || true
}

# judge FILE PLACE WORD: of what was said. A lineage names places as FILE:LINE:COLUMN, and the calls that
# lead to them as "called from FILE:LINE": a cast dropped around such a call is on it, too.
judge() {
    awk -v place="$2" -v word="$3" '
        BEGIN { RS = ""; split(place, at, ":"); split(at[2], lines, "-"); best = "missed" }
        {
            near = 0
            for (n = lines[1]; n <= lines[2]; n++)
                near = near || match($0, at[1] ":" n "([^0-9]|$)")
            near = near || (word != "-" && match($0, "(^|[^a-z_0-9])" word "($|[^a-z_0-9])"))
            if (near && /\n  confirmed: /)
                best = "confirmed"
            else if (near && best == "missed")
                best = "found"
        }
        END { print best }' "$1"
}

if [ "$2" = clean ]; then
    cd "$kept/clean"
    printf '%s\n' "-I$kept/clean" "-I$include" >compile_flags.txt
    found=0
    for model in ${only:-$names}; do
        if [ ! -f "done.$model" ]; then
            mkdir -p "objects/$model"
            for file in "$model"/*.c $(shared "$model"); do
                compile "$file" "objects/$model/$(basename "$file" .c).o"
            done
            link "$work/$model.clean" "objects/$model"/*.o
            runs "$model" | while read -r line; do
                said=$model.$(echo "$line" | cut -d' ' -f2,4 | tr ' ' .)
                # shellcheck disable=SC2086 # words
                say "$work/$model.clean" $line >"$said"
                grep -q -x 'exit 0' "$said" || { echo "$model $line: $(tail -n 1 "$said")" >&2; exit 1; }
            done
            touch "done.$model"
        fi
        ask check "$model" >"$work/findings"
        found=$((found + $(grep -c ': [a-z]*: .*\[[a-z0-9-]*\]$' "$work/findings" || true)))
    done
    touch done
    echo "false positives $found" >"$work/clean"
    exit
fi

index=$2
folder=$work/m$index
seen=$kept/seen/$seed/$index
answer=$kept/answers/$answers.$seed.$index
number=$((seed * 1000003 + index))
# shellcheck disable=SC2086
set -- $names
shift $((index % $#))
model=$1
[ -z "$only" ] || [ "$only" = "$model" ] || exit 0
[ ! -f "$answer" ] || exit 0
! grep -q -x -s harmless "$seen" || exit 0
mkdir "$folder"
trap 'rm -rf "$folder"' EXIT
cp -R "$kept/clean/$model" "$folder"
cp "$kept/clean"/options.* "$folder"
cd "$folder"
printf '%s\n' "-I$folder" "-I$include" >compile_flags.txt

# The line of a mutant that counts, or harmless.
misbehaves() {
    planted=$1
    case ${planted%%	*} in
        *', drawn') has_to_fail=1 ;;
        *) has_to_fail= ;;
    esac
    file=${planted#*	*	}
    file=${file%%:*}
    cp -R "$kept/clean/objects/$model" objects
    { compile "$file" "objects/$(basename "$file" .c).o" && link program objects/*.o; } || return 1
    while read -r line; do
        # shellcheck disable=SC2086
        say "$folder/program" $line >said
        if [ -n "$has_to_fail" ] && grep -q -x 'exit 0' said; then
            continue
        fi
        cmp -s said "$kept/clean/$model.$(echo "$line" | cut -d' ' -f2,4 | tr ' ' .)" || {
            printf '%s\t%s, %s\n' "$planted" "$line" "$(tail -n 1 said)" >row
            return 0
        }
    done <<END
$(runs "$model")
END
    return 1
}

if ! planted=$("$plant" "$number" "$model"/*.c); then
    planted=
fi
if [ ! -f "$seen" ]; then
    { [ -n "$planted" ] && misbehaves "$planted"; } || echo harmless >row
    mv row "$seen"
    ! grep -q -x harmless "$seen" || exit 0
fi
row=$(cat "$seen")
place=$(echo "$row" | cut -f 3) word=$(echo "$row" | cut -f 4)
ask check "$model" >told
verdict=$(judge told "$place" "$word")
if [ "$verdict" != missed ]; then
    ask verify "$model" >told
    verdict=$(judge told "$place" "$word")
fi
printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s findings\t%s\t%s\n' "$verdict" "$index" "$model" \
    "$(echo "$row" | cut -f 2)" "$(echo "$row" | cut -f 1)" "$place" "$(echo "$row" | cut -f 5)" \
    "$(grep -c ': [a-z]*: .*\[[a-z0-9-]*\]$' told || true)" "$(echo "$row" | cut -f 6)" \
    "$(grep -e ': [a-z]*: .*\[[a-z0-9-]*\]$' -e '^  not ' -e '^  refuted' told | tr -s ' \n\t' ' ' | cut -c 1-700)" >row
mv row "$answer"
[ ! -t 2 ] || printf '\rmutants: %d of %d' "$(ls "$kept/answers" | grep -c "^$answers\.$seed\.")" "$count" >&2
