#!/usr/bin/env bash
# Kernels for every architecture from sm_75 to sm_120 that this nvcc knows.
# Hand-written kernels assemble without a hazard and are right on the simulator.
# Every other kernel compiles without a warning. In steps 01 to 08 it is then tested further:
#  - its disassembly assembles to the same file, and with nvcc 13.0 is nvdisasm 13.1's text
#    (arch_texts.txt has the checksums);
#  - lint finds nothing, the simulator's results are right, and the model predicts a time if it has
#    a machine of that architecture;
#  - `sass reuse` rewrites it (steps 03 to 08, sm_80 to sm_89).
# `make test` draws two kernels. `make test-all` takes the last variant of each step for each
# architecture. VARIANTS=all (`make test-arch`) takes all variants and also compares the tables of
# docs/your_chip.md and docs/notes/chips.md; that takes an hour on two slow cores.
source "$(dirname "$0")/tap.sh"
known=$("$NVCC" --list-gpu-code)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp build/ladder "$work"
texts=
! of_13_0 "NVIDIA's text of other architectures" || texts=compared

# does ARCH NAME WHAT COMMAND...: prints the command's line of TAP and records it for the table.
# Returns 77 if the chip cannot run the kernel: it has too little shared memory.
does() {
    local said status=0
    said=$("${@:4}" 2>&1) || status=$?
    if [[ $status == 0 ]]; then
        pass "$2: $3 for $1"
        echo "$1 $3" >>"$work/well"
    elif [[ $status == 77 ]]; then
        skip "$2: $3 for $1" "$(tail -n 1 <<<"$said")"
        return 77
    else
        fail "$2: $3 for $1" "$(head -5 <<<"$said")"
    fi
}
text_is_whole() {
    build/sass dis "$2" >"$2.sass" || return
    [[ ! $texts ]] || grep -qxF "$1 $(awk -f sasskit/tests/corpus/normalise.awk "$2.sass" | cksum |
        sed 's/ .*//')" tests/arch_texts.txt
}
runs() {
    "$work/ladder" --backend sim --arch "$1" --step "$2" --variant "$3" --size 40 --check only
}
by_hand() { # shellcheck disable=SC2086
    build/sass asm "$6" --arch "$1" $4 -o "$5" && build/sass lint "$5" || return
    [[ $2 == 15_* ]] || runs "$1" "$2" "$3" # a composed variant needs other steps' cubins, too
}
export machine_sm_75=t4 machine_sm_120=rtx-5090 machine_sm_80=a100 machine_sm_86=rtx-3090 \
    machine_sm_89=rtx-4090 machine_sm_90=h200
has_time() {
    "$work/ladder" --backend sim --time --check off --machine "$1" --step "$2" \
        --variant "$3" --size 256
}
text_goes_back() { build/sass asm "$1.sass" --into "$1" -o "$1.again" && cmp "$1" "$1.again"; }

