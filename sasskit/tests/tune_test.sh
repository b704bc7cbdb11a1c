#!/usr/bin/env bash
# `sass tune` with the model as judge: the tuned kernel must have no hazard and compute the same
# bits as before. Code that tune does not understand must be refused with a message, and without a
# file.
source "$(dirname "$0")/../../tests/tap.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/loop.sass" <<'END'
.kernel sums
.threads 32
.param i32 count, ptr x, ptr y
    S2R R0, SR_TID.X ;
    ULDC.64 UR4, c[0x0][0x208] ;
    LDC R1, c[count] ;
    LDC.64 R2, c[x] ;
    LDC.64 R4, c[y] ;
    IMAD.WIDE.U32 R2, R0, 0x4, R2 ;
    IMAD.WIDE.U32 R4, R0, 0x4, R4 ;
    LDG.E R6, desc[UR4][R2.64] ;
    SHF.L.U32 R7, R0, 0x4, RZ ;
    IADD3 R7, R7, 0x400, RZ ;
    .for i = 0 .. 3
    STS [R7+{4 * i}], R6 ;
    .end
    .for i = 8 .. 23
    MOV R{i}, RZ ;
    .end
again:
    LDS.128 R28, [R7] ;
    .for i = 8 .. 23
    FFMA R{i}, R{28 + i % 4}, R6, R{i} ;
    .end
    IADD3 R1, R1, -0x1, RZ ;
    ISETP.GT.AND P0, PT, R1, RZ, PT ;
    @P0 BRA `(again) ;
    .for i = 9 .. 23
    FADD R8, R8, R{i} ;
    .end
    STG.E desc[UR4][R4.64], R8 ;
    EXIT ;
END
sed -i 's/^\.threads 32$/.threads 32\n.shared 0x800/' "$work/loop.sass"
launch='--grid 1 --block 32 --arg i32:40 --arg f32[32]:random:1 --arg f32[32]:nan'
case_is 'a source is tuned' 0 'by the model of an H200' \
    build/sass tune "$work/loop.sass" -o "$work/fast.cubin" --problem "$launch" --judge model \
    --seconds 2 --log "$work/log.csv"
case_is 'the tuned kernel has no hazard' 0 'sums: 0 hazards' build/sass lint "$work/fast.cubin"
build/sass asm "$work/loop.sass" -o "$work/loop.cubin"
for which in loop fast; do
    build/simrun "$work/$which.cubin" ${launch%nan}nan=out:"$work/$which.out" >/dev/null
done
cmp -s "$work/loop.out" "$work/fast.out"
verdict $? 'the tuned kernel gives the same bits'
awk -F, 'NR > 1 && !($4 > 0) { exit 1 } END { exit !(NR > 1) }' "$work/log.csv" &&
    ! cmp -s "$work/loop.cubin" "$work/fast.cubin"
verdict $? 'the log has a gain for each change that was kept' "$(cat "$work/log.csv")"
# refused NAME TEXT OPTION...: tune must end with exit status $status, print TEXT, and write no
# file.
refused() {
    rm -f "$work/none.cubin"
    case_is "$1" "$status" "$2" build/sass tune -o "$work/none.cubin" --judge model \
        --seconds 1 "${@:3}"
    if [[ -e $work/none.cubin ]]; then fail "$1: no file"; fi
}
status=1 # 1: tune cannot change this code
printf '.kernel nothing\n.threads 32\n    EXIT ;\n' >"$work/straight.sass"
refused 'no loop' 'the launch runs no loop' "$work/straight.sass" --problem '--grid 1 --block 32'
sed 's/^    EXIT ;/    CALL.REL.NOINC `(again) ;\n    EXIT ;/' "$work/loop.sass" >"$work/call.sass"
refused 'a call' 'tune cannot tell where the CALL' "$work/call.sass" --problem "$launch"
sed '/STS/d' "$work/loop.sass" >"$work/unwritten.sass"
refused 'a kernel that reads what nobody wrote' 'trial 1 in the simulator: uninitialized' \
    "$work/unwritten.sass" --problem "$launch"
status=2 # 2: wrong usage
{ cat "$work/loop.sass"; sed 's/sums/others/' "$work/loop.sass"; } >"$work/two.sass"
refused 'which of two kernels' 'sums others' "$work/two.sass" --problem "$launch"
refused 'half of a problem' '--block: ' "$work/loop.cubin" --problem '--grid 1 --block'
refused 'no such option' 'expected --grid' "$work/loop.cubin" --problem '--gird 1'
refused 'too few arguments' 'sums has 3 parameters' "$work/loop.cubin" \
    --problem '--grid 1 --block 32 --arg i32:40'
refused 'an int for a pointer' 'has 4 bytes' "$work/loop.cubin" \
    --problem "${launch/f32[[]32]:random:1/i32:1}"
refused 'a trial that fits, a problem that does not' 'sums has 3 parameters' "$work/loop.cubin" \
    --problem '--grid 1 --block 32' --trial "$launch"
refused 'a wrong argument' "'five'" "$work/loop.cubin" \
    --problem '--grid 1 --block 32 --arg i32:five'
case_is 'no problem' 2 '--problem' build/sass tune "$work/loop.cubin" -o "$work/none.cubin"
case_is 'no such judge' 2 '--judge: ' build/sass tune "$work/loop.cubin" -o "$work/none.cubin" \
    --problem "$launch" --judge me
case_is 'no time' 2 '--seconds: ' build/sass tune "$work/loop.cubin" -o "$work/none.cubin" \
    --problem "$launch" --seconds 0
