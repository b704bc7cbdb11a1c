#!/usr/bin/env bash
# Checks the fixed latencies on which the assembler, lint and the hand-written kernels rely. Runs
# each pair of a producer and a consumer of tools/latency/pairs.txt at distances of 1 to 14 cycles,
# which are stall counts in machine code. The least distance at which the consumer always reads the
# new value must not be larger than the one that lint requires.
#
#     tools/doctor.sh [--backend sim] [--arch sm_NN] [PRODUCER...]
#
# `make doctor [BACKEND=sim] [ARCH=sm_86]` calls this.
# Exit status: 0 all latencies hold, 1 one does not or a program failed, 2 wrong usage, 77 no GPU.
set -euo pipefail
export LC_ALL=C
cd "$(dirname "$0")/.."
source tools/put.sh
backend=gpu arch=
while [[ ${1:-} == --* ]]; do
    case $1 in
        --backend) backend=${2:-} ;;
        --arch) arch=${2:-} ;;
        *) die "$1: expected --backend gpu or sim, --arch sm_NN, or producers of tools/latency/pairs.txt" 2 ;;
    esac
    shift 2 || die 'a value is missing' 2
done
command -v python3 >/dev/null || die 'needs python3, which is not on PATH: tools/setup.sh run installs it' 1
[[ $backend == gpu || $backend == sim ]] || die "--backend $backend: expected gpu or sim" 2
wanted="${*:-IADD3 LOP3 MOV SEL SHF LEA VIMNMX IMAD IMAD_WIDE FADD FMUL FFMA CS2R ISETP FSETP UMOV UIADD3 ULOP3 UIMAD ULDC}"
gpurun=${GPURUN:-build/gpurun}
if [[ $backend == gpu ]]; then
    found=$({ nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null || true; } | sed -n 's/^\([0-9]*\)\.\([0-9]\) *$/sm_\1\2/p' | head -n 1)
    [[ ${found#sm_} -ge 75 && -x $gpurun ]] || die 'needs a GPU of sm_75 or later, its driver, and CUDA when this was built; `make doctor BACKEND=sim` tries it on the simulator' 77
    arch=${arch:-$found}
fi
arch=${arch:-sm_90}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Selects the pairs. Leaves out instructions that the chip lacks, and those that signal their
# completion by a scoreboard.
chip=${arch#sm_}
awk -F'|' -v wanted=" $wanted " -v chip="$chip" '
    chip < 90 { sub(/\|VIMNMX R/, "|IMNMX R") }
    chip >= 120 { sub(/\|VIMNMX R/, "|VIMNMX.S32 R") }
    chip < 90 && $4 ~ /^(VIADD|R2UR)$/ || chip != 90 && $4 ~ /^HFMA2_MMA$/ || chip == 75 && $4 ~ /REDUX/ || chip < 86 && $4 ~ /I2FP/ { next }
    chip != 90 && chip != 80 && chip != 100 && $4 ~ /^(guard_)?D(ADD|MUL|FMA|SETP)/ { next }
    chip >= 100 && $4 ~ /ULDC/ { next } # LDCU there, which sets a scoreboard
    /^consumer/ || index(wanted, " " $4 " ") { print; n += /^producer/ }
    END { exit !n }' tools/latency/pairs.txt >"$work/pairs" || die "$wanted: no such producer in tools/latency/pairs.txt" 2
# Replaces names of instructions by the chip's.
for_chip() {
    if ((chip >= 100)); then sed 's/ULDC/LDCU/'; elif ((chip < 80)); then
        sed -E '/c\[descriptor\]/d; s/desc\[UR4\]\[(R[0-9]+)\.64/[\1/; s/\b(LDG|STG)\.E /\1.E.SYS /'
    else cat; fi
}
parts=$(($(wc -w <<<"$wanted") / 4 + 1)) # files of fewer than 2^17 lines
for ((part = 0; part < parts; part++)); do
    python3 tools/latency/kernels.py pairs "$work/pairs" $parts $part | for_chip >"$work/$part.sass"
    [[ -s $work/$part.sass ]] || continue
    build/sass asm "$work/$part.sass" --arch "$arch" --no-lint -o "$work/$part.cubin" >"$work/said" 2>&1 || die "$(head -n 1 "$work/said")"
    # Lines: kernel, least distance by lint.
    { build/sass lint "$work/$part.cubin" || true; } |
        awk '/read too soon/ { split($1, name, "+"); n[name[1]]++ } / hazards$/ { sub(/:$/, "", $1); print $1, n[$1] + 1 }' >"$work/names"
    cat "$work/names" >>"$work/asked"
    while read -r name _; do
        arguments="--grid 1 --block 32 --arg i32[1440]:zero=out:$work/out --arg i32[1024]:random:1 --arg i32[1024]:zero --arg i32:1088"
        if [[ $backend == gpu ]]; then
            printf '%s\t%s\t%s\n' "$work/$part.cubin" "$name" "$arguments"
        else # shellcheck disable=SC2086
            rm -f "$work/findings" # of JSON lines (sasskit/docs/json.md)
            build/simrun "$work/$part.cubin" --entry "$name" --reports=99 --json="$work/findings" $arguments >"$work/said" 2>&1 || true
            [[ -s $work/findings ]] || die "the probe $name: $(head -n 1 "$work/said")"
            if other=$(grep '"severity": "error"' "$work/findings" | grep -vm 1 '"kind": "hazard"'); then die "the probe $name: $other"; fi
            echo "$name $(($(grep -c '"kind": "hazard"' "$work/findings" || true) + 1))" >>"$work/measured"
        fi
    done <"$work/names" >>"$work/list"
done
if [[ $backend == gpu ]]; then
    "$gpurun" "$work/list" || die 'the probes do not run'
    # A kernel makes 3 rounds of 15 tries: without the producer, then at 1 to 14 cycles. The first
    # round fills the caches. If the try without the producer gives the final value, the kernel
    # cannot tell, and the least distance is 0.
    od -An -tx4 -w128 -v "$work/out" | awk -v asked="$work/asked" '
        { round = int((NR - 1) / 15) % 3; try = (NR - 1) % 15; value[round, try] = $0 }
        NR % 45 == 0 {
            getline line <asked; split(line, word, " "); least = 1
            for (r = 1; r < 3; r++) for (d = 1; d < 14; d++) if (value[r, d] != value[r, 14] && d >= least) least = d + 1
            print word[1], value[2, 0] == value[2, 14] ? 0 : least
        }' >"$work/measured"
fi
status=0
paste -d' ' "$work/asked" "$work/measured" | awk -v what="$arch, $backend" '
    { pairs++; split($1, name, "__") }
    $4 == 0 { blind++; next }
    $4 > $2 { late++; printf "%s, read by %s: there after %d cycles, lint asks for %d\n", name[1], name[2], $4, $2 }
    $4 < $2 { early++ }
    END {
        printf "%s: %d pairs of producer and reader, %d say nothing; %d hold, %d of them with cycles to spare; %d do not hold\n", what, pairs, blind, pairs - blind - late, early, late
        if (late) print "code by hand may compute wrongly here, which the check before each timing shows; the kernels in CUDA do not rely on this"
        exit late > 0
    }' || status=$?
if [[ $status == 0 && $backend == gpu && ! ${1:-} ]]; then
    nvidia-smi --query-gpu=name,driver_version --format=csv,noheader | head -n 1 >"build/doctor.$arch"
    echo "build/doctor.$arch is written: --untried runs machine code that was never run on a chip of this kind"
fi
exit $status
