#!/bin/sh
# cuda.sh BENCH_CUDA [--strict] [ARGUMENT...]: the speed of the cuda backend compared with PyTorch's,
# as a table. Both programs alternate, twice; the better figure of each counts. The bars:
#
#   matmul             at least 0.95 of PyTorch
#   memory             at least 0.85 of the bandwidth of a copy on the device, and 1.00 of PyTorch
#   small              at most the time PyTorch takes for the same call
#   attention, cost    none; the latter is the cost of a cast compared with its product
#
# Without PyTorch, its columns are empty and bars that need it are not checked. --strict: exit status 1
# if a bar is missed.
set -eu
program=$1
shift
strict=0
if [ "${1-}" = --strict ]; then
    strict=1
    shift
fi
here=$(dirname "$0")
figures=$(mktemp)
trap 'rm -f "$figures"' EXIT

quick=0 only=
previous=
for argument; do
    [ "$argument" != --quick ] || quick=1
    [ "$previous" != --only ] || only=$argument
    previous=$argument
done

turns='1 2'
[ $quick -eq 0 ] || turns=1
for turn in $turns; do
    "$program" "$@" | sed 's/^/ours /' >>"$figures"
    if [ $quick -eq 0 ] && command -v python3 >/dev/null 2>&1; then
        python3 "$here/cuda_peer.py" "$only" | sed 's/^/torch /' >>"$figures"
    fi
done
[ -s "$figures" ] || exit 77

awk -v strict=$strict '
function better(name, a, b) { return unit[name] ~ /\/s$/ ? (a > b ? a : b) : (a < b ? a : b) }
{
    if (!($2 in unit)) { order[++count] = $2; unit[$2] = $4 }
    key = $1 SUBSEP $2
    if (key in value) value[key] = better($2, value[key] + 0, $3 + 0)
    else value[key] = $3 + 0
}
# judge(ratio, bar, at_least): the words of the last two columns
function judge(ratio, bar, at_least) {
    fine = at_least ? ratio >= bar : ratio <= bar
    missed += !fine
    judged++
    return sprintf("%s %.2f %s", at_least ? ">=" : "<=", bar, fine ? "ok" : "MISSED")
}
function row(name, what, ours, other, verdict) {
    printf "%-28s %-8s %10.4g %10s %8s  %s\n", name, unit[name], ours, other == "" ? "-" : \
        sprintf("%.4g", other), other == "" ? "-" : sprintf("%.3f", ours / other), what " " verdict
}
END {
    copy = better("copy_f32", value["ours", "copy_f32"] + 0, value["torch", "copy_f32"] + 0)
    printf "%-28s %-8s %10s %10s %8s  %s\n", "what", "unit", "ours", "other", "ratio", "bar"
    for (i = 1; i <= count; i++) {
        name = order[i]
        if (!(("ours" SUBSEP name) in value)) continue
        ours = value["ours", name]
        torch = (("torch" SUBSEP name) in value) ? value["torch", name] : ""
        if (name ~ /^matmul/)
            row(name, "PyTorch", ours, torch, torch == "" ? "" : judge(ours / torch, 0.95, 1))
        else if (name ~ /^small/)
            row(name, "PyTorch", ours, torch, torch == "" ? "" : judge(ours / torch, 1, 0))
        else if (name ~ /^cost/) {
            split(name, part, "_")
            row(name, "PyTorch", ours, torch, "")
            base = value["ours", "cost_" part[2] "_one_dtype"]
            if (base != "" && name !~ /one_dtype/)
                row(name, "product alone", ours, base, "")
        } else if (name ~ /^(copy|attention)/)
            row(name, "PyTorch", ours, torch, "")
        else {
            if (copy > 0)
                row(name, "copy", ours, copy, judge(ours / copy, 0.85, 1))
            row(name, "PyTorch", ours, torch, torch == "" ? "" : judge(ours / torch, 1, 1))
        }
    }
    printf "\n%d of %d bars missed\n", missed, judged
    exit strict && missed ? 1 : 0
}' "$figures"