# compile ARCH STEP VARIANT FLAGS CAPABILITY SOURCE: runs every check of one compiled kernel.
compile() {
    local name="$2/$3" said code=${1#sm_} to=$work/cubin/$1/$2/$3.cubin
    if [[ $5 == *a ]]; then
        [[ $code == "${5%a}" ]] || return 0
        code=$5
    elif [[ $5 == *d && $code != [89]0 ]] || ((code < ${5%d})); then
        return 0
    fi
    mkdir -p "${to%/*}"
    if [[ $6 == *.sass ]]; then
        [[ $5 != 90 || $code == 90 ]] || return 0 # a kernel of capability 90 runs on sm_90 only
        does "$1" "$name" hand by_hand "$1" "$2" "$3" "$4" "$to" "$6" || return 0
        echo "$1 hands" >>"$work/well"
        return
    fi
    # shellcheck disable=SC2086
    if ! said=$("$NVCC" -O3 -std=c++17 -cubin -gencode=arch=compute_$code,code=sm_$code $4 \
        -o "$to" "$6" 2>&1) || [[ $said ]]; then
        fail "$name: compiles for $1" "$said"
        return
    fi
    pass "$name: compiles for $1"
    [[ $2 == 0[1-8]_* ]] || return 0
    echo "$1 kernels" >>"$work/well"
    does "$1" "$name" text text_is_whole "$1 $name" "$to"
    does "$1" "$name" lint build/sass lint "$to"
    does "$1" "$name" assembles text_goes_back "$to"
    does "$1" "$name" runs runs "$1" "$2" "$3"
    local on=machine_$1
    [[ ! ${!on:-} ]] || does "$1" "$name" times has_time "${!on}" "$2" "$3"
    [[ "$1 $2" != sm_8?\ 0[3-8]_* ]] || does "$1" "$name" rewritten rewritten "$1" "$2" "$3" "$to"
}
rewritten() { # Tests the rewritten kernel, then restores nvcc's cubin, which the model needs below.
    local status=0
    mv "$4" "$4.compiled"
    build/sass reuse "$4.compiled" -o "$4" && runs "$1" "$2" "$3" || status=$?
    mv "$4.compiled" "$4"
    return $status
}
export -f compile pass fail skip does rewritten text_is_whole text_goes_back runs by_hand has_time
export work NVCC texts

archs=(sm_75 sm_80 sm_86 sm_89 sm_90 sm_100 sm_103 sm_120)
chosen=$(build/cubin_rules --table | awk -F'\t' '$4 != "rewritten"')
[[ ${VARIANTS:-}${EXHAUSTIVE:-} ]] || chosen=$(grep -P '^0[1-8]|\tassembled\t' <<<"$chosen")
if [[ ${VARIANTS:-last} != all ]]; then
    chosen=$(awk -F'\t' '{ last[$1] = $0 } END { for (s in last) print last[s] }' <<<"$chosen" |
        sort)
fi
for arch in "${archs[@]}"; do
    if grep -qx "$arch" <<<"$known"; then
        awk -v arch="$arch" '{ print arch "\t" $0 }' <<<"$chosen"
    else
        skip "kernels compile for $arch" 'this toolkit does not know it' >&2
    fi
done | if [[ ${VARIANTS:-} == all ]]; then cat; else draw 2 arch; fi |
    awk -F'\t' '{ printf "%s%c%s%c%s%c%s%c%s%c%s%c", $1, 0, $2, 0, $3, 0, $6, 0, $7, 0, $8, 0 }' |
    xargs -0 -r -n 6 -P "$(nproc)" bash -c 'compile "$@"' compile

[[ ${VARIANTS:-} == all ]] || exit 0
# The table has a row per chip and a column per check: "all" if every kernel passed, otherwise how
# many did.
awk -v archs="${archs[*]}" '
    { n[$1, $2]++ }
    function part(some, all) { return !all ? "no" : some == all ? "all" : some + 0 " of " all }
    function cell(arch, what) { return part(n[arch, what], n[arch, "kernels"]) }
    END {
        print "| kernels of 01 to 08 for | text | lint | assemble | run | predicted times |" \
            " kernels by hand: lint and run |"
        print "| --- | --- | --- | --- | --- | --- | --- |"
        for (i = 1; i <= split(archs, a, " "); i++) {
            times = "no"
            if (n[a[i], "times"]) times = cell(a[i], "times") (a[i] == "sm_90" ? "" : "†")
            print "| " a[i] " | " cell(a[i], "text") " | " cell(a[i], "lint") " | " \
                cell(a[i], "assembles") " | " cell(a[i], "runs") " | " times " | " \
                part(n[a[i], "hand"], n[a[i], "hands"]) " |"
        }
    }' "$work/well" >"$work/table"
# The model's prediction for the last variant of each step, on machines that were never measured.
for machine in a100 a6000 rtx-3090 rtx-4090; do
    "$work/ladder" --backend sim --time --machine $machine --step 01-09 --variant last --size 2048 \
        --check off --csv "$work/$machine.csv" >"$work/said" 2>&1 ||
        fail "the ladder of the $machine" "$(tail -n 3 "$work/said")"
done
awk -F, 'FNR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; files++; next }
    { step = $at["step"]
      if (!(step in row)) name[++n] = step
      row[step] = row[step] sprintf(" %.*f |", $at["tflops"] < 10, $at["tflops"]) }
    END { print "| TFLOP/s at N = 2048† | A100 | A6000 | RTX 3090 | RTX 4090 |"
        print "| --- | ---: | ---: | ---: | ---: |"
        for (i = 1; i <= n; i++) print "| " name[i] " |" row[name[i]] }' \
    "$work"/{a100,a6000,rtx-3090,rtx-4090}.csv >"$work/ladders"
# The table of machine code has a row per variant and a column per chip. A cell has three counts:
# instructions with nvdisasm's text, hazards that lint finds, and checks passed on the simulator.
# nvdisasm is $NVDISASM, the one on PATH, or the one of the Python package nvidia-cuda-nvdisasm.
nvdisasm=${NVDISASM:-$(command -v nvdisasm || python3 -c 'import glob, sysconfig
print((glob.glob(sysconfig.get_paths()["purelib"] + "/nvidia/*/bin/nvdisasm") + [""])[0])')}
[[ -x $nvdisasm ]] || fail 'NVIDIA'"'"'s disassembler' \
    'no nvdisasm: pip install nvidia-cuda-nvdisasm, or NVDISASM=PROGRAM'
theirs() {
    "$nvdisasm" -c "$1" 2>&1 | sed -n 's,^ */\*[0-9a-f]*\*/ *,,p' |
        sed 's, */\*.*,,; s,`([^)]*),`(),g; s,  *, ,g; s, *;$,,'
}
ours() {
    build/sass dis "$1" | grep -E '^..:.:.:.:.[: ]' |
        sed -E 's/^[^ ]+ +//; s,`\([^)]*\),`(),g; s, *//.*,,; s,  *, ,g; s, *;$,,'
}
cell() { # ARCH STEP VARIANT HOW FLAGS SOURCE
    local to=$work/cubin/$1/$2/$3.cubin same all found passes checks=-
    mkdir -p "${to%/*}"
    if [[ $6 == *.sass ]]; then
        # shellcheck disable=SC2086
        build/sass asm "$6" --arch "$1" $5 -o "$to" >/dev/null 2>&1 || { echo no; return; }
    else
        mkdir -p "$work/flags"
        passes=$(build/cubin_rules "$work" "$1" | sed -n "s,.*/$2/$3.cubin: PASSES := ,,p" |
            head -n 1)
        # shellcheck disable=SC2086
        "$NVCC" -O3 -std=c++17 -cubin -arch="$1" $5 -o "$to" "$6" &&
            build/sass reuse "$to" --passes "$passes" -o "$to.new" >/dev/null 2>&1 &&
            mv "$to.new" "$to" || {
            echo no
            return
        }
    fi
    all=$(ours "$to" | wc -l)
    same=$((all - $(diff <(theirs "$to") <(ours "$to") | grep -c '^>')))
    found=$(build/sass lint "$to" | sed -n 's/.*: \([0-9]*\) hazards.*/\1/p' | head -n 1)
    [[ $2 == 15_* ]] || checks=$(runs "$1" "$2" "$3" 2>/dev/null |
        awk -v v="$3" '$2 == v { print $3 - $4 " of " $3 }')
    [[ $checks ]] || {
        echo no
        return
    } # the chip has too little shared memory
    [[ $same == "$all" && $found == 0 && ($checks == - ||
        ${checks% of *} == "${checks#* of }") ]] ||
        fail "machine code: $2/$3 for $1" "$same of $all, $found hazards, $checks"
    echo "$same, $found, ${checks% of *}"
}
machine_code() {
    local line arch
    echo "| text, hazards, checks | $(echo sm_{75,80,86,89,90,100,120} | sed 's/ / | /g') |"
    echo '| --- | --- | --- | --- | --- | --- | --- | --- |'
    build/cubin_rules --table | awk -F'\t' '$1 ~ /^09/ && $4 == "rewritten" || $4 == "assembled"' |
        tr '\t' '|' |
        while IFS='|' read -r step variant _ how flags _ source; do
            line="| ${step%%_*} $variant"
            for arch in sm_{75,80,86,89,90,100,120}; do
                line+=" | $(cell $arch "$step" "$variant" "$how" "$flags" "$source")"
            done
            echo "$line |"
        done
}
is_documented() { # TABLE WHAT
    local said
    sed 's/^/# /' "$1"
    said=$(diff <(awk -v head="$(head -n 1 "$1")" \
        '$0 == head { on = 1 } on && !/^[|]/ { exit } on' \
        docs/your_chip.md docs/notes/chips.md) "$1")
    verdict $? "$2" "$said"
}
machine_code >"$work/machine_code"
is_documented "$work/machine_code" 'machine code'
is_documented "$work/table" 'the table'
is_documented "$work/ladders" 'the predicted ladders'
