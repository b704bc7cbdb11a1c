#!/usr/bin/env bash
# Hostile environments: full disks, devices and directories in place of files, closed streams,
# concurrent writers, wrong arguments. Every program prints one clear line, ends with the right
# status and damages no file.
source "$(dirname "$0")/tap.sh"
unset OMP_NUM_THREADS # with fewer cores the programs would refuse some runs as too long
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
ladder=build/ladder sass=build/sass simrun=build/simrun
naive=build/cubin/sm_90/01_naive/coalesced.cubin
tiled=build/cubin/sm_90/02_shared_tiling/tile16.cubin

# into FILE COMMAND...: runs the command with FILE as standard output.
# without_stdout COMMAND...: runs the command with a closed standard output.
into() { "${@:2}" >"$1"; }
without_stdout() { "$@" >&-; }
# naive OPTION...: runs step 01's kernel at 8 x 8 x 8 on the simulator.
naive() {
    $simrun $naive --entry sgemm_naive --grid 1 --block 32 --arg i32:8 --arg i32:8 \
        --arg i32:8 --arg f32:1 \
        --arg 'f32[64]:random:1' --arg i32:8 --arg 'f32[64]:random:2' --arg i32:8 \
        --arg f32:0 "${last[@]}" "$@"
}
last=(--arg 'f32[64]:zero' --arg i32:8)

# --- a full device, a closed stream
lost='standard output could not be written'
for command in "$ladder --list" "$ladder --help" 'build/00_machine --list' "$sass --help" \
    "$sass dis $naive" "$sass lint $tiled" \
    "$sass reuse $tiled -o $work/t.cubin" "$simrun --help" 'naive --per-line' 'naive --counters -' \
    'naive --counters /dev/stdout' "$ladder --backend sim --step 01 --size 8" \
    "$ladder --backend sim --step 01 --size 8 --check only" \
    'build/cubin_rules --table' "build/order_fit --report docs/results/h200/order.csv"; do
    read -ra words <<<"$command"
    one_line_is "full device: $command" 1 "$lost" into /dev/full "${words[@]}"
    one_line_is "closed output: $command" 1 "$lost" without_stdout "${words[@]}"
done
without_stdout naive --counters "$work/c.csv" 2>"$work/said" &&
    [[ $(head -n 1 "$work/c.csv") == counter,value ]]
verdict $? 'a closed output that nothing is written to is no failure' "$(cat "$work/said")"
# The CSV, the next file that is opened, must not get the descriptor of the closed stream.
$ladder --backend sim --step 01 --variant last --size 8 --csv "$work/closed.csv" >&- 2>/dev/null
[[ $(head -c 5 "$work/closed.csv") == time, && $(wc -l <"$work/closed.csv") == 2 ]]
verdict $? 'a closed output does not end up in the CSV' "$(cat "$work/closed.csv")"

# --- a path that is not a regular file is refused before any work; existing files stay
mkfifo "$work/fifo"
mkdir "$work/folder"
ln -s nowhere "$work/dangling"
ln -s loop "$work/loop"
targets=(/dev/full /dev/null "$work/fifo" "$work/folder" "$work/dangling" "$work/loop" "$naive/x"
    "$work/none/x" '')
saxpy=sasskit/tests/assembler/saxpy.sass
device=$(ls -l /dev/full)
for target in "${targets[@]}"; do
    one_line_is "sass asm -o '$target'" 2 'sass:' timeout 20 $sass asm $saxpy -o "$target"
    one_line_is "sass reuse -o '$target'" 2 'sass:' timeout 20 $sass reuse $tiled -o "$target"
    one_line_is "simrun --counters '$target'" 2 'simrun:' naive --counters "$target"
    one_line_is "simrun --picture-file '$target'" 2 'simrun:' naive --picture 0 \
        --picture-file "$target"
    [[ ! $target ]] || last=(--arg "f32[64]:zero=out:$target" --arg i32:8)
    [[ ! $target ]] || one_line_is "simrun =out:$target" 2 'simrun:' naive
    last=(--arg 'f32[64]:zero' --arg i32:8)
    [[ $target == "$work/dangling" || ! $target ]] || # --csv creates the file that a link names
        one_line_is "ladder --csv '$target'" 2 "$target" timeout 20 $ladder --backend sim \
            --step 01 --size 8 --csv "$target"
