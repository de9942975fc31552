#!/bin/sh
# check.sh MISCAST FOLDER [--report | --at-least | --every N]: checks all programs of the manifest, or each Nth file and no
# folder, and compares the findings with their rows: in a program that is right there must be no warning and no error; a
# bug needs one of its rule at its line; a loss, which raises nothing, a finding of any severity; neither may have others.
# Rows say what is wrong today: one that got better fails as well, so that the list stays true; but not with --at-least.
# MISCAST_BLESS=1 rewrites it. What is found is also written to the file MISCAST_JSON, if that is set.
set -eu
miscast=$1
folder=$2
at_least=
if [ "${3:-}" = --at-least ]; then
    at_least=1
    set -- "$1" "$2"
fi
every=1
if [ "${3:-}" = --every ]; then
    every=$4
    set -- "$1" "$2"
fi
found=$(mktemp)
new=$(mktemp)
chosen=$(mktemp)
trap 'rm -f "$found" "$new" "$chosen"' EXIT
cd "$folder/programs"
printf '%s\n' *.py | awk -v every="$every" 'NR % every == 0' >"$chosen"
# shellcheck disable=SC2046 # no name has a space
NO_COLOR=1 "$miscast" check --isolated --format text ${MISCAST_JSON:+--format "json=$MISCAST_JSON"} $(cat "$chosen") >"$found" 2>/dev/null || [ $? -eq 1 ]
for program in */; do
    [ "$every" -eq 1 ] || break
    (cd "$program" && NO_COLOR=1 "$miscast" check ./*.py 2>/dev/null || [ $? -eq 1 ]) |
        sed "s|^\([^ ]*\.py:[0-9]\)|$program\1|" >>"$found"
done
awk -F '\t' -v report="${3:-}" -v at_least="$at_least" '
FNR == NR {
    if (!match($0, /^[^ :]+\.py:[0-9]+:[0-9]+: (error|warning|note): /))
        next
    head = substr($0, 1, RLENGTH)
    sub(/^\.\//, "", head)
    split(head, part, ":")
    severity = part[4]
    gsub(/ /, "", severity)
    rule = $0
    sub(/.*\[/, "", rule)
    sub(/\].*/, "", rule)
    n = ++count[part[1]]
    line[part[1], n] = part[2]
    kind[part[1], n] = severity
    name[part[1], n] = rule
    text[part[1], n] = $0
    next
}
/^#/ { print; next }
{
    is_found = 0
    others = ""
    for (i = 1; i <= count[$1]; i++) {
        is_rule = index("|" $4 "|", "|" name[$1, i] "|")
        is_known = index("," $3 ",", "," line[$1, i] ",")
        if (is_rule && line[$1, i] == $3 + 0 && ($2 == "loss" || kind[$1, i] != "note"))
            is_found = 1
        else if (kind[$1, i] != "note" && !(is_rule && is_known))
            others = others "    " text[$1, i] "\n"
    }
    today = $2 != "right" && !is_found ? "missed" : ""
    if (others != "")
        today = today (today != "" ? " " : "") "false"
    if (today == "" || (at_least != "" && today == "missed" && $6 ~ /missed/))
        today = "-"
    if (at_least != "" && today == "-")
        today = $6
    if (report != "" && today != "-")
        printf "%s %s %s %s: %s\n%s", $1, $2, $3, $4, today, others >"/dev/stderr"
    print $1 "\t" $2 "\t" $3 "\t" $4 "\t" $5 "\t" today
}' "$found" ../manifest.tsv >"$new"
if [ -n "${MISCAST_BLESS:-}" ]; then
    cp "$new" ../manifest.tsv
fi
if [ -n "${3:-}" ]; then
    awk -F '\t' '!/^#/ { n[$2]++; if ($6 == "-") good[$2]++; if ($6 ~ /false/) bad++ }
        END { for (k in n) printf "%s: %d of %d\n", k, good[k], n[k]; printf "false findings in %d\n", bad }' "$new"
fi
if [ "$every" -gt 1 ]; then
    awk -F '\t' 'FNR == NR { is_chosen[$1]; next } $1 in is_chosen' "$chosen" "$new" >"$found"
    awk -F '\t' 'FNR == NR { is_chosen[$1]; next } $1 in is_chosen' "$chosen" ../manifest.tsv | diff - "$found"
    exit
fi
diff ../manifest.tsv "$new"
