#!/usr/bin/env bash
# sass and simrun must refuse text of other disassemblers and of older toolkits, files that are not
# cubins, and lines that make no sense. (These are: a write scoreboard on a result of fixed latency,
# an FP32 number given by its bits, an instruction that the chip lacks.) The message names the line
# and column. If it proposes another text, the assembler accepts that text.
source "$(dirname "$0")/../../tests/tap.sh"
needs foreign python3 || exit 0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# assembled TEXT [OPTION...]: assembles one line as a kernel. Sets `place` to LINE:COLUMN of the
# error, or to "none" without an error.
assembled() {
    printf '.kernel k\n.threads 32\n%s\n EXIT ;\n' "$1" >"$work/k.sass"
    build/sass asm "$work/k.sass" -o "$work/k.cubin" "${@:2}" --json="$work/lines" \
        >"$work/said" 2>&1
    place=$(python3 -c '
import json, sys
errors = [one for one in map(json.loads, open(sys.argv[1])) if one["type"] == "error"]
print(*["%d:%d" % (one["line"], one["column"]) for one in errors if one["kind"] == "syntax"]
      or ["no place" if errors else "none"])' "$work/lines")
}
# refused NAME COLUMN TEXT [PROPOSAL [OPTION...]]: TEXT must be refused at the column, and the
# message must contain PROPOSAL.
refused() {
    assembled "$3" "${@:5}"
    if [[ $place != "3:$2" ]]; then
        fail "$1" "expected an error at 3:$2, found $place" "$(cat "$work/said")"
    elif [[ ${4:-} ]] && ! grep -qF -- "$4" "$work/said"; then
        fail "$1: what to write" "expected: $4" "$(cat "$work/said")"
    else
        pass "$1"
    fi
}
accepted() { # NAME TEXT [OPTION...]
    assembled "$2" "${@:3}"
    [[ $place == none ]]
    verdict $? "$1" "$(cat "$work/said")"
}
accepted 'an instruction' ' IADD3 R1, R2, R3, RZ ;'
refused "nvdisasm's address" 9 '        /*0000*/                   MOV R1, c[0x0][0x28] ;'
refused "cuobjdump's words" 1 '/* 0x000fe40000000f00 */'
refused "cuobjdump's address and word" 9 \
    '        /*0010*/                   S2R R0, SR_TID.X ;   /* 0x0000000000007919 */'
refused "CuAssembler's control field" 1 \
    '[B0-----:R-:W2:Y:S01]         /*0010*/ S2R R0, SR_TID.X ;' '01:-:3:Y:1'
accepted "the field that is proposed" '01:-:3:Y:1  S2R R0, SR_TID.X ;'
refused "CuAssembler's, without a wait" 1 '[B------:R0:W-:-:S15] STS [R1], R2 ;' '--:1:-:-:f'
refused 'an address without descriptor' 12 ' LDG.E R5, [R22.64] ;' 'desc[UR4][R22.64]'
accepted 'with descriptor' ' LDG.E R5, desc[UR4][R22.64] ;'
refused 'a copy whose source lacks it' 17 ' LDGSTS.E [R2], [R4.64] ;' 'desc[UR4][R4.64]'
refused 'IMAD that moves' 23 ' IMAD R2, RZ, RZ, R3 ;' 'IMAD.MOV R2, RZ, RZ, R3'
accepted 'as it is named' ' IMAD.MOV R2, RZ, RZ, R3 ;'
refused 'IMAD that shifts' 24 ' IMAD R2, R3, 0x4, RZ ;' 'IMAD.SHL R2, R3, 0x4, RZ'
accepted 'as that is named' ' IMAD.SHL R2, R3, 0x4, RZ ;'
accepted 'IMAD that multiplies' ' IMAD R2, R3, 0x5, RZ ;'
refused 'a write scoreboard without a late result' 7 ' --:-:1:-:1  IADD3 R1, R2, R3, RZ ;'
accepted 'one with a late result' ' --:-:1:-:1  S2R R1, SR_TID.X ;' --no-lint
refused 'the bits of an FP32 number' 16 ' FADD R1, R2, 0x3f800000 ;' 'the bits of 1'
accepted 'the number' ' FADD R1, R2, 1 ;'
accepted 'bits for an integer' ' IADD3 R1, R2, 0x3f800000, RZ ;'
refused 'an instruction of a later chip' 2 ' FADD2 R2, R4, R6 ;' 'sm_100'
refused 'an instruction that an older chip lacks' 2 ' WARPGROUP.ARRIVE ;' 'sm_90' --arch sm_80

# not_a_cubin NAME FILE PROGRAM: all readers of cubins must refuse FILE with a message of one line.
# It names PROGRAM, which makes a cubin from such a file.
not_a_cubin() {
    local said got reader
    for reader in 'sass dis' 'sass lint' 'simrun --list'; do
        got=0
        said=$(build/${reader%% *} ${reader#* } "$2" 2>&1) || got=$?
        if [[ $got == 0 || $(wc -l <<<"$said") != 1 || $said != *"$3"* ]]; then
            fail "$1: $reader" "exit status $got, expected one line with $3" "$said"
            return
        fi
    done
    pass "$1"
}
printf '.kernel k\n.threads 32\n EXIT ;\n' >"$work/text.sass"
printf '__global__ void k() {}\n' >"$work/k.cu"
printf '.version 9.0\n.target sm_90\n.address_size 64\n.visible .entry k() { ret; }\n' \
    >"$work/k.ptx"
printf 'int k(void) { return 0; }\n' | "${CC:-cc}" -x c -c -o "$work/host.o" - &&
    ar rc "$work/libk.a" "$work/host.o"
printf 'hello\n' >"$work/hello.txt"
: >"$work/empty.cubin"
one_line_is 'text of the assembler for simrun' 2 'sass asm' build/simrun "$work/text.sass" \
    --list # the message names the reader of sources
not_a_cubin "CUDA source" "$work/k.cu" 'nvcc'
not_a_cubin "PTX" "$work/k.ptx" 'ptxas'
not_a_cubin "an object file" "$work/host.o" 'cuobjdump'
not_a_cubin "a library" "$work/libk.a" 'cuobjdump'
not_a_cubin "any text" "$work/hello.txt" 'nvcc'
not_a_cubin "an empty file" "$work/empty.cubin" 'nvcc'

needs_nvcc 'text of sass dis, fatbins' || exit 0
"$NVCC" -arch=sm_90 -fatbin -o "$work/k.fatbin" "$work/k.cu" &&
    not_a_cubin 'a fatbin' "$work/k.fatbin" 'cuobjdump'

# The output of `sass dis` lacks the kernel's parameters and shared memory, so `sass asm` refuses it
# as a whole source. `sass asm --into` puts it back into its cubin, which stays unchanged. With the
# missing directives added, it is a source for a kernel that computes the same.
cat >"$work/turn.cu" <<'CUDA'
extern "C" __global__ void turn(const float *in, float *out) {
    __shared__ float s[64];
    s[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = s[63 - threadIdx.x];
}
CUDA
"$NVCC" -arch=sm_90 -cubin -o "$work/turn.cubin" "$work/turn.cu" || exit 1
build/sass dis "$work/turn.cubin" >"$work/turn.sass"
build/sass asm "$work/turn.sass" -o "$work/whole.cubin" --json="$work/lines" >"$work/said" 2>&1
[[ $? == 1 && ! -e $work/whole.cubin ]] &&
    grep -q '"kind": "syntax".*"line": 2,' "$work/lines"
verdict $? "the text of dis as a whole file is refused" "$(cat "$work/said")"
build/sass asm "$work/turn.sass" --into "$work/turn.cubin" -o "$work/again.cubin" >"$work/said" 2>&1
cmp -s "$work/turn.cubin" "$work/again.cubin"
verdict $? 'put back it gives the same cubin' "$(cat "$work/said")"
sed '/^\.kernel/a .threads 64\n.shared 256\n.param ptr in, ptr out' "$work/turn.sass" \
    >"$work/whole.sass"
build/sass asm "$work/whole.sass" -o "$work/whole.cubin" >"$work/said" 2>&1 ||
    fail 'with its directives it is assembled' "$(cat "$work/said")"
for file in turn whole; do
    build/simrun "$work/$file.cubin" --grid 1 --block 64 --arg 'f32[64]:random:1' \
        --arg "f32[64]:nan=out:$work/$file.out" >"$work/said" 2>&1 ||
        fail "$file runs" "$(cat "$work/said")"
done
cmp -s "$work/turn.out" "$work/whole.out"
verdict $? 'with its directives it computes the same'
