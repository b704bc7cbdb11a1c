#!/usr/bin/env bash
# The simulator and `sass lint` must find nothing in the correct kernels of
# sasskit/tests/verdicts/clean. In the wrong kernels of verdicts/faults, the simulator's first
# finding must have the kind, cause and line in the kernel's `says:` comment. With `alone:` there
# must be no other finding. Kernels are CUDA C and machine code.
# Further builds of the same kernels are run as well:
#   - correct kernels without ptxas's optimisation: in `make test` some, in `make test-all` all;
#   - some correct and wrong kernels for a debugger (-G: no function is inlined), on three chips;
#   - one source of correct kernels, drawn, for sm_75.
# Last, the barriers of lesson 02's unrolled loop are removed, one at a time. The report must
# propose a barrier between the right lines.
source "$(dirname "$0")/../../tests/tap.sh"
needs_nvcc verdicts && needs verdicts python3 || exit 0
source sasskit/tests/verdicts/compile.sh
shopt -s extglob
here=build/verdicts
mkdir -p "$here"
rm -f "$here/clean_G.cubin"
export NVCC here

# judge_all SOURCE CUBIN: runs each kernel of SOURCE. Its first finding in simrun's JSON lines must
# be the one in its `says:` comment. To save time, one Python process reads all lines.
judge_all() {
    local name options says k expected work
    local -a names arguments saying statuses found words
    work=$(mktemp -d)
    while IFS=$'\t' read -r name options says; do
        [[ $2:$name != clean_G_120:cluster_multicast ]] || continue # its multicast calls the driver
        names+=("$name") arguments+=("$options") saying+=("${says/of 13.0: /}")
        if [[ ${says/of 13.0: /} != "$says" ]] && ! of_13_0 "$name is reported"; then
            unset 'names[-1]' 'arguments[-1]' 'saying[-1]'
        fi
    done < <(awk -f sasskit/tests/verdicts/list.awk "$1")
    for k in "${!names[@]}"; do
        read -ra words <<<"${arguments[k]}"
        statuses[k]=0
        timeout 120 build/simrun "$here/$2.cubin" --entry "${names[k]}" "${words[@]}" \
            --json="$work/$k.json" >"$work/$k.said" 2>&1 || statuses[k]=$?
        : >>"$work/$k.json"
    done
    [[ ${names[*]} ]] || return 0
    mapfile -t found < <(sasskit/tools/findings.py \
        --first $(printf "$work/%d.json " "${!names[@]}"))
    for k in "${!names[@]}"; do
        expected=0
        [[ ! ${saying[k]} || ${saying[k]} == warning\ * || ${saying[k]} == note\ * ]] || expected=1
        if [[ ${statuses[k]} != "$expected" ]]; then
            fail "${names[k]}" "exit status ${statuses[k]}, expected $expected" \
                "$(head -20 "$work/$k.said")"
        elif [[ ${found[k]} != "${saying[k]#alone }" ]]; then
            fail "${names[k]}" "expected: ${saying[k]:-nothing}" "found: ${found[k]}" \
                "$(head -20 "$work/$k.said")"
        elif [[ ${saying[k]} == alone\ * &&
            $(sasskit/tools/findings.py <"$work/$k.json" | wc -l) != 1 ]]; then
            fail "${names[k]}" 'expected no other finding' "$(cat "$work/$k.said")"
        else
            pass "${names[k]}: ${saying[k]:-nothing}"
        fi
    done
    rm -rf "$work"
}

one_cubin() { # CUBIN ARCH OPTIONS SOURCE...: compiles as compile.sh does, then lints
    local said
    if said=$(compile "$@" 2>&1); then
        lint "$1"
    # nvcc 13.5 cannot compile byte operations with -G.
    elif [[ $1 != clean_G ]] || of_13_0 'code for a debugger'; then
        fail "$1 compiles" "$said"
    fi
}

lint() { # CUBIN
    local said
    [[ $1 == clean* ]] || return 0
    said=$(build/sass lint "$here/$1.cubin" 2>&1)
    verdict $? "lint finds nothing in $1" "$said"
}
export -f pass fail skip verdict of_13_0 cubin together compile judge_all one_cubin lint

mapfile -t clean < <(clean_sources)
faults=(sasskit/tests/verdicts/faults/!(*_90a|*_G).cu)
debugged=(sasskit/tests/verdicts/clean/{programs,local,groups,styles,strangers}.cu)
on_80=(sasskit/tests/verdicts/clean/{local,divergence,groups}.cu)
on_120=("${on_80[@]}" sasskit/tests/verdicts/clean/clusters.cu)
faults_80=(sasskit/tests/verdicts/faults/{copies,races}.cu)
mapfile -t on_75 < <(printf 'sasskit/tests/verdicts/clean/%s.cu\n' arithmetic atomics barriers \
    blocks bytes flags grid local rings shared tutorials | draw 1 turing)
