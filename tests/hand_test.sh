#!/usr/bin/env bash
# Step 09's hand-written kernels assemble without a hazard and take the cycles that the lesson
# states. lint.csv and strip.csv describe the loops of the built kernels. On the simulator, results
# are right where several blocks share a tile along K, and where rows are 2^25 elements apart.
# `make doctor` confirms lint's distances on the simulator, and reports those that a GPU violates.
source "$(dirname "$0")/tap.sh"
results=docs/results/h200 source=steps/09_reuse_sass/hand.sass
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# hand NAME FFMA MOST OPTION...: assembles hand.sass with the OPTIONs. Passes if the inner loop has
# FFMA (a number) multiply-adds and takes fewer than MOST issue cycles for each of them.
hand() {
    local name=$1 ffma=$2 most=$3 said loop
    shift 3
    case_is "$name assembles" 0 '' build/sass asm $source -o "$work/$name.cubin" "$@"
    said=$(build/sass lint "$work/$name.cubin" 2>&1)
    [[ $said == *': 0 hazards'* ]]
    verdict $? "$name has no hazard" "$said"
    read -r -a loop <<<"$(tools/lint.py --loop <<<"$said")"
    if awk -v f="${loop[4]:-0}" -v c="${loop[6]:-9}" -v idle="${loop[8]:-9}" \
        -v ffma="$ffma" -v most="$most" \
        'BEGIN { exit !(f == ffma && c > 1 && c < most && idle == 0) }'; then
        pass "$name: $ffma FFMA in the loop, ${loop[6]} cycles each"
    else
        fail "$name: $ffma FFMA in the loop, below $most cycles each, no idle flag" "$said"
    fi
}
hand hand_16x8 1024 1.09 -D TN=8 -D WARPS_N=4
hand hand_16x8_row 1024 1.09 -D TN=8 -D WARPS_N=1 -D LANES_M=1
hand hand_16x12 1536 1.07 -D TN=12 -D WARPS_N=2
case_is 'a tile that fits no stage' 1 'a stage has 0x4000 bytes' build/sass asm $source \
    -o "$work/none.cubin" -D TN=12 -D WARPS_N=4

# current FILE FIRST: passes if FILE, as tools/lint.py wrote it, equals the recorded FILE from
# column FIRST on.
current() {
    local said
    said=$(diff <(cut -d, -f"$2-" "$results/$1") <(cut -d, -f"$2-" "$work/$1"))
    verdict $? "$1 is that of the built kernels" \
        'run tools/lint.py, plots/draw.py docs/results/h200 and make docs' "$said"
}
if [[ ! -d build/cubin/sm_90 ]]; then
    skip 'lint.csv and strip.csv' 'built for another ARCH'
elif of_13_0 'lint.csv and strip.csv'; then
    case_is 'tools/lint.py' 0 lint.csv tools/lint.py "$work"
    current lint.csv 2 # column 1 is the commit
    current strip.csv 1
fi
case_is 'tools/lint.py without a folder' 2 "no folder '$work/none'" tools/lint.py "$work/none"
mkdir "$work/charts"
cp "$results/lint.csv" "$results/strip.csv" "$work/charts/"
if needs 'charts from these two files' python3 gnuplot; then
    case_is 'charts from these two files' 0 strip-hand_16x12.svg plots/draw.py "$work/charts"
fi

# C has more tiles than the GPU has SMs, so that blocks share the last tiles along K. K is 8 (one
# tile), 17, 24 or 65. --digest keeps the program from also running the trials.
case_is 'the tail is shared out' 0 hand_16x12 build/09_reuse_sass --backend sim --check only \
    --variant hand_16x8,hand_16x8_row,hand_16x12 \
    $(printf '%s\n' 1537x3073x17 3073x2305x24 2048x3200x8 4097x1601x65 | draw 1 hand |
        sed 's/^/--shape /') \
    --digest "$work/digests.csv" --alpha -1 \
    --beta "$(printf '%s\n' 0 0.5 | draw 1 beta | paste -sd,)"
case_is 'rows 2^25 elements apart' 0 hand_16x12 build/09_reuse_sass --backend sim --check only \
    --digest "$work/digests.csv" --variant hand_16x12 --shape 1x33554433x1

case_is 'the latencies, by the simulator' 0 ' hold, 0 of them with cycles to spare; 0 do not hold' \
    tools/doctor.py --backend sim --arch "$(printf '%s\n' sm_80 sm_86 sm_89 sm_90 |
        draw 1 doctor)" "$(printf '%s\n' LOP3 IMAD_WIDE FFMA CS2R | draw 1 producer)"
# The doctor would find no fault on an H200: no distance that the H200 needed exceeds the one that
# lint requires. The doctor tries every pair of instruction kinds that the hand-written kernels
# place at most two cycles further apart than required.
case_is 'what an H200 showed is what the doctor asks for; the kernels rely on nothing else' 0 \
    'all hold; not tried: none' python3 - "$work" <<'END'
