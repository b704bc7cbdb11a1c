#!/usr/bin/env bash
# Tests the assembler. It rejects each source in assembler/errors with exit status 1 and without a
# file. The message is the one in the source's first line (// expect: ...). It assembles each
# correct source to the machine code that is stored beside it, and that code computes the right
# results on the simulator.
source "$(dirname "$0")/../../tests/tap.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
sources=sasskit/tests/assembler

for file in "$sources"/errors/*.sass; do
    name=$(basename "$file" .sass)
    expected=$(sed -n '1s,^// expect: ,,p' "$file")
    rm -f "$work"/out*
    case_is "error: $name" 1 "$expected" build/sass asm "$file" -o "$work/out.cubin"
    [[ -z $(ls "$work"/out* 2>/dev/null) ]] || fail "error: $name leaves no file" "$(ls "$work")"
done

# same_code NAME [OPTION...]: assembles NAME.sass. Its instructions and control columns must equal
# NAME.expected.
same_code() {
    local name=$1 said
    if ! said=$(build/sass asm "$sources/$name.sass" -o "$work/$name.cubin" "${@:2}" 2>&1); then
        fail "code of $name" "$said"
    elif said=$(build/sass dis "$work/$name.cubin" | sed '1d; s,  // .*,,' |
        diff - "$sources/$name.expected"); then
        pass "code of $name"
    else
        fail "code of $name" '< sass dis, > expected' "$said"
    fi
}

# floats NAME EXPRESSION COUNT: writes COUNT floats to NAME.bin. Element i has the value of
# EXPRESSION, in which i may occur.
floats() {
    awk -v n="$3" "BEGIN { for (i = 0; i < n; i++) printf \"%s%d\", i ? \",\" : \"\", $2 }" \
        >"$work/$1.txt"
    perl -e 'local $/; print pack "f<*", split /,/, <STDIN>' <"$work/$1.txt" >"$work/$1.bin"
}

# computes NAME WHAT OUTPUT EXPECTED ARGUMENT...: runs NAME.cubin with the arguments. simrun must
# succeed, and OUTPUT.bin, which it writes, must equal EXPECTED.bin.
computes() {
    local name=$1 what=$2 said
    if ! said=$(cd "$work" && "$OLDPWD/build/simrun" "$name.cubin" "${@:5}" 2>&1); then
        fail "$name: $what" "$said"
    elif said=$(cmp "$work/$3.bin" "$work/$4.bin" 2>&1); then
        pass "$name: $what"
    else
        fail "$name: $what" "$said"
    fi
}

same_code saxpy
same_code language -D TILE=4
floats x i 1000
floats y 1 1000
floats saxpy_right '2*i+1' 1000
computes saxpy 'computes a x + y' saxpy_out saxpy_right --entry saxpy --grid 4 --block 256 \
    --arg i32:1000 --arg f32:2 \
    --arg 'f32[1000]:file:x.bin' --arg 'f32[1000]:file:y.bin=out:saxpy_out.bin'
same_code mixed
same_code next_block
same_code reverse
floats reverse_right '999-i' 1000
computes reverse 'reverses through shared memory, in a loop' reverse_out reverse_right \
    --entry reverse --grid 1 --block 128 \
    --shared 4000 --arg i32:1000 --arg 'f32[1000]:file:x.bin' \
    --arg 'f32[1000]:nan=out:reverse_out.bin'

same_code variable
floats few i 128
floats variable_right '127-i' 128
computes variable 'reverses through a device variable' variable_out variable_right \
    --entry variable --grid 1 --block 128 \
    --arg 'f32[128]:file:few.bin' --arg 'f32[128]:nan=out:variable_out.bin'

# Texel x holds the values 4 x to 4 x + 3. The texture has 32 texels, but 48 threads read one each:
# texels 32 to 47 are outside and read as 0.
same_code gather
floats gather_right 'i<32 ? 16*i+6 : 0' 48
computes gather 'adds the channels of texels, zeros outside' gather_out gather_right \
    --entry gather --grid 1 --block 48 \
    --arg 'tex:f32[128]:file:few.bin' --arg 'f32[48]:nan=out:gather_out.bin'
# Fetches only the first value of each texel, from textures with 1, 2 and 4 values per texel. simrun
# reports a texture whose texel size is not stated, and a fetch of more values than a texel has.
sed 's/kernel gather/kernel first/; s/TLD.LZ .*/TLD.LZ RZ, v[0], i, ur_texture, 0x0, 1D, 0x1 ;/
    /FADD/d' sasskit/tests/assembler/gather.sass >"$work/first.sass"
build/sass asm "$work/first.sass" -o "$work/first.cubin" ||
    fail 'fetches of one value are assembled'
for values in 1 2 4; do
    floats first_right "i<128/$values ? $values*i : 0" 48
    computes first "the first of $values values of a texel" first_out first_right --entry first \
        --grid 1 --block 48 \
        --arg "tex$values:f32[128]:file:few.bin" --arg 'f32[48]:nan=out:first_out.bin'
