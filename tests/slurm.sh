#!/usr/bin/env bash
# Runs the job array of `retrograde docs batch` on a Slurm of its own: a controller and a node on this machine, in a private directory.
#
# Needed: root, Debian's packages slurm-wlm and munge, gcc, an rr, and a built program: tests/slurm.sh [target/debug/retrograde]
# The rows must be those of `retrograde query` without Slurm, also when the array runs a second time.
set -euo pipefail
cd "$(dirname "$0")/.."
retrograde=$(realpath "${1:-target/debug/retrograde}")
place=$(mktemp -d)
pids=()
finish() {
    for pid in "${pids[@]}"; do kill "$pid" 2>/dev/null || true; done
    wait
    rm -rf "$place"
}
trap finish EXIT
host=$(hostname -s)

mkdir -p "$place"/{state,spool,bin}
dd if=/dev/urandom of="$place/munge.key" bs=1 count=1024 status=none
chmod 400 "$place/munge.key"
chmod 755 "$place"
munged --foreground --force --key-file="$place/munge.key" --socket="$place/munge.socket" --pid-file="$place/munge.pid" \
    --log-file="$place/munge.log" --seed-file="$place/munge.seed" >"$place/munged.log" 2>&1 &
pids+=($!)
cat >"$place/slurm.conf" <<END
ClusterName=one
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=16817
SlurmdPort=16818
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$place/munge.socket
CredType=cred/munge
StateSaveLocation=$place/state
SlurmdSpoolDir=$place/spool
SlurmctldPidFile=$place/slurmctld.pid
SlurmdPidFile=$place/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
MpiDefault=none
ReturnToService=2
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
PartitionName=all Nodes=$host Default=YES State=UP
END
export SLURM_CONF="$place/slurm.conf"
until munge -S "$place/munge.socket" -n >/dev/null 2>&1; do kill -0 "${pids[0]}"; sleep 0.2; done
slurmctld -D -f "$SLURM_CONF" >"$place/slurmctld.log" 2>&1 &
pids+=($!)
slurmd -D -N "$host" -f "$SLURM_CONF" >"$place/slurmd.log" 2>&1 &
pids+=($!)
until sinfo -h -o %t 2>/dev/null | grep -q idle; do
    kill -0 "${pids[1]}" && kill -0 "${pids[2]}" || { cat "$place"/slurm*.log; exit 1; }
    sleep 0.2
done

# What is asked, as the documentation has it.
ln -s "$retrograde" "$place/bin/retrograde"
export PATH="$place/bin:$PATH" RETROGRADE_ANSWERS=off
gcc -g -O0 -pthread -o "$place/every_call" dwarf-fixtures/src/every_call.c
retrograde docs batch | awk '/^#!\/bin\/sh/ { on = 1 } /^```/ { on = 0 } on' |
    sed "s/query calls .* --json/query calls \"\$trace\" --function main --json/" >"$place/query.sh"
cd "$place"
for number in 1 2 3 4 5; do
    retrograde rr record -o "$place/run-$number" "$place/every_call" "$place/log-$number" >/dev/null 2>&1 || true
    echo "$place/run-$number"
done >traces.txt
xargs -a traces.txt sh -c 'retrograde query calls "$@" --function main --json' - 2>/dev/null | LC_ALL=C sort >expected.jsonl
test -s expected.jsonl

for round in first second; do
    sbatch --wait --output="$place/%a.log" --array="1-$(wc -l <traces.txt)%2" query.sh
    LC_ALL=C sort rows/*.jsonl >"$round.jsonl"
    cmp expected.jsonl "$round.jsonl" || { cat ./*.log; exit 1; }
done
echo "$(wc -l <expected.jsonl) rows of $(wc -l <traces.txt) recordings, by Slurm $(sinfo --version | cut -d' ' -f2) as without it, twice"

# A recording that is none fails its task alone, with the status that says so, and leaves no answer.
echo "$place/nowhere" >>traces.txt
code=0
sbatch --wait --output="$place/%a.log" --array=6 query.sh || code=$?
test "$code" = 1 && test ! -e rows/6.jsonl
echo "a recording that is not there: status $code"
