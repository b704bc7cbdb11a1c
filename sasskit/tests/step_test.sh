#!/usr/bin/env bash
# simrun --step: stepping a block must give what a launch gives, also after steps backwards. The
# values that it shows must be the block's.
source "$(dirname "$0")/../../tests/tap.sh"
needs 'a block is stepped' python3 && needs_built 'a block is stepped' \
    build/cubin/sm_90/{01_naive/coalesced,02_shared_tiling/tile32}.cubin \
    build/cubin/sm_90/{07_z_order/z_order,08_double_buffer/wide}.cubin || exit 0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

square() { # N: prints a lesson's kernel arguments for N x N matrices
    local n=$1 all=$(($1 * $1))
    echo "--arg i32:$n --arg i32:$n --arg i32:$n --arg f32:1 --arg f32[$all]:random:1" \
        "--arg i32:$n --arg f32[$all]:random:2 --arg i32:$n --arg f32:0" \
        "--arg f32[$all]:nan --arg i32:$n"
}
# step COMMANDS WORD...: runs `simrun WORD...` and gives it the stepper's commands, separated by \n.
step() {
    printf '%b' "$1" >"$work/commands"
    build/simrun "${@:2}" --step "$work/commands" 2>&1
}

# Stepping to the end must execute as many instructions as a launch of one block, and report
# nothing.
while read -r cubin block n shared; do
    read -ra arguments < <(square "$n")
    words=("build/cubin/sm_90/$cubin.cubin" --grid 1 --block "$block" --shared "$shared"
        "${arguments[@]}")
    wanted=$(build/simrun "${words[@]}" --counters - | sed -n 's/smsp__inst_executed.sum,//p')
    said=$(step 'step 5000000\nothers\ncsv\n' "${words[@]}" --json="$work/json")
    ran=$(awk -F, '$1 == "ran" { sum += $3 } END { print sum }' <<<"$said")
    if [[ $ran == "$wanted" && $(<"$work/json") == *'"errors": 0, "warnings": 0'* ]]; then
        pass "$cubin: $ran instructions, as in a launch"
    else
        fail "$cubin" "$ran instructions, expected $wanted" "$(<"$work/json")"
    fi
done <<'END'
01_naive/coalesced 1024 32 0
02_shared_tiling/tile32 1024 64 0
07_z_order/z_order 256 128 0
08_double_buffer/wide 256 128 49920
END

# As many steps back as forward must restore the state. Repeating the logged steps must give it
# again.
read -ra arguments < <(square 128)
z=(build/cubin/sm_90/07_z_order/z_order.cubin --grid 1 --block 256 "${arguments[@]}")
state() {
    grep -E '^(warp|predicate|register|scoreboard|shared),' | awk -F, -v OFS=, \
        '{ if ($1 == "warp") $8 = ""; else if ($1 == "predicate") $4 = "";
                else if ($1 != "scoreboard") $($1 == "shared" ? 3 : 4) = "" } 1'
}
there=$(step 'warp 3\nstep 400\ncsv\n' "${z[@]}" | state)
back=$(step 'warp 3\nstep 457\nback 57\ncsv\n' "${z[@]}" | state)
if [[ $there == "$back" && $(grep -c ^register <<<"$there") -gt 100 ]]; then
    pass 'steps back restore the state'
else
    fail 'steps back restore the state' "$(diff <(echo "$there") <(echo "$back") | head -5)"
fi
log=$(step 'warp 3\nstep 400\ncsv\n' "${z[@]}" | sed -n 's/^ran,\(.*\),\(.*\)/replay \1:\2/p')
again=$(step "$log\nwarp 3\ncsv\n" "${z[@]}" | state)
if [[ $there == "$again" ]]; then
    pass 'steps that are repeated give the same state'
else
    fail 'steps that are repeated give the same state' \
        "$(diff <(echo "$there") <(echo "$again") | head -5)"
fi

# After a load from shared memory, the stepper must show the request as --picture does, list the
# load's registers as pending, and show the wait for them.
load=$(build/simrun "${z[@]}" --per-line | awk '/LDS.128/ && !found++ { print $1 }')
wanted=$(build/simrun "${z[@]}" --picture "$load")
said=$(step "to 0x$load\nstep\ncsv\n" "${z[@]}")
[[ $said == *"$wanted"* ]]
verdict $? 'the request of a load' "$wanted"
written=$(sed -n 's/^register,\([^,]*\),set without.*,ffffffff,.*/\1/p' <<<"$said" | xargs)
if [[ $(wc -w <<<"$written") == 4 &&
    $said == *"without a scoreboard of their own: "*" $written "* ]]; then
    pass "its registers: $written"