done
case_is 'the first value of a texel of a size that is not stated' 1 'error[address]' build/simrun \
    "$work/first.cubin" \
    --entry first --grid 1 --block 48 --arg "tex:f32[128]:zero" --arg 'f32[48]:zero'
case_is 'four values of a texel of two' 1 'error[address]' build/simrun "$work/gather.cubin" \
    --entry gather --grid 1 --block 48 \
    --arg "tex2:f32[128]:zero" --arg 'f32[48]:zero'
case_is 'a texture of half a texel' 2 '16 bytes' build/simrun "$work/gather.cubin" \
    --entry gather --grid 1 \
    --block 32 --arg 'tex:f32[2]:zero' --arg 'f32[32]:zero'
case_is 'a texture without contents' 2 'expected a buffer, tex:TYPE[COUNT]:CONTENT' build/simrun \
    "$work/gather.cubin" --entry gather \
    --grid 1 --block 32 --arg tex:f32 --arg 'f32[32]:zero'
case_is 'a texture handle that is none' 1 'texture 0x5' build/simrun "$work/gather.cubin" \
    --entry gather --grid 1 --block 32 --arg u64:5 --arg 'f32[32]:zero'

case_is 'a report names the line of the source' 1 'reverse.sass:' build/simrun \
    "$work/reverse.cubin" --entry reverse --grid 1 \
    --block 128 --shared 16 --arg i32:1000 --arg 'f32[1000]:zero' --arg 'f32[1000]:zero'
case_is 'two kernels in one file' 0 'second' bash \
    -c "printf '.kernel first\n EXIT\n.kernel second\n EXIT\n' >$work/two.sass &&
    build/sass asm $work/two.sass -o $work/two.cubin && build/sass dis $work/two.cubin"
# Only a write scoreboard is set, by the instruction itself or by a later one of its unit.
for line in 'MOV R2, RZ' 'FADD R6, R4, R4'; do
    printf '%s\n' '.kernel guarded' ' --:-:-:-:5 MOV R2, RZ ;' ' --:-:-:-:2 LDS R4, [R2] ;' \
        ' --:-:1:-:2 LDS R5, [R2] ;' " --:-:-:-:5 $line ;" \
        ' 01:-:-:-:5 EXIT ;' >"$work/guarded.sass"
    build/sass asm "$work/guarded.sass" -o "$work/guarded.cubin" --no-lint
    case_is "a set scoreboard guards it: $line" 1 'wait for scoreboard 1 in the control column' \
        build/sass lint "$work/guarded.cubin" --json
done
# was WHAT SAYS CONTROL: lint says why the control fields of the instruction at 0x10, once CONTROL,
# are enough.
was() {
    case_is "why it does no harm: $1" 0 "$2" build/sass lint "$work/guarded.cubin" --was "0x10=$3" \
        --json
}
printf '%s\n' '.kernel guarded' ' --:-:-:-:5 MOV R2, RZ ;' ' --:-:-:-:3 LDS R4, [R2] ;' \
    ' --:-:1:-:2 LDS R5, [R2] ;' ' 01:-:-:-:4 FADD R6, R4, R5 ;' ' --:-:-:-:5 STS [R2], R6 ;' \
    ' --:-:-:-:5 EXIT ;' >"$work/guarded.sass"
case_is 'a covered load' 0 '' build/sass asm "$work/guarded.sass" -o "$work/guarded.cubin"
was 'a later scoreboard' 'scoreboard 1 of `LDS R5, [R2]` at 0x20 covers R4' --:-:2:-:3
was 'a read scoreboard' 'needed where an instruction writes a source' --:2:-:-:3
was 'a long stall' '`LDS R5, [R2]` at 0x20 reads R2 8 cycles after `MOV R2, RZ` at 0x0, and' \
    --:-:-:-:9
was 'a wait' 'needed where what the scoreboard guards' 01:-:-:-:3
case_is 'control fields that are none' 2 '--was: expected an address and control fields' \
    build/sass lint "$work/guarded.cubin" --was 0x10
case_is 'hazards pass with --no-lint' 0 '' build/sass asm \
    "$sources/errors/hazard_early_wait.sass" -o "$work/h.cubin" --no-lint
case_is 'an early wait has no remedy of another hazard' 1 '"remedy": null' build/sass lint \
    "$work/h.cubin" --json
{
    printf '.kernel far\n --:-:-:-:5 MOV R2, RZ ;\nagain:\n'
    printf ' --:-:-:-:1 NOP ;\n%.0s' {1..300}
    printf '%s\n' ' --:-:-:-:5 IADD3 R1, R5, 0x1, RZ ;' ' --:-:1:-:2 LDS R5, [R2] ;' \
        ' --:-:-:-:5 @P0 BRA `(again) ;' ' 01:-:-:-:5 EXIT ;'
} >"$work/far.sass"
case_is 'a load in flight around a loop, on a chip whose register banks are not known' 1 \
    'R5: its value may still be in flight' \
    build/sass asm "$work/far.sass" --arch sm_110 -o "$work/far.cubin"
