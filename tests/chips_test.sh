#!/usr/bin/env bash
# Each variant that fits runs on fake drivers with the limits of other chips than the H200.
# Hand-written code that was never run on such a chip requires --untried or the stamp of `make
# doctor`. A message names each variant that is left out, and why. The counts of variants are those
# in docs/setup.md.
# The cubins are those of sm_90 with another architecture in the ELF header: the fake driver reads
# only kernel names, architecture and shared memory from them and computes the product itself.
source "$(dirname "$0")/tap.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if [[ ! -d build/cubin/sm_90 ]]; then
    skip 'other chips' 'built for another ARCH'
    exit 0
fi
fakes=$PWD/build/fake
# on CHIP COMMAND...: runs the command on two fake GPUs of that chip.
on() { env LD_LIBRARY_PATH="$fakes" FAKE_CHIP="$1" FAKE_GPUS=2 "${@:2}"; }

# Makes a folder of programs with the kernels that `make ARCH=sm_NN` would build.
built_for() {
    local to=$work/sm_$1
    mkdir -p "$to"
    cp build/ladder build/00_machine build/14_several_gpus "$to"
    build/cubin_rules "$to" "sm_$1" | sed -n "s,^CUBINS += $to/cubin/sm_$1/,,p" >"$to/list"
    mkdir -p "$to/cubin/sm_$1"
    (cd build/cubin/sm_90 && xargs cp --parents -t "$to/cubin/sm_$1") <"$to/list"
    # e_flags of the ELF header, bits 8 to 15
    (cd "$to/cubin/sm_$1" &&
        xargs perl -e 'for (@ARGV) {
            open(F, "+<", $_) or die "$_: $!"; seek(F, 49, 0); print F chr('"$1"') }') <"$to/list"
}
for arch in 75 80 86 89 120; do built_for $arch; done
mkdir "$work/sm_90"
cp build/ladder build/00_machine build/14_several_gpus "$work/sm_90"
ln -s "$PWD/build/cubin" "$work/sm_90/cubin"

# stamp CHIP ARCH: writes the stamp that `make doctor` would leave for this chip.
stamp() {
    local found
    found=$(on "$1" "$work/sm_$2/ladder" --untried --backend gpu --step 01 --size 8 2>&1 |
        sed -n 's/.*expected the stamp of \(.*\), found .*/\1/p')
    echo "$found" >"$work/sm_$2/doctor.sm_$2"
}

# row CHIP TITLE ARCH: adds the chip's row to the table: how many of the variants and probes run,
# and whether two of these GPUs can share one problem.
row() {
    local programs=$work/sm_$3 csv=$work/$1.csv status=0 line last=
    stamp "$1" "$3"
    on "$1" "$programs/ladder" --untried --backend gpu --step 01-13,15,shapes --size 32 \
        --check off --rounds 1 --baseline off --csv "$csv" >"$work/$1.said" 2>&1 || status=$?
    on "$1" "$programs/00_machine" --backend gpu >"$work/$1.probes" 2>&1 || status=$?
    if [[ $status == 0 ]]; then
        pass "$2: what runs ends well"
    else
        fail "$2: what runs ends well" "status $status" "$(grep -v '^[0-9]' "$work/$1.said")" \
            "$(tail -n 3 "$work/$1.probes")"
    fi
    line="| $2 | $3 | $(tail -n 1 "$work/$1.probes" |
        sed -n 's/^\([0-9]*\) probes, 0 failed\(, \([0-9]*\) left out\)\{0,1\}$/\1 \3/p' |
        awk '{ print ($2 ? $1 " of " $1 + $2 : "all") }')"
    line+=$(build/ladder --list | awk -v csv="$csv" '
        BEGIN { while ((getline text < csv) > 0) { split(text, f, /,/); ran[f[6], f[7]] = 1 } }
        /^[0-9s]/ { step = $1; column = step ~ /^0[1-8]/ ? "01" : step }
        /^    [^ ]/ { if (!all[column]++) columns[++count] = column; have[column] += ran[step, $1] }
        END { for (i = 1; i <= count; i++) { c = columns[i];
        printf " | %s", have[c] == all[c] ? "all" : have[c] + 0 " of " all[c] } }')
    for _ in 15 shapes; do last="${line##* | } | $last" line=${line% | *}; done
    status=0
    on "$1" "$programs/14_several_gpus" --backend gpu --size 40 --variant panels \
        >"$work/$1.two" 2>&1 || status=$?
    echo "$line | $([[ $status == 0 ]] && echo yes || echo no) | ${last% }" >>"$work/table"
}

{
    echo '| GPU | sm_ | 00, probes | 01 to 08 | 09 | 10 | 11 | 12 | 13 | 14 | 15 | shapes |'
    echo '| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |'
} >"$work/table"
row t4 T4 75
row a100 A100 80
row 3090 'RTX 3090' 86
row 4090 'RTX 4090' 89
row h100 'H100, H200' 90
row 5090 'RTX 5090' 120
if of_13_0 "docs/setup.md's table of chips"; then
    said=$(diff <(sed -n '/^| GPU | sm_ |/,/^$/p' docs/setup.md | sed '$d') "$work/table")
    verdict $? "docs/setup.md's table of chips" "$said"
fi

# One line names each variant that is left out. `--variant last` is the last variant that this chip
# can run.
t4=("$work/sm_75/ladder" --backend gpu --check off --rounds 1 --size 8)
case_is 'CUDA code of another architecture' 77 \
    '13_tensor_cores/ring is left out: it is compiled for sm_90a, this device is sm_75' \
    on t4 "${t4[@]}" --step 13 --variant ring
