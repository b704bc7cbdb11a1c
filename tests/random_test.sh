#!/usr/bin/env bash
# Kernels are right on random problems, and a failure prints the options that repeat its problem.
source "$(dirname "$0")/tap.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# all_pass WHAT PROGRAM OPTION...: passes if every check of the program passes on the simulator.
all_pass() {
    local what=$1
    shift
    if nice timeout 300 "$@" --backend sim >"$work/out" 2>&1; then
        pass "$what: $(awk '$1 ~ /^([0-9][0-9]_|shapes$)/ { checks += $3 } END { print checks }' \
            "$work/out") checks"
    else
        fail "$what" "$(grep -v '^simulator' "$work/out" | head -20)"
    fi
}

if [[ ! -s build/cubin/sm_90/02_shared_tiling/tile16.cubin ]]; then
    skip 'random problems' 'built for another ARCH'
    exit
fi
many=10 few=3 # `make test` draws other problems each day
if [[ ${EXHAUSTIVE:-} ]]; then many=40 few=16; fi
all_pass "what the rules choose, on $many random problems" build/shapes --random $many \
    --seed "$seed" --variant dispatch
all_pass "step 13 on $few random problems" build/13_tensor_cores --random $few --seed "$seed" \
    --variant promoted,mended,safe
# Each of these runs one problem alone (--digest leaves out the trials). The factors alpha are
# numbers that FP32 cannot represent. With K = 1, a reference that does not round them would differ;
# a longer sum would hide the difference.
all_pass 'factors are rounded' build/ladder --digest "$work/digests.csv" --step 01-10 --variant \
    last --check only --shape 2x224x1 --alpha 0.001 --beta 7 --inputs scaled --seed 2657656215
all_pass 'factors are rounded: alpha alone' build/ladder --digest "$work/digests.csv" --step 01-10 \
    --variant last --check only --shape 10x204x1 --alpha 0.001 --beta 1 \
    --inputs huge --seed 2801527805
all_pass 'a kernel that loses bits on exact inputs' build/13_tensor_cores --digest \
    "$work/digests.csv" --variant tf32 --check only --shape 59x17x134 --alpha -1 \
    --beta 1 --inputs exact

# beta_once PROGRAM VARIANTS OPTION...: passes if all VARIANTS have the errors of the first, which
# does not cut K, within 2 %. With the small alpha used here C is almost beta C, rounded once. A
# kernel that cuts K and adds its parts to C one by one would round once per part.
beta_once() {
    local program=$1 variants=$2 said
    shift 2
    rm -f "$work/errors.csv"
    said=$(nice "build/$program" --backend sim --variant "$variants" --check only --alpha 0.001 \
        --beta 0.9 --digest "$work/digests.csv" \
        --csv "$work/errors.csv" "$@" 2>&1) # --digest: without the trials
    if awk -F, -v want="$(tr , '\n' <<<"$variants" | wc -l)" \
        'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "error_rms") at = i; next }
            NR == 2 { first = $at } $at > 0 && $at < 1.02 * first { good++ }
            END { exit !(good == want) }' "$work/errors.csv"; then
        pass "beta C is rounded once: $variants"
    else
        fail "beta C is rounded once: $variants" "$said" "$(cut -d, -f7,33 "$work/errors.csv")"
    fi
}
beta_once ladder x_major,stream_16x8,whole_16x12,panel,64x128,thin,narrow,slim_20,flat \
    --step 10,shapes --shape 100x150x500
beta_once 09_reuse_sass flags,hand_16x12 --shape 3072x2304x16
beta_once 11_dgemm all,hand,hand_12x8 --shape 1536x2304x16

# A kernel that is wrong on some inputs only: step 01, changed to skip products with a tiny element
# of A.
mkdir -p "$work/cubin/sm_90/01_naive"
at='A[(size_t)row * lda + k]'
sed "s/k++) acc += A\[/k++) if (fabsf($at) > 1e-9f || $at == 0.0f) acc += A[/" \
    steps/01_naive/kernel.cu >"$work/kernel.cu"
if cmp -s "$work/kernel.cu" steps/01_naive/kernel.cu; then
    fail 'a wrong kernel is made' 'steps/01_naive/kernel.cu has another loop'
fi
"$NVCC" -cubin -arch=sm_90 -DROW_FASTEST=0 -o "$work/cubin/sm_90/01_naive/coalesced.cubin" \
    "$work/kernel.cu"
cp build/01_naive "$work/"
"$work/01_naive" --backend sim --random 30 --seed 3 --variant coalesced >"$work/out" 2>&1
status=$?
again=$(sed -n 's/.*problem [0-9]*: //p' "$work/out" | head -1)
if [[ $status == 1 && $again ]]; then
    pass 'a wrong kernel fails on a random problem'
    # shellcheck disable=SC2086 # options, one a word
    if "$work/01_naive" --backend sim --variant coalesced --check only \
        $again >"$work/again" 2>&1; then
        fail 'a wrong kernel fails again on the printed options' "$again" "$(head -5 "$work/again")"
    else
        pass "a wrong kernel fails again on the printed options"
    fi
else
    fail 'a wrong kernel fails on a random problem' "status $status" "$(head -5 "$work/out")"
fi