sed 's/0x208/0x118/' "$sources/saxpy.sass" >"$work/older.sass"
case_is 'for a chip that was not measured' 0 'sm_86: ' \
    build/sass asm "$work/older.sass" --arch sm_86 -o "$work/older.cubin"
computes older 'computes on sm_86, too' older_out saxpy_right --entry saxpy --grid 4 --block 256 \
    --arg i32:1000 --arg f32:2 \
    --arg 'f32[1000]:file:x.bin' --arg 'f32[1000]:file:y.bin=out:older_out.bin'
case_is 'for a chip that is not known' 2 '--arch' \
    build/sass asm "$work/older.sass" --arch sm_70 -o "$work/older.cubin"
case_is '-D without a value' 2 'expected NAME=VALUE' build/sass asm "$sources/saxpy.sass" \
    -o "$work/d.cubin" -D BLOCK
case_is 'neither -o nor --into' 2 '-o FILE.cubin' build/sass asm "$sources/saxpy.sass"
one_line_is 'a directory that does not exist' 2 'cannot be written' build/sass asm \
    "$sources/saxpy.sass" -o /nonexistent/a.cubin

# Edited text is put back into its cubin. An added instruction takes the place of a NOP after the
# kernel's code, and removing the instruction restores the NOP.
whole=$work/saxpy.cubin put='--:-:-:-:4  IADD3 R2, R2, 0x1, RZ ;'
build/sass dis $whole | sed "5i $put" >"$work/put.sass"
case_is 'an instruction is added to a cubin' 0 '' build/sass asm "$work/put.sass" --into $whole \
    -o "$work/put.cubin"
build/sass dis "$work/put.cubin" | grep -vxF -e "$put" >"$work/out.sass"
case_is 'an instruction is removed from a cubin' 0 '' build/sass asm "$work/out.sass" \
    --into "$work/put.cubin"
[[ $(build/sass dis $whole | wc -l) == $(($(wc -l <"$work/out.sass") + 1)) ]] &&
    cmp -s $whole "$work/put.cubin"
verdict $? 'an instruction added and removed: the cubin is unchanged'
build/sass dis $whole | sed 's/  */\t/g' >"$work/tabs.sass"
case_is 'text with tabs assembles' 0 '' build/sass asm "$work/tabs.sass" --into $whole \
    -o "$work/put.cubin"
cmp -s $whole "$work/put.cubin"
verdict $? 'text with tabs gives the same cubin'
printf '.kernel k\n EXIT\n\0 nonsense\n' >"$work/nul.sass"
case_is 'a NUL, behind which nothing would be read' 2 'not a text file' build/sass asm \
    "$work/nul.sass" -o "$work/nul.cubin"
for ((i = 0; i < 20; i++)); do sed -i "5i $put" "$work/put.sass"; done
case_is 'more than there is room for' 1 'the kernel has room for' build/sass asm "$work/put.sass" \
    --into $whole -o "$work/put.cubin"
build/sass dis $whole | sed '5i --:-:-:-:4  IADD3 R2, R200, 0x1, RZ ;' >"$work/put.sass"
case_is "a register beyond the cubin's" 1 ':5:23: R200 is beyond' build/sass asm "$work/put.sass" \
    --into $whole -o "$work/put.cubin"

case_is 'lint names idle reuse flags' 0 'idle .reuse: nobody finds R3 as operand B' bash \
    -c "printf '%s\n' \
    '.kernel k' 'top:' '--:-:-:-:5 FFMA R1, R2.reuse, R3.reuse, R1' \
    '--:-:-:-:5 FFMA R5, R2, R6, R5' \
    '--:-:-:-:5 @P0 BRA \`(top)' ' EXIT' >$work/idle.sass &&
    build/sass asm $work/idle.sass -o $work/idle.cubin && build/sass lint --all $work/idle.cubin"

# Erases the control columns of compiled code. The assembler must compute new ones in which lint
# finds no hazard.
needs_nvcc 'automatic control of compiled code' || exit 0
for name in barrier fp32_divide fp64_sqrt branch_loops memory_shared cp_async \
    texture_fetch transpose; do
    cubin=$work/$name.nvcc.cubin
    "$NVCC" -cubin -arch=sm_90 -o "$cubin" "sasskit/tests/corpus/$name.cu" ||
        fail "automatic control of $name: nvcc"
    build/sass dis "$cubin" | sed -E 's/^[0-9a-f-]{2}:[1-6-]:[1-6-]:[Y-]:[0-9a-f]  //' \
        >"$work/$name.sass"
    # A source needs a .threads line, which the listing of `sass dis` lacks.
    sed -i '/^\.kernel /a .threads 32' "$work/$name.sass"
    case_is "automatic control of $name" 0 '' build/sass asm "$work/$name.sass" \
        -o "$work/$name.cubin"
    build/sass dis "$work/$name.cubin" >"$work/$name.filled.sass"
    case_is "its code in nvcc's cubin" 0 '' build/sass asm "$work/$name.filled.sass" --into "$cubin"
    case_is "lint of $name" 0 ' 0 hazards' build/sass lint "$cubin"
done