case_is 'rewritten code' 77 '09_reuse_sass/flags is left out: ' \
    on t4 "${t4[@]}" --step 09 --variant flags
case_is 'too much shared memory' 0 '97.5 KB of shared memory, this device has 64.0 KB' \
    on t4 "${t4[@]}" --step 11
case_is 'last: a message names the last variant that runs' 0 'in its place runs compiled' \
    on t4 "${t4[@]}" --step 08,09 --variant last
case_is 'last: the last variant that runs is run' 0 $'\n09_reuse_sass    compiled ' on t4 \
    "${t4[@]}" --step 08,09 --variant last
case_is 'last: the last variant that fits in shared memory' 0 $'\n11_dgemm double_buffer ' on t4 \
    "${t4[@]}" --step 11 --variant last
case_is 'last: a variant that was named runs once' 0 '--untried
' on t4 "${t4[@]}" --step 09 --variant compiled,last
# Machine code that was never run on a chip of this kind requires the stamp of this GPU and this
# driver. Its rows are marked as untried.
case_is 'untried machine code runs with --untried and the stamp' 0 \
    $'\n09_reuse_sass hand_16x8_row ' on t4 "${t4[@]}" --untried --step 09 --variant hand_16x8_row \
    --csv "$work/marked.csv"
case_is 'untried machine code: its row is marked' 0 'hand_16x8_row' grep 'untried machine code' \
    "$work/marked.csv"
case_is 'machine code that the chip has no room for' 77 \
    'hand_16x12 is left out: it is machine code of sm_80 and later, this device is sm_75' \
    on t4 "${t4[@]}" --untried --step 09 --variant hand_16x12
echo 'another GPU, 1.0' >"$work/sm_75/doctor.sm_75"
case_is 'a stamp of another GPU' 2 'expected the stamp of' on t4 "${t4[@]}" --untried --step 09
rm "$work/sm_75/doctor.sm_75"
case_is 'untried machine code without a stamp' 2 'run `make doctor` on this GPU first' on t4 \
    "${t4[@]}" --untried --step 09
case_is 'sm_90 needs none' 0 $'\n09_reuse_sass hand_16x8_row ' on h100 "$work/sm_90/ladder" \
    --backend gpu --check off --rounds 1 --size 8 --step 09 --variant hand_16x8_row
case_is 'a kernel that does not end is named' 1 \
    'uncoalesced.cubin did not end on the GPU within 1 s' \
    env SGEMM_LIMIT=1 FAKE_CUDA=endless LD_LIBRARY_PATH="$fakes" "$work/sm_90/ladder" \
    --backend gpu --size 8 --step 01 --variant uncoalesced
case_is 'a probe that needs more shared memory' 0 '120 KB of shared memory, this device has 64 KB' \
    cat "$work/t4.probes"
case_is 'GPUs that differ' 2 'device 0 is sm_80 and device 1 is sm_75' \
    on a100,t4 "$work/sm_80/14_several_gpus" --backend gpu --size 40 --variant panels

# A kernel that does not load does not keep the others from running.
rm "$work/sm_75/cubin/sm_75/01_naive/uncoalesced.cubin"
cp build/cubin/sm_90/02_shared_tiling/tile16.cubin "$work/sm_75/cubin/sm_75/02_shared_tiling/"
case_is 'a kernel that was not built' 2 '01_naive/uncoalesced is not built for sm_75' on t4 \
    "${t4[@]}" --step 01,02
case_is 'a cubin that does not load' 2 'tile16.cubin): CUDA_ERROR_NO_BINARY_FOR_GPU' on t4 \
    "${t4[@]}" --step 01,02
case_is 'the others run' 2 $'\n02_shared_tiling tile32 ' on t4 "${t4[@]}" --step 01,02
case_is 'no kernels for this chip' 2 'no kernels for sm_86' on 3090 "${t4[@]}" --step 01

# The architectures to compile for come from nvidia-smi's list of GPUs, never from its error text.
mkdir "$work/bin"
cat >"$work/bin/nvidia-smi" <<'END'
#!/bin/sh
echo "$SMI"
END
printf '#!/bin/sh\nprintf "sm_%%s\\n" 75 80 86 87 90 100 120\n' >"$work/bin/nvcc"
chmod +x "$work/bin/nvidia-smi" "$work/bin/nvcc"
compiled_for() {
    one_line_is "kernels for ${1//$'\n'/ and }" 0 "$2" env PATH="$work/bin:$PATH" SMI="$1" \
        tools/arch.sh "$work/bin/nvcc"
}
compiled_for 8.6 'sm_86 sm_90'
compiled_for 8.9 'sm_87 sm_90'
compiled_for 12.1 'sm_120 sm_90'
compiled_for $'7.5\n8.0\n7.5' 'sm_75 sm_80 sm_90'
compiled_for "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver." sm_90
compiled_for '[N/A]' sm_90
case_is 'a GPU that nvcc no longer compiles for' 0 \
    'compiles nothing for the GPU here, sm_70: for one older than sm_75 take a toolkit of CUDA 12' \
    env PATH="$work/bin:$PATH" SMI=7.0 tools/arch.sh "$work/bin/nvcc"
one_line_is 'an ARCH that nvcc does not know' 2 'ARCH=sm_35: expected one or more of sm_' \
    make -s ARCH=sm_35