import csv, glob, os, subprocess, sys
sys.dont_write_bytecode = True
sys.path.insert(0, 'tools')
import doctor
probes = doctor.prepare('sm_90', doctor.PRODUCERS, True, sys.argv[1])
rows = lambda name: csv.DictReader(open(f'docs/results/h200/{name}.csv'))
seen = {('overwrites', row['pair']): int(row['cycles'] or 0) for row in rows('overwrites')}
seen |= {('pairs', f'{row["producer"]}__{row["consumer"]}'): int(row['cycles'] or 0)
         for row in rows('latency')}
for row in rows('sources'):
    at = ('sources', row['instruction'])
    seen[at] = max(seen.get(at, 0), int(row['cycles']) + 1 if int(row['wrong']) else 0)
told = [one for one in probes
        if len(one.refused) + 1 < len(one.distances) and (one.kind, one.name) in seen]
bad = [one.name for one in told if seen[one.kind, one.name] > one.least(len(one.refused))]
# Yields (producer kind, reader kind) of dependences at most `near` cycles longer than required.
def kinds(cubins, near):
    for cubin in cubins:
        for row in csv.DictReader(doctor.output('build/sass', 'distances', cubin).splitlines()):
            if int(row['asked']) > 0 and int(row['least']) <= int(row['asked']) + near:
                yield row['from'], row['to']
tried = set(kinds({one.cubin for one in probes if one.kind == 'pairs'}, 0))
hands = [f'build/cubin/sm_90/{name}.cubin'
         for name in ('09_reuse_sass/hand*', '10_block_order/stream*', '10_block_order/whole*',
                      '12_maxas/*swirl*', '12_maxas/rows')]
missing = set(kinds([path for name in hands for path in glob.glob(name)], 2)) - tried
print(len(told), 'of', len(probes), 'recorded', 'all hold' if told and not bad else bad, end='; ')
print('not tried:', missing or 'none')
END

# Two fake GPUs of sm_86. The first keeps the latencies of the rules. The second (ILL) violates
# four: IADD3's result arrives only after six cycles, the upper word of IMAD.WIDE after seven, the
# reuse cache survives a yield, and an STS reads its uniform register late.
mkdir "$work/bin"
printf '#!/bin/sh\necho 8.6\n' >"$work/bin/nvidia-smi"
cat >"$work/bin/gpurun" <<'END'
#!/bin/sh
out=$(sed -n '1s/.*=out:\([^ ]*\) .*/\1/p; 1s/.*=out:\([^ ]*\)$/\1/p' "$1" | head -n 1)
cut -f2,3 "$1" | ILL=${ILL:-} perl -ne '
    ($name, $count) = /^(\S+).*?i32\[(\d+)\]/;
    $late = $ENV{ILL} ? $name =~ /^IADD3__IADD3$/ ? 6 : $name =~ /^upper__WIDE__FADD$/ ? 7 : 1 : 1;
    if ($count == 13) {
        $wrong = $ENV{ILL} && $name eq "uniform_STS" ? 3 : 0;
        print pack "L<13", (5) x $wrong, (0) x 13 }
    elsif ($count == 256) { print pack "L<256", (0, 960 * 32 * ($name =~ /8$/ ? 1.9 : 1.02)) x 128 }
    elsif ($count == 1440) { for $round (1 .. 3) {
        for $d (0 .. 14) { print pack "L<32", ($d && $d >= $late) x 32 } } }
    else { $lanes = $count / 23; for $d (0 .. 22) {
        $value = $name =~ /^reuse.*(.)$/ ? $d && ($1 eq "N" || $ENV{ILL}) : $d && $d >= $late;
        print pack "L<$lanes", ($value) x $lanes } }' >"$out"
END
chmod +x "$work/bin/nvidia-smi" "$work/bin/gpurun"
case_is 'the latencies of a GPU, one of which does not hold' 1 \
    'IADD3, read by IADD3: right after 6 cycles, lint asks for 4' \
    env PATH="$work/bin:$PATH" GPURUN="$work/bin/gpurun" ILL=1 tools/doctor.py IADD3
rm -f build/doctor.sm_86
case_is 'a GPU on which all holds' 0 'build/doctor.sm_86 is written' env PATH="$work/bin:$PATH" \
    GPURUN="$work/bin/gpurun" tools/doctor.py
case_is 'its stamp' 0 '8.6' cat build/doctor.sm_86
rm -f build/doctor.sm_86
ILL=1 PATH="$work/bin:$PATH" GPURUN="$work/bin/gpurun" tools/doctor.py >"$work/ill" 2>&1 &&
    fail 'a GPU on which four rules do not hold' || pass 'a GPU on which four rules do not hold'
for line in 'IADD3, read by IADD3: right after 6 cycles, lint asks for 4' \
    'upper__WIDE__FADD: right after 7 cycles, lint asks for 4' \
    'reuse__MOV__Y: never right, lint asks for 1' \
    'uniform_STS, overwritten: right after 4 cycles, lint asks for 1' 'bc_8 1.88 (1.88)'; do
    case_is "it says: $line" 0 "$line" cat "$work/ill"
done
if [[ -e build/doctor.sm_86 ]]; then
    fail 'there is no stamp then'
else
    pass 'there is no stamp then'
fi
one_line_is 'the latencies of no GPU' 77 'needs a GPU of sm_75 or later' env \
    PATH="$work/bin:$PATH" GPURUN="$work/none" tools/doctor.py