done
[[ $(ls -l /dev/full) == "$device" && -c /dev/null ]]
verdict $? 'devices are what they were'
[[ $(ls -A "$work/folder") == '' ]] && pass 'nothing is left in the folder' ||
    fail 'nothing is left in the folder' "$(ls -A "$work/folder")"

# full COMMAND...: runs the command with files limited to 512 bytes, like a disk that fills up.
full() { (ulimit -f 1; "$@"); }
$sass dis $tiled >"$work/tiled.sass"
for command in "$sass asm $work/tiled.sass --into $tiled -o $work/old" \
    "$sass reuse $tiled -o $work/old" "naive --counters $work/old"; do
    echo 'the old file' >"$work/old"
    before=$(ls -A "$work")
    read -ra words <<<"$command"
    case_is "full disk: ${words[0]} ${words[1]}" 2 "$work/old: cannot be written: File too large" \
        full "${words[@]}"
    [[ $(cat "$work/old") == 'the old file' && $(ls -A "$work") == "$before" ]] &&
        pass 'the old file is whole, nothing beside it' ||
        fail 'the old file is whole, nothing beside it' "$(ls -lA "$work")"
done

# --- several processes create one file at the same time
for round in 1 2 3; do
    for writer in 1 2 3 4; do
        $ladder --backend sim --step 01 --size 8,9,10 --csv "$work/many-$round.csv" \
            --counters "$work/counts-$round.csv" >/dev/null 2>&1 &
    done
done
wait
whole=yes
for round in 1 2 3; do
    [[ $(grep -c ^time, "$work/many-$round.csv") == 1 &&
        $(grep -c ^time, "$work/counts-$round.csv") == 1 ]] || whole=
    [[ $(wc -l <"$work/many-$round.csv") == 25 ]] || whole=
    [[ $(awk -F, '{ print NF }' "$work/many-$round.csv" "$work/counts-$round.csv" | sort -u |
        wc -l) == 2 ]] || whole=
done
[[ $whole ]] && pass 'four first writers: one header, whole rows' ||
    fail 'four first writers: one header, whole rows' "$(wc -l "$work"/many-*.csv)" \
        "$(cut -c1-60 "$work/many-1.csv")"

# --- wrong arguments
one_line_is 'simrun without words' 2 'expected' $simrun
one_line_is 'too few --arg' 2 'has 11 parameters' $simrun $naive --entry sgemm_naive \
    --grid 1 --block 32
one_line_is 'too many --arg' 2 'has 11 parameters' naive --arg i32:8
for wrong in i32:1e5 i32:99999999999 u32:-1 i64: f32:abc f32:1e39 f64:1e999 f16:1 'f32[64]' \
    'f32[-1]:zero' 'f32[64]:one' \
    'f32[99999999999999999999]:zero' 'f32[64]:random:' 'f32[64]:random:99999999999999999999999' \
    'f32[64]:zero=out:' ''; do
    last=(--arg "$wrong" --arg i32:8)
    one_line_is "--arg '$wrong'" 2 '--arg' naive
done
last=(--arg 'f32[64]:file:/' --arg i32:8)
one_line_is 'a directory as input' 2 'Is a directory' naive
last=(--arg 'f32[16000000000]:zero' --arg i32:8)
with_16_gb() { (ulimit -v 16000000; "$@"); }
one_line_is 'more than the host has' 2 'not enough host memory' with_16_gb naive
last=(--arg i32:5 --arg i32:8)
one_line_is 'an int for a pointer' 2 'has 4 bytes' naive
last=(--arg 'f32[64]:zero' --arg i32:8)
case_is 'too many threads in a block' 2 '1025 x 1 x 1' naive --block 1025
case_is 'a block too deep' 2 '1 x 1 x 65' naive --block 1,1,65
one_line_is '--cycles past 64 bits' 2 '--cycles' naive --time --cycles 99999999999999999999,5
case_is 'too many blocks' 2 '1 x 70000 x 1' naive --grid 1,70000
one_line_is 'too many host threads' 2 'expected 1 to 1024' naive --threads 100000
case_is 'too much shared memory' 2 'bytes of shared memory' naive --shared 1000000
one_line_is 'a picture of nothing' 2 'nothing to draw' naive --picture 0
one_line_is 'a picture beyond the kernel' 2 'nothing to draw' naive --picture fffff0 \
    --picture-file "$work/none.csv"
