#!/usr/bin/env bash
# Step 14 as a program: on simulated devices, and on the fake driver with the fake NCCL
# (tests/fake_nccl.c), in one process and in several; and how it ends after a failure. test_gpus.c
# checks what its schedules compute and send.
# Alone: it measures how soon the other processes end when one is killed.
source "$(dirname "$0")/tap.sh"
gpus=$PWD/build/14_several_gpus
fakes=$PWD/build/fake
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export TMPDIR=$work

case_is 'help ends well' 0 'Usage: 14_several_gpus' "$gpus" --help
case_is 'list names the variants' 0 'split_k' "$gpus" --list
one_line_is 'unknown variant' 2 'gather, panels, grid, split_k, copies' "$gpus" --variant nine
one_line_is 'unknown kernel' 2 'no such step' "$gpus" --kernel nine/nine
one_line_is '--kernel without a variant' 2 'expected STEP/VARIANT' "$gpus" --kernel 10_block_order
one_line_is '--gpus 0' 2 '--gpus' "$gpus" --gpus 0
one_line_is 'special inputs' 2 'expected uniform, exact' "$gpus" --inputs special
one_line_is 'a list of GPUs is for predictions' 2 '--gpus' "$gpus" --gpus 1,2
one_line_is 'the ladder leaves it out' 2 'build/14_several_gpus' build/ladder --step 14
case_is 'predicts without a GPU' 0 'panels        4' "$gpus" --predict --gpus 2,4 --size 8192,131072

# predicted KERNEL OPTION...: sets ms, travel, speed and source to the figures predicted for two
# GPUs at N = 16384 with the variant `copies`.
predicted() {
    read -r travel ms speed source < <("$gpus" --predict --gpus 2 --size 16384 --variant copies \
        --kernel "$@" 2>"$work/said" |
        awk 'END { print $7, $11, $12, $13 }')
}
# near VALUE EXPECTED PERCENT: succeeds if VALUE is within PERCENT of EXPECTED.
near() {
    awk -v v="$1" -v e="$2" -v p="$3" \
        'BEGIN { exit !(v ~ /^[0-9.]+$/ && v > e * (1 - p / 100) && v < e * (1 + p / 100)) }'
}
# Measured on two H200s: 21.5 ms with 13_tensor_cores/safe, 70.6 ms with shapes/dispatch.
predicted 13_tensor_cores/safe
near "$ms" 22 20 && [[ $source == recorded && ! -s $work/said ]]
verdict $? 'the chosen kernel sets the predicted time' "$ms ms, $speed, $source"
predicted shapes/dispatch
near "$ms" 70.6 5 && [[ $source == recorded ]]
verdict $? 'so does the usual one' "$ms ms, $speed, $source"
predicted 13_tensor_cores/mended
near "$ms" 22 25 && [[ $source == modelled ]]
verdict $? 'a speed from fitted costs' "$ms ms, $speed, $source"
predicted 13_tensor_cores/cluster
[[ $ms == - && $speed == - && $source == unknown && $travel =~ ^[0-9.]+$ &&
    $(wc -l <"$work/said") == 1 &&
    $(cat "$work/said") == *13_tensor_cores/cluster* ]]
verdict $? 'an unknown speed: no predicted time' "$ms ms, $speed, $source" "$(cat "$work/said")"
said=$("$gpus" --predict --json --gpus 2 --variant copies \
    --kernel 13_tensor_cores/cluster 2>"$work/said")
grep -q '"type": "prediction".*"milliseconds": null.*"speed": "unknown"' <<<"$said" &&
    grep -q '"type": "note"' <<<"$said" && [[ ! -s $work/said ]]
verdict $? 'unknown is null in JSON' "$said"
predicted 13_tensor_cores/cluster --tflops 100
near "$ms" 43.98 1 && [[ $source == given && $speed == 100.0 && ! -s $work/said ]]
verdict $? 'a given speed' "$ms ms, $speed, $source" "$(cat "$work/said")"

# --- simulated devices: they run the kernels' machine code; collectives are plain copies
if [[ ! -s build/cubin/sm_90/shapes/64x128.cubin ]]; then
    skip 'simulated devices' 'built for another ARCH'
