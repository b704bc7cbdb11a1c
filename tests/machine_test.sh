#!/usr/bin/env bash
# Step 00 executes the instructions that each probe measures. It leaves a probe out if the probe's
# machine code lacks them. It derives correct figures from cycles.
source "$(dirname "$0")/tap.sh"
machine=build/00_machine
fake() { LD_LIBRARY_PATH=$PWD/build/fake FAKE_CUDA=$1 "${@:2}"; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

if [[ ! -s build/cubin/sm_90/00_machine/probes.cubin ]]; then
    skip 'step 00' 'built for another ARCH'
    exit 0
fi
case_is 'help ends well' 0 'Usage: 00_machine' $machine --help
case_is 'list names probes' 0 'FP32 FMA' $machine --list
one_line_is 'unknown group' 2 '--group nine' $machine --group nine
one_line_is 'unknown backend' 2 'expected auto, gpu, sim or model' $machine --backend nine
one_line_is 'unwritable CSV' 2 'cannot be written' $machine --csv /nonexistent/a.csv
echo 'what,value' >"$work/foreign.csv"
one_line_is 'foreign CSV' 2 'is not the header' $machine --csv "$work/foreign.csv"
one_line_is 'the ladder leaves it out' 2 'build/00_machine' build/ladder --step 00

# value FILE WHAT VARIANT UNIT: prints the value of that row.
value() {
    awk -F, -v what="$2" -v variant="$3" -v unit="$4" \
        '$7 == what && $8 == variant && $10 == unit { print $9 }' "$1"
}
# lies NAME FILE WHAT VARIANT UNIT LOW HIGH: passes if the row's value is between LOW and HIGH.
lies() {
    local found
    found=$(value "$2" "$3" "$4" "$5")
    awk -v x="$found" -v low="$6" -v high="$7" \
        'BEGIN { exit !(x != "" && x + 0 >= low && x + 0 <= high) }'
    verdict $? "$1" "$3 $4: '$found' $5, expected $6 to $7"
}
case_is 'the bank patterns execute' 0 ', 0 failed' $machine --backend sim --group banks \
    --csv "$work/banks.csv"
# Cycles per FFMA by rule 1 of steps/00_machine/banks.md, within 0.01; at 1 the loop adds up to 2 %.
rule() { lies "banks: $1" "$work/banks.csv" 'FFMA operands' "$1" 'cycles by rule' "$2" "$3"; }
rule 'all even' 2.99 3.01
rule 'two even and one odd' 1.99 2.01
rule 'A repeated without flag' 1.99 2.01
rule 'A kept; B and C in one bank' 1.99 2.01
rule 'A kept; B and C in two banks' 1 1.02
rule 'A and B kept' 1 1.02
rule '8x8 tile' 1 1.02
rule '8x8 tile without flags' 1.99 2.01
rule "8x8 tile; C in B's bank" 1.87 1.89
rule "8x8 tile; C in B's bank; even columns first" 1.87 1.89
rule '8x8 tile; B and C all even' 1.93 1.95

# Counts on the simulator. The compiler decides how often a loop repeats an instruction, so they are
# those of CUDA 13.0.
of_13_0 'the probes' || exit 0
case_is 'every probe executes its loop' 0 ', 0 failed' $machine --backend sim --csv "$work/sim.csv"
instructions() {
    lies "instructions: $1 $2" "$work/sim.csv" "$1" "$2" instructions/result "$3" "$4"
}
instructions 'FP32 FMA' '' 1 1.1
instructions 'divide floats' 'x / y' 8 14
instructions 'divide floats' '__fdividef' 3 7
instructions 'sine' 'sinf near 1' 15 40
instructions 'sine' 'sinf near 200000' 100 400
instructions 'branch' 'lanes differ' 2 2.3
instructions 'branch' 'warps differ' 1 1.3

# Machine code that lacks its probe's work: NOPs replace the FADDs of one loop and one MUFU of
# another.
mkdir -p "$work/cubin/sm_90"
cp -r build/cubin/sm_90/00_machine "$work/cubin/sm_90/"
cp $machine "$work/"
build/sass dis $PWD/build/cubin/sm_90/00_machine/probes.cubin | awk '
    /^\.kernel/ { kernel = $2; mufu = 0 }
    kernel == "probe_fp32_add" && / FADD / || kernel == "probe_rcp" && / MUFU/ && !mufu++ {
        print substr($0, 1, index($0, " ")) " NOP ;"; next }
    { print }' >"$work/lost.sass"
build/sass asm "$work/lost.sass" --into "$work/cubin/sm_90/00_machine/probes.cubin"
said=$("$work/00_machine" --backend sim --group throughput 2>&1)
status=$?
[[ $status == 0 && $said =~ probe_fp32_add[^$'\n']*\ 0\ FADD[^$'\n']*\ 128 &&
    $said =~ probe_rcp[^$'\n']*\ 127\ MUFU\.RCP[^$'\n']*\ 128 &&
    $said == *', 0 failed, 2 left out'* ]]
verdict $? 'a probe without its work is left out' "exit status $status" "$said"

# Figures measured on the fake driver, whose GPU has two SMs and reports 1000 cycles per round.
case_is 'a GPU is measured' 0 ', 0 failed' fake none $machine --csv "$work/gpu.csv"
case_is 'a second measurement is appended to the file' 0 'FFMA operands' fake none $machine \
    --group banks --csv "$work/gpu.csv"
measured() { lies "worked out: $1 $2" "$work/gpu.csv" "$1" "$2" "$3" "$4" "$5"; }
measured 'FP32 add' '' results/clk/SM 131.07 131.08   # 1024 threads, each 128 FADDs; 1000 cycles
measured 'half2 add' '' results/clk/SM 262.14 262.15
measured 'DFMA' '' cycles 15.62 15.63                 # 64 dependent DFMAs; 1000 cycles
measured 'L2' '' cycles 31.25 31.25
measured '__syncthreads' '256 threads' cycles 62.5 62.5
measured 'shared memory' '128-bit loads' bytes/clk/SM 262.14 262.15
lines=$(grep -c '^time,' "$work/gpu.csv") columns=$(awk -F, '{ print NF }' "$work/gpu.csv" |
    sort -u)
[[ $lines == 1 && $columns == 15 ]]
verdict $? 'one header, every line whole' "$lines" "$columns"
case_is 'a kernel that faults' 1 'CUDA_ERROR_LAUNCH_FAILED' fake fault $machine --group banks
case_is 'no device memory' 1 'CUDA_ERROR_OUT_OF_MEMORY' fake oom $machine --group banks

# The readers of machine.csv: the bounds (with half the nominal DRAM rate), the figures in a page,
# the charts.
{
    echo time,commit,backend,step,variant,m,n,k,counter,value
    for counter in smsp__inst_executed.sum,100 sim__bound_fma_pipe.cycles,60 \
        sim__bound_dram.cycles,40 sim__bound.tflops,30; do
        echo "t,c,sim,01_naive,coalesced,8,8,8,$counter"
    done
} >"$work/counters.csv"
mkdir -p "$work/without" "$work/with" "$work/tree/docs/results"
cp "$work/counters.csv" "$work/without/"
cp "$work/counters.csv" "$work/with/"
head -1 "$work/gpu.csv" >"$work/with/machine.csv"
echo 't,c,gpu,d,d,ceiling,DRAM,read,2400,GB/s,4800,s,8 LDG,0,1980' >>"$work/with/machine.csv"
echo 't,c,sim,d,d,ceiling,DRAM,read,5,instructions/result,,,8 LDG,0,' >>"$work/with/machine.csv"
if needs 'what reads machine.csv' python3; then
    bounds() {
        tools/query.py --plain "select line from bounds_text where n = '8'" "$1" | tail -n 1
    }
    # The counters above state a bound of 30 TFLOP/s at 60 cycles. FMA pipe: the H200 executed 124.5
    # FFMAs per cycle and SM, not 128, so 60 cycles become 61.7. DRAM: at half the nominal rate 40
    # cycles become 80.
    case_is 'bounds without measured ceilings take those of the H200' 0 'FMA pipe           29.2' \
        bounds "$work/without"
    case_is 'bounds with a measured ceiling' 0 'DRAM               22.5' bounds "$work/with"
    cp -r tools "$work/tree/"
    cp -r docs/results/h200 "$work/tree/docs/results/"
    echo 'Up to <!-- value: machine ceiling DRAM read -->?<!-- end --> GB/s.' \
        >"$work/tree/README.md"
    case_is 'a figure in the text' 0 'README.md' env RESULTS="$work/with" "$work/tree/tools/docs.py"
    case_is 'is that of the folder' 0 '-->2400<!-- end -->' cat "$work/tree/README.md"
fi
mkdir "$work/drawn"
cp "$work/gpu.csv" "$work/drawn/machine.csv"
if needs 'its charts' python3 gnuplot; then
    case_is 'its charts' 0 'machine-advice.svg' plots/draw.py "$work/drawn"
fi

# Values predicted by the model: the difference of launches with different numbers of rounds gives
# back the model's own parameters.
case_is 'the model predicts probes' 0 ', 0 failed' $machine --backend model --group banks \
    --csv "$work/model.csv"
lies 'predicted: all even' "$work/model.csv" 'FFMA operands' 'all even' cycles 2.99 3.01
lies 'predicted: A and B kept' "$work/model.csv" 'FFMA operands' 'A and B kept' cycles 1 1.03
