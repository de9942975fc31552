#!/bin/sh
# The example for clusters, on a cluster of one node that is started here: it reports what a single check
# does. Skipped (77) without Slurm, or without the rights to start it.
#
#   cluster.sh PROGRAM INCLUDE EXAMPLE CLUSTER [UNITS [SHARDS]]
#
# With UNITS, so many generated units are checked instead of the example, and what it took is printed.
set -eu
program=$1 include=$2 example=$3 cluster=$4 units=${5:-0} shards=${6:-3}

skip() {
    echo "skipped: $*" >&2
    exit 77
}
for tool in munged slurmctld slurmd sbatch scontrol; do
    command -v $tool >/dev/null 2>&1 || skip "no $tool (Debian: slurm-wlm, munge)"
done
[ "$(id -u)" = 0 ] || skip "only root can start slurmd"

work=$(mktemp -d)
work=$(cd "$work" && pwd -P)
chmod 755 "$work"
finish() {
    for daemon in slurmd slurmctld munged; do
        [ ! -f "$work/$daemon.pid" ] || kill "$(cat "$work/$daemon.pid")" 2>/dev/null || true
    done
    sleep 0.2
    rm -rf "$work"
}
trap finish EXIT INT TERM

# ---- a cluster ----------------------------------------------------------------------------------

base=$((20000 + $$ % 20000))
mkdir -m 700 "$work/munge" "$work/key"
mkdir -m 755 "$work/run" "$work/state" "$work/spool"
dd if=/dev/urandom of="$work/key/munge.key" bs=1024 count=1 2>/dev/null
chmod 600 "$work/key/munge.key"
munged --force --key-file="$work/key/munge.key" --socket="$work/run/munge" --pid-file="$work/munged.pid" \
    --log-file="$work/munge/log" --seed-file="$work/munge/seed" >/dev/null 2>&1 || skip "munged does not start"
node=$(hostname -s)
cat >"$work/slurm.conf" <<END
ClusterName=test
SlurmctldHost=$node(127.0.0.1)
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$work/run/munge
CryptoType=crypto/munge
SlurmctldPort=$base
SlurmdPort=$((base + 1))
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd.pid
SlurmctldLogFile=$work/slurmctld.log
SlurmdLogFile=$work/slurmd.log
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
ReturnToService=2
MinJobAge=300
SlurmdParameters=config_overrides
NodeName=$node NodeAddr=127.0.0.1 RealMemory=64000 CPUs=$(getconf _NPROCESSORS_ONLN) State=UNKNOWN
PartitionName=all Nodes=$node Default=YES MaxTime=INFINITE State=UP OverSubscribe=FORCE
END
SLURM_CONF=$work/slurm.conf
export SLURM_CONF
slurmctld -f "$SLURM_CONF" >/dev/null 2>&1 || skip "slurmctld does not start"
slurmd -f "$SLURM_CONF" -N "$node" >/dev/null 2>&1 || skip "slurmd does not start"
tries=0
until [ "$(sinfo -h -o %t 2>/dev/null)" = idle ]; do
    tries=$((tries + 1))
    [ $tries -lt 50 ] || { tail -5 "$work/slurmctld.log" "$work/slurmd.log" >&2; skip "the node does not come up"; }
    sleep 0.2
done

# ---- a program ----------------------------------------------------------------------------------

mkdir "$work/bin" "$work/tree"
ln -s "$program" "$work/bin/miscast"
PATH=$work/bin:$PATH
export PATH
cd "$work/tree"
unset FORCE_COLOR MISCAST_PACKS
ASAN_OPTIONS=detect_leaks=0 NO_COLOR=
export ASAN_OPTIONS NO_COLOR
cp "$example"/*.c "$example"/*.h .
i=0
while [ $i -lt "$units" ]; do
    mkdir -p "part$((i / 100))"
    printf '#include <miscast/tensor.h>\nmc_tensor *layer%d(mc_tensor *x, mc_tensor *w)\n{\n    return mc_relu(mc_matmul(mc_float(x), mc_float(w)));\n}\n' \
        $i >"part$((i / 100))/layer$i.c"
    i=$((i + 1))
done
separator='['
for file in *.c part*/*.c; do
    [ -f "$file" ] || continue
    printf '%s{"directory": "%s", "file": "%s", "arguments": ["cc", "-I.", "-I%s", "-c", "%s"]}' \
        "$separator" "$PWD" "$file" "$include" "$file"
    separator=','
done >compile_commands.json
echo ']' >>compile_commands.json

# ---- the check ----------------------------------------------------------------------------------

seconds() {
    date +%s.%N
}
status=0 begun=$(seconds)
sh "$cluster/check.sh" "$shards" >"$work/found" 2>&1 || status=$?
ended=$(seconds)
one=0
miscast check --no-cache >"$work/check" 2>"$work/check.err" || one=$?
alone=$(seconds)
[ "$units" = 0 ] || echo "$begun $ended $alone" |
    awk -v n="$units" -v s="$shards" '{ printf "%d units: %d shards and link %.1f s, one check %.1f s\n", n, s, $2 - $1, $3 - $2 }'
[ "$status" = "$one" ] || { cat "$work/found" miscast-parts/*.log >&2; echo "exit code $status instead of $one" >&2; exit 1; }
grep -v '^miscast: ' "$work/found" | cmp -s - "$work/check" || { diff "$work/found" "$work/check" >&2; exit 1; }
grep -q matmul-dtype miscast-parts/found.sarif