else
    # Takes only three of the counts, because each loads every kernel that `dispatch` may choose.
    for count in $(printf '%s\n' 1 2 3 4 5 6 | draw 3 gpus); do
        said=$("$gpus" --backend sim --gpus $count --shape 37x53x29 --pad 1 --alpha -0.5 --beta 2 \
            --inputs exact --panel 8 --check only 2>&1)
        [[ $? == 0 && $(grep -c 'check pass' <<<"$said") == 5 ]] &&
            awk '/received/ { for (i = 2; i < NF; i++) {
                    if ($i == "received") said = $(i + 1);
                    if ($(i + 1) == "counted") counted = $i }
                 if (said != counted || (said == 0) != ('$count' == 1)) bad = 1 }
                 END { exit bad }' <<<"$said"
        verdict $? "$count simulated devices: right, and the bytes that were predicted" "$said"
    done
    case_is 'a long simulation wants --force' 2 'try --size 512' "$gpus" --backend sim --size 8192
    case_is 'make profile STEP=14 counts what travels' 0 \
        'received 131072 bytes by schedule, 131072 counted' env FAKE_CUDA=nodevice \
        LD_LIBRARY_PATH="$fakes" tools/profile.sh 14 256
    case_is 'another kernel' 0 'check pass' "$gpus" --backend sim --gpus 2 \
        --kernel 09_reuse_sass/hand_16x12 --variant panels --shape 70x130x24
    case_is 'empty problems' 0 'check pass' "$gpus" --backend sim --gpus 3 --shape 0x9x9 \
        --shape 9x9x0 --beta 0,2
fi

# --- the code for real GPUs, on fake ones
if [[ ! -s $fakes/libnccl.so.2 || ! -s build/cubin/sm_90/shapes/64x128.cubin ]]; then
    skip 'fake GPUs' 'no CUDA headers, or built for another ARCH'
    exit 0
fi
# fake "NAME=VALUE ..." ARGUMENT...: runs the program on fake GPUs.
fake() { env $1 LD_LIBRARY_PATH="$fakes" "$gpus" "${@:2}"; }
# ends NAME STATUS TEXT "NAME=VALUE ..." ARGUMENT...: the program exits with STATUS and prints one
# line with TEXT on stderr, besides the note that this GPU has no fitted costs.
ends() {
    local status=0
    fake "${@:4}" 2>&1 >/dev/null | grep -v ': note: .* Fake GPU' >"$work/said"
    status=${PIPESTATUS[0]}
    [[ $status == "$2" && $(wc -l <"$work/said") == 1 && $(cat "$work/said") == *"$3"* ]]
    verdict $? "$1" "exit status $status, expected $2" "expected one line with: $3" \
        "$(cat "$work/said")"
}
for count in 1 2 3 6; do
    case_is "$count fake GPUs in one process" 0 'copies' fake FAKE_GPUS=$count --shape 61x45x83 \
        --pad 0,1 --beta 0,2 --panel 12 --check only
done
case_is 'NCCL is named' 0 'NCCL 2.18.0' fake FAKE_GPUS=2 --size 40
# Lines have at most 100 columns; --wide prints what does not fit.
fake FAKE_GPUS=2 --shape 61x45x83 --pad 0,1 --beta 0,2 --alpha 1,0.123456 >"$work/narrow" \
    2>/dev/null || true
widest=$(awk 'length($0) > most { most = length($0) } END { print most + 0 }' "$work/narrow")
[[ $widest -gt 40 && $widest -le 100 &&
    $(grep -c ' TFLOP/s.*check pass$' "$work/narrow") == 40 ]]
verdict $? 'lines fit 100 columns' "widest: $widest" "$(cat "$work/narrow")"
case_is 'on a GPU the kernel is measured' 0 'measured)' fake FAKE_GPUS=2 --wide --size 40 \
    --variant panels --kernel 09_reuse_sass/hand_16x12
case_is 'timed, with its files' 0 'predicted' fake FAKE_GPUS=2 --size 40 --csv "$work/r.csv" \
    --details "$work/d.csv" --timeline "$work/t.csv"
columns() {
    awk -F, -v n="$2" 'NF != n + ($0 ~ /"Fake/) { bad = 1 } END { exit bad || NR < 2 }' "$1"
}
columns "$work/d.csv" 24 && columns "$work/t.csv" 18
verdict $? 'whole lines' "$(cat "$work/d.csv" "$work/t.csv")"
[[ $(awk -F, '/14_several_gpus/ { print $33 }' "$work/r.csv" | sort -u) == 2 ]]
verdict $? 'rows carry their number of GPUs' "$(cat "$work/r.csv")"
case_is 'links by size' 0 'all-gather' fake 'FAKE_GPUS=2 FAKE_MEMORY=16' --links --csv "$work/l.csv"
case_is 'cublasXt beside it' 0 'cublasXt tile64' fake FAKE_GPUS=2 --size 40 \
    --variant copies --cublasxt 64