[[ ! -e $work/none.csv ]]
verdict $? 'a picture beyond the kernel leaves no file'
for define in 1X=3 TILE TILE= TILE=4q =4 TILE=99999999999999999999; do
    one_line_is "-D $define" 2 '-D' $sass asm sasskit/tests/assembler/language.sass -D "$define" \
        -o "$work/x.cubin"
done
one_line_is 'sass without words' 2 'expected' $sass
one_line_is 'sass dis -o' 2 '-o goes with asm, reuse and tune only' $sass dis $naive -o "$work/x"
one_line_is 'sass asm --kernel' 2 '--kernel goes with' $sass asm $saxpy -o "$work/x" --kernel a

# --- a kernel in which the simulator finds a fault
# A folder with step 02's program and wrong kernels: a race in the first variant, a bad address in
# the others.
nvcc=$(tools/nvcc.sh)
flags() {
    build/cubin_rules --table | awk -F'\t' -v variant="$1" \
        '$1 == "02_shared_tiling" && $2 == variant { print $5 }'
}
mkdir -p "$work/wrong/cubin/sm_90/02_shared_tiling"
cp build/02_shared_tiling "$work/wrong/"
sed '/__syncthreads/d' steps/02_shared_tiling/kernel.cu >"$work/race.cu"
sed 's/\(C\[[^]]*\)\]/\1 + 100000000]/' steps/02_shared_tiling/kernel.cu >"$work/address.cu"
built=yes
read -ra names <<<"$($work/wrong/02_shared_tiling --list | awk '$1 ~ /^tile/ { printf "%s ", $1 }')"
for name in "${names[@]}"; do
    source=$work/address.cu; [[ $name == "${names[0]}" ]] && source=$work/race.cu
    # shellcheck disable=SC2046 # several words
    "$nvcc" -cubin -arch=sm_90 -lineinfo $(flags "$name") \
        -o "$work/wrong/cubin/sm_90/02_shared_tiling/$name.cubin" "$source" 2>/dev/null || built=
done
if [[ ! $built ]]; then
    skip 'a reported kernel' 'no nvcc'
else
    wrong() { timeout 60 "$work/wrong/02_shared_tiling" --backend sim --size 64 "$@"; }
    case_is 'a race makes the row FAILED (race)' 1 'FAILED (race)' wrong --csv "$work/wrong.csv" \
        --counters "$work/wrong-counts.csv"
    case_is 'a bad address makes it FAILED (address)' 1 'FAILED (address)' wrong --variant last
    wide=$(wrong 2>&1 | awk 'length > 100')
    [[ ! $wide ]]
    verdict $? 'no line has more than 100 columns' "$wide"
    case_is 'they are counted' 1 ' checks failed' wrong
    case_is 'a race is reported with --check off' 1 'FAILED (race)' wrong --check off
    wrong --check only 2>/dev/null |
        awk '$1 == "02_shared_tiling" && $4 >= 1 && $4 == $3 { n++ }
            END { exit n != '${#names[@]}' }' &&
        pass 'the summary counts them' ||
        fail 'the summary counts them' "$(wrong --check only 2>&1)"
    failed=$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        $at["check"] == "fail"' "$work/wrong.csv" | wc -l)
    [[ $failed == "${#names[@]}" ]]
    verdict $? 'the CSV says fail' "$(cat "$work/wrong.csv")"
    [[ ! -e $work/wrong-counts.csv ]]
    verdict $? 'what was cut short is not counted'
fi