else
    fail 'its registers have no scoreboard yet' "$written"
fi
case_is 'the next one waits for a barrier, and others go on meanwhile' 0 \
    'meanwhile warps 1 to 7 ran' step "to 0x$load\n" "${z[@]}"

# Diverged lanes; a value that is read without a wait for its scoreboard; and a race, which must be
# reported at the second of the two stores.
cat >"$work/k.sass" <<'SASS'
.kernel k
.threads 64
.shared 256
.registers 16
--:-:1:-:2  S2R R0, SR_TID.X ;
01:-:-:-:6  LOP3.LUT R2, R0, 0x1f, RZ, 0xc0, !PT ;
--:-:-:-:6  SHF.L.U32 R1, R2, 0x2, RZ ;
--:-:-:-:d  ISETP.GE.AND P0, PT, R2, 0x8, PT ;
--:-:-:-:1  BSSY B0, 0x90 ;
--:-:-:-:5  @P0 BRA 0x80 ;
--:-:-:-:6  IADD3 R2, R2, 0x64, RZ ;
--:-:-:-:5  BRA 0x80 ;
--:-:-:-:5  BSYNC B0 ;
--:-:-:-:1  STS [R1+0x400], R0 ;
--:-:2:-:2  LDS R4, [R1+0x400] ;
--:-:-:-:4  FADD R5, R4, R4 ;
--:-:-:-:5  EXIT ;
SASS
if said=$(build/sass asm "$work/k.sass" --no-lint -o "$work/k.cubin" 2>&1); then
    k=("$work/k.cubin" --grid 1 --block 64)
    case_is 'lanes that went another way' 0 'lanes ffffff00: ' step 'to 0x60\nstep\n' "${k[@]}"
    case_is 'their registers' 0 '*00000067' step 'to 0x60\nstep\nregisters R2\n' "${k[@]}"
    case_is 'a value read without a wait' 0 '`FADD R5, R4, R4` at 0xb0' step 'to 0xb0\nstep\n' \
        "${k[@]}"
    case_is 'a scoreboard for which the next instruction waits' 0 \
        'scoreboard 1: R0, set by `S2R R0, SR_TID.X` at 0x0; the next instruction waits for it' \
        step 'step\n' "${k[@]}"
    case_is 'the race, when the second warp stores' 0 '`STS [R1+0x400], R0` at 0x90' step \
        'to 0xa0\nwarp 1\nto 0xa0\n' "${k[@]}"
    step 'to 0xa0\nwarp 1\nto 0xa0\nback\nto 0xa0\n' "${k[@]}" --json="$work/json" >/dev/null
    found=$(python3 -c 'import json, sys
for record in map(json.loads, open(sys.argv[1])):
    if record["type"] == "report":
        print(record["kind"], record["warp"], record["place"]["address"],
              record["other"]["warp"], record["memory"]["address"],
              "at 0x%x (byte %d)" % (record["memory"]["address"], 0) in record["message"])' \
        "$work/json")
    # Lane 0 stores to R1 + 0x400 with R1 = 0. The record must have that address, 1024. The message
    # also has the offset from the first byte of the kernel's shared memory: 0.
    if [[ $found == 'race 1 144 0 1024 True' ]]; then
        pass 'the race as a record, once, with both warps and the address that registers hold'
    else
        fail 'the race as a record' "$found"
    fi
    case_is 'the race: its words in the banks' 0 '00000006*00000007' step 'to 0xa0\nshared\n' \
        "${k[@]}"
else
    fail 'the kernel of this test' "$said"
fi

one_line_is 'a command that is none' 2 'dance: ' step 'dance\n' "${z[@]}"
one_line_is 'a line without instructions' 2 'to 99999: ' step 'to 99999\n' "${z[@]}"
said=$(step 'step 400\ncsv R4,UR4\n' "${z[@]}" | grep -E '^(warp|register),') &&
    [[ $said == $'warp,0,'*,400,*$'\nregister,R4,'*$'\nregister,UR4,'* &&
        $(wc -l <<<"$said") == 3 ]]
verdict $? 'the warp and two registers for a program' "$said"
case_is 'a register that is not there' 2 'R300: expected R0 to R' step 'csv R4,R300\n' "${z[@]}"
one_line_is 'a warp that is not there' 2 'warp 8: expected 0 to 7' step 'warp 8\n' "${z[@]}"
one_line_is 'no file of commands' 2 "--step $work/none: " build/simrun "${z[@]}" --step "$work/none"
one_line_is 'not with counters' 2 '--step runs one block' build/simrun "${z[@]}" \
    --step - --counters -