faults_G=(sasskit/tests/verdicts/faults/*_G.cu)
at_once() { xargs -0 -n 1 -P "$(nproc)" bash -c 'said=$(eval "$1"); echo "$said"' at_once; }
printf '%s\0' "one_cubin clean sm_90 '' ${clean[*]}" "one_cubin faults sm_90 '' ${faults[*]}" \
    "one_cubin clean_G sm_90 -G ${debugged[*]}" "one_cubin faults_G sm_90 -G ${faults_G[*]}" \
    "one_cubin clean_G_80 sm_80 -G ${on_80[*]}" "one_cubin clean_G_120 sm_120 -G ${on_120[*]}" \
    "one_cubin faults_G_80 sm_80 -G ${faults_G[*]}" \
    "one_cubin faults_G_120 sm_120 -G ${faults_G[*]}" \
    "one_cubin faults_80 sm_80 '' ${faults_80[*]}" "one_cubin clean_75_drawn sm_75 '' ${on_75[*]}" \
    "one_cubin warnings_80 sm_80 '' sasskit/tests/verdicts/clean/warnings.cu" \
    "one_cubin clean_90a sm_90a '' $(echo sasskit/tests/verdicts/clean/*_90a.cu)" \
    "one_cubin faults_90a sm_90a '' $(echo sasskit/tests/verdicts/faults/*_90a.cu)" | at_once
for set in clean clean_90a; do
    if said=$(cubin "$here/${set}_O0.cubin" -arch="sm_90${set:8}" -lineinfo -Xptxas -O0 \
        "$here/$set.ptx" 2>&1); then
        lint "${set}_O0"
    else
        fail "$set compiles without optimisation" "$said"
    fi
done
for source in sasskit/tests/verdicts/{clean,faults}/*.sass; do
    set=$(basename "$(dirname "$source")")_sass
    if said=$(build/sass asm "$source" --no-lint -o "$here/$set.cubin" 2>&1); then
        lint "$set"
    else
        fail "$source assembles" "$said"
    fi
done
{
    for source in sasskit/tests/verdicts/{clean,faults}/*.*; do
        printf '%s\0' "judge_all $source $(cubin_of "$source")"
    done
    printf '%s\n' sasskit/tests/verdicts/clean/!(warnings).cu | draw 6 verdicts |
        while read -r source; do
            printf '%s\0' "judge_all $source $(cubin_of "$source")_O0"
        done
    printf 'judge_all %s faults_80\0' "${faults_80[@]}"
    printf 'judge_all %s clean_75_drawn\0' "${on_75[@]}"
    for source in "${faults_G[@]}"; do
        printf 'judge_all %s faults_G_%s\0' "$source" 80 "$source" 120
    done
    printf 'judge_all sasskit/tests/verdicts/clean/warnings.cu warnings_80\0'
    printf 'judge_all %s clean_G_80\0' "${on_80[@]}"
    printf 'judge_all %s clean_G_120\0' "${on_120[@]}"
    [[ ! -e $here/clean_G.cubin ]] || printf 'judge_all %s clean_G\0' "${debugged[@]}"
} | at_once

mapfile -t right < <(printf '%s\n' sasskit/tests/verdicts/clean/!(warnings).cu |
    xargs -n 1 awk -f sasskit/tests/verdicts/list.awk)
warned=$(printf '%s\n' "${right[@]}" | cut -f 3 | grep -c '^warning')
((50 * warned <= ${#right[@]}))
verdict $? "$warned of ${#right[@]} right kernels have a warning: at most 2 %"

kernel=steps/02_shared_tiling/kernel.cu
mapfile -t lines < <(grep -nE 'Bs\[tile_row\]\[tile_col\] =|acc \+= As' $kernel | cut -d: -f1)
launch=(--grid 1,1 --block 1024 --arg i32:32 --arg i32:32 --arg i32:288 --arg f32:1
    --arg f32[9216]:random:1 --arg i32:288
    --arg f32[9216]:random:2 --arg i32:32 --arg f32:0 --arg f32[1024]:nan --arg i32:32)
if cubin "$here/tiling.cubin" -arch=sm_90 -lineinfo -DTILE=32 $kernel &&
    build/sass dis "$here/tiling.cubin" >"$here/tiling.sass"; then
    barriers=$(grep -c 'BAR\.SYNC' "$here/tiling.sass")
    for ((i = 1; i <= barriers; i++)); do
        awk -v out=$i '/BAR\.SYNC/ && ++n == out { sub(/BAR\.SYNC[^;]*/, "NOP ") } 1' \
            "$here/tiling.sass" >"$here/tiling_$i.sass"
        build/sass asm "$here/tiling_$i.sass" --into "$here/tiling.cubin" \
            -o "$here/tiling_$i.cubin" >"$here/tiling.said" 2>&1
        build/simrun "$here/tiling_$i.cubin" "${launch[@]}" --json="$here/tiling.json" \
            >>"$here/tiling.said" 2>&1
        said=$(grep -m 1 -o '"remedy": "[^"]*"' "$here/tiling.json" |
            grep -oE 'line [0-9]+' | tr '\n' ' ')
        # Barriers come in pairs: the first after the stores, the second at the end of the round.
        expected="line ${lines[1]} "
        ((i % 2 == 0)) || expected="line ${lines[0]} $expected"
        [[ $said == "$expected" ]]
        verdict $? "without barrier $i: line of the missing one" "expected $expected, found $said" \
            "$(head -20 "$here/tiling.said")"
    done
else
    fail 'lesson 02 compiles'
fi