# --- a long simulation
one_line_of() {
    "$@" 2>&1 | grep -v '^counted on the simulator'
    return "${PIPESTATUS[0]}"
}
one_line_is 'a long simulation wants --force' 2 '--time predicts, --size 512 takes' one_line_of \
    timeout 60 build/01_naive --backend sim --size 4096
long=$(build/01_naive --backend sim --size 4096 2>&1 >/dev/null)
longest=$(printf '%s\n' steps/* |
    awk '{ sub("steps/", ""); if (length > n) n = length } END { print n }')
[[ $long && ${#long} -le $((100 - longest + 8)) ]]
verdict $? 'its message fits 100 columns behind every name' "$long"
one_line_is 'many small ones too' 2 '--force counts' one_line_of timeout 60 $ladder --backend sim \
    --step 01 --variant last \
    --size 512 --pad 0,1,2,3 --alpha 1,2,3,4,5,6,7,8,9,10,11,12 --beta 0,1,2,3,4,5,6,7,8,9,10,11
case_is 'a long simulation with --force is announced' 130 'note: this takes about' env \
    OMP_NUM_THREADS=1 \
    timeout --preserve-status -k 60 -s INT 3 build/01_naive --backend sim --size 4096 --force

# --- kernels that are older than their source, and counters without a GPU
# In a folder laid out like the project, the program reports old kernels. make would rebuild them.
mkdir -p "$work/tree/build/cubin/sm_90/02_shared_tiling" "$work/tree/steps/02_shared_tiling"
cp build/02_shared_tiling "$work/tree/build/"
cp build/cubin/sm_90/02_shared_tiling/*.cubin "$work/tree/build/cubin/sm_90/02_shared_tiling/"
old() { timeout 60 "$work/tree/build/02_shared_tiling" --backend sim --size 16 --check off 2>&1; }
old | grep -q kernel.cu && fail 'without a source there is no note' "$(old)" ||
    pass 'without a source there is no note'
cp steps/02_shared_tiling/kernel.cu "$work/tree/steps/02_shared_tiling/"
touch -d '+1 minute' "$work/tree/steps/02_shared_tiling/kernel.cu"
case_is 'a note names the source that is newer than its cubin' 0 \
    'steps/02_shared_tiling/kernel.cu' old
touch -r "$work/tree/steps/02_shared_tiling/kernel.cu" \
    "$work"/tree/build/cubin/sm_90/02_shared_tiling/*.cubin
old | grep -q kernel.cu && fail 'no note if the cubin is as old as its source' "$(old)" ||
    pass 'no note if the cubin is as old as its source'
said=$(make -n -W steps/02_shared_tiling/kernel.cu build/02_shared_tiling 2>&1)
[[ $said == *02_shared_tiling/tile32.cubin* ]]
verdict $? 'making a program makes its kernels' "$said"
if compgen -G '/dev/nvidia[0-9]*' >/dev/null || [[ -e /dev/dxg ]]; then
    skip 'make profile without a GPU' 'there is a GPU'
else
    case_is 'profile.sh without a GPU counts on the simulator' 0 'shared memory' env \
        COUNTERS="$work/p/c.csv" tools/profile.sh 02 64
    [[ $(head -n 1 "$work/p/c.csv") == time,commit,backend,step,* ]]
    verdict $? 'profile.sh without a GPU keeps the counters'
fi

# The table's figures are those that the charts and lessons derive from the same counters
# (tools/views.sql).
if needs "the table's figures are the views'" python3; then
    mkdir "$work/q"
    row=$($ladder --backend sim --check off --wide --step 07 --variant last --size 64 \
        --counters "$work/q/counters.csv" | tail -n 1)
    asked=$(tools/query.py --plain \
        "select printf('%.3f %.0f %.1f %.2f', max(iif(name = 'wavefronts_per_ffma', value, 0)),
        max(iif(name = 'instructions', value, 0)), max(iif(name = 'ffma_share', value, 0)),
        max(iif(name = 'sectors_per_load', value, 0))) from figure" "$work/q")
    read -ra words <<<"$row"
    [[ "${words[*]:3:4}" == "$asked" ]]
    verdict $? "the table's figures are the views'" "$row" "$asked"
fi