ends 'a run that does not end' 1 '--limit' 'FAKE_GPUS=2 FAKE_CUDA=hang' --size 40 --limit 1
ends 'an error of NCCL while it runs' 1 "the fake's link is down" 'FAKE_GPUS=2 FAKE_NCCL=error' \
    --size 40
ends 'a message of the wrong size' 1 'two ranks want different sizes' 'FAKE_GPUS=2 FAKE_NCCL=lose' \
    --size 40 --variant panels
ends 'no peer access' 2 'no peer access' 'FAKE_GPUS=2 FAKE_CUDA=nopeer' --size 40
ends 'out of device memory' 1 'CUDA_ERROR_OUT_OF_MEMORY' 'FAKE_GPUS=2 FAKE_CUDA=oom' --size 40
ends 'too little memory' 1 'needs 0.0 GB on each of 2 GPUs' 'FAKE_GPUS=2 FAKE_MEMORY=1' \
    --size 512 --variant panels
ends 'more GPUs than there are' 2 'this host shows 2' FAKE_GPUS=2 --gpus 3 --size 40
ends 'a kernel that faults' 1 'CUDA_ERROR_LAUNCH_FAILED' 'FAKE_GPUS=2 FAKE_CUDA=fault' --size 40
ends '--backend gpu without a GPU' 77 'CUDA_ERROR_NO_DEVICE' FAKE_CUDA=nodevice --backend gpu
ends 'processes without a file' 1 '--meet FILE' 'FAKE_GPUS=2 RANK=0 WORLD_SIZE=2' --size 40
case_is 'other bits from run to run' 1 'run 2' fake 'FAKE_GPUS=2 FAKE_NCCL=flip' \
    --size 40 --variant split_k
case_is 'a wrong element' 1 'fails on rank 1 of 2' fake 'FAKE_GPUS=2 FAKE_CUDA=wrong' \
    --size 40 --variant panels
mkdir "$work/empty"
cp "$fakes/libcuda.so.1" "$work/empty/"
if ! PATH=$PATH:/sbin ldconfig -p | grep -q libnccl.so.2 &&
    ! compgen -G '/usr/local/cuda/lib64/libnccl.so.2' >/dev/null; then
    case_is 'no NCCL' 2 'libnccl.so.2 not found' env FAKE_GPUS=2 LD_LIBRARY_PATH="$work/empty" \
        PATH=/bin NCCL_HOME= CUDA_HOME= "$gpus" --size 40
fi

# --- one process per GPU
# start COUNT ARGUMENT...: starts COUNT processes and sets `pids`; rank N writes to $work/rank.N.
start() {
    local count=$1 rank
    pids=()
    for ((rank = 0; rank < count; rank++)); do
        RANK=$rank WORLD_SIZE=$count LOCAL_RANK=$rank FAKE_GPUS=$count LD_LIBRARY_PATH=$fakes \
            "$gpus" --meet "$work/meet" "${@:2}" \
            >"$work/rank.$rank" 2>&1 &
        pids+=($!)
    done
}
# statuses: waits for these processes; sets `found` to their exit statuses, for example "0 0 0".
statuses() {
    local all=() pid status
    for pid in "${pids[@]}"; do
        status=0
        wait "$pid" 2>/dev/null || status=$?
        all+=("$status")
    done
    found=${all[*]}
}
for count in 2 4; do
    echo 'localhost 1 2 00' >"$work/meet" # a file that an earlier run left
    start $count --shape 61x45x83 --pad 1 --beta 2 --panel 12 --csv "$work/p$count.csv"
    statuses
    if [[ $found =~ ^0( 0)*$ && $(grep -c "check pass" "$work/rank.0") == 4 &&
        $(grep -c pass "$work/p$count.csv") == 4 && ! -e $work/meet ]]; then
        pass "$count processes"
    else
        fail "$count processes" "exit statuses $found" "$(cat "$work"/rank.*)"
    fi
done
FAKE_CUDA=slow start 3 --size 40 --rounds 1000 --variant panels
for ((i = 0; i < 100; i++)); do grep -q 'devices' "$work/rank.0" && break; sleep 0.1; done
sleep 0.3
kill -9 "${pids[1]}" 2>/dev/null
from=$SECONDS
statuses
took=$((SECONDS - from))
if [[ $found == '1 137 1' && $took -le 5 &&
    $(grep -c 'ended before its work was done' "$work/rank.0") == 1 &&
    $(grep -c 'ended before its work was done' "$work/rank.2") == 1 ]]; then
    pass 'a killed rank ends the others within seconds'
else
    fail 'a killed rank ends the others within seconds' "exit statuses $found after $took s" \
        "$(cat "$work"/rank.*)"
fi
