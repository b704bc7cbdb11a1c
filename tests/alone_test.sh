#!/usr/bin/env bash
# steps/01_naive/alone.cu compiles with the command in its first comment, and computes the right
# product on the simulator. The commands that `build/ladder --list --commands` prints for four
# variants make the same machine code as the Makefile.
source "$(dirname "$0")/tap.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
source=steps/01_naive/alone.cu

# Runs the command of alone.cu's first comment with this machine's nvcc and another output file.
command=$(sed -n 's,^//  *\(nvcc .*\) && .*,\1,p' $source)
command=${command/#nvcc/\"\$NVCC\" $(tools/nvcc.sh flags "$NVCC")}
case_is 'alone.cu compiles by its own command' 0 '' bash -c "${command/-o alone/-o $work/alone}"
lines=$(grep -vcE '^ *(//|$)' $source)
((lines <= 70))
verdict $? 'alone.cu has at most 70 lines of code' "$lines"

# Compiles the kernels of SOURCE to $work/kernels.cubin.
kernels_of() { # SOURCE
    # shellcheck disable=SC2046 # a list
    "$NVCC" $(tools/nvcc.sh flags "$NVCC") -O3 -arch=sm_90 -cubin -o "$work/kernels.cubin" "$1"
}
# Links alone.cu with tests/fake_cudart.c, a CUDA runtime that runs those kernels on the simulator.
on_simulator() {
    local objects
    objects=$(find build/obj/common/backend build/obj/sasskit -name '*.o' ! -path '*/programs/*' ! \
        -path '*/tune/*' ! -path '*/tests/*' | while read -r object; do
        file=${object#build/obj/} file=${file%.o}
        [[ ! -e ${file%.v[34]}.c ]] || echo "$object"
    done)
    # shellcheck disable=SC2046,SC2086 # lists
    kernels_of $source && "$NVCC" $(tools/nvcc.sh flags "$NVCC") -O3 -arch=sm_90 -cudart none \
        -o "$work/simulated" $source "$work/runtime.o" $objects -ldl -lm -lgomp
}
${CC:-cc} -std=c11 -D_GNU_SOURCE -O1 -Icommon -Isasskit -c -o "$work/runtime.o" tests/fake_cudart.c
simulated() { ALONE_CUBIN=$work/kernels.cubin "$work/simulated" "$@"; }
if on_simulator >"$work/said" 2>&1; then
    case_is 'whole tiles' 0 ': right' simulated 64
    case_is 'a tile that reaches beyond C' 0 ': right' simulated 33
    case_is 'one element' 0 ': right' simulated 1
    one_line_is 'a size that is no number' 2 'expected a size' simulated none
else
    fail 'alone.cu links with the simulator' "$(tail -n 5 "$work/said")"
fi
sed '/acc +=/s/n + col/n + row/' $source >"$work/wrong.cu"
if kernels_of "$work/wrong.cu" >"$work/said" 2>&1; then
    case_is 'a wrong kernel is found' 1 'WRONG' simulated 64
else
    fail 'the wrong kernel compiles' "$(tail -n 5 "$work/said")"
fi
sed 's/= acc;/= row + col ? acc : NAN;/' $source >"$work/nan.cu"
if kernels_of "$work/nan.cu" >"$work/said" 2>&1; then
    case_is 'a NaN is found, though finite elements follow' 1 'largest error inf' simulated 64
else
    fail 'the kernel with a NaN compiles' "$(tail -n 5 "$work/said")"
fi

# made STEP VARIANT: runs the variant's printed commands; passes if their cubin has the same machine
# code as the one in build/cubin.
made() {
    local name="the commands of $1/$2"
    build/ladder --list --commands | awk -v step="$1" -v variant="$2" '
        /^[^ ]/ { here = $1 == step; on = 0 } /^    [^ ]/ { on = here && $1 == variant }
        /^        [^ ]/ && on' |
        sed "s, -o , -o $work/,; s,reuse ,reuse $work/,; s,^ *nvcc,\"\$NVCC\" $(tools/nvcc.sh \
            flags "$NVCC")," >"$work/commands"
    if [[ ! -s $work/commands ]] || ! bash -e "$work/commands" >"$work/said" 2>&1; then
        fail "$name" "$(cat "$work/commands")" "$(tail -n 3 "$work/said")"
        return
    fi
    code() { build/sass dis "$1" | grep -v '^//'; }
    cmp -s <(code "$work/$2.cubin") <(code "build/cubin/sm_90/$1/$2.cubin")
    verdict $? "$name" 'other machine code than in build/cubin'
}
if [[ -s build/cubin/sm_90/07_z_order/z_order.cubin ]]; then
    made 07_z_order z_order
    made 09_reuse_sass flags
    made 09_reuse_sass hand_16x12
    made 13_tensor_cores ring
fi
