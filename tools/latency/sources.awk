# Kernels that find when a source of an instruction of variable time may be overwritten: awk -f sources.awk sources.txt > sources.sass
#
# All warps of an SM keep the memory pipe (or the slow unit) busy; one instruction's source register is then overwritten after
# so many cycles, without a read scoreboard. What it did with the wrong value is counted: out[try] is how often.
# Per thread: R30 a word of shared memory, R31 another, R42:43 and R46:47 words of global memory; each holds its own address.
#
# sources.txt: name|instruction|a scoreboard tells|source|right value|wrong value|expected|before|after
BEGIN { FS = "|"; ROUNDS = 4; tries = split("1 2 3 4 5 6 8 11 15 22 30 45 60", distance, " ") }
/^#/ || NF < 7 { next }
function line(column, text) { print column "  " text " ;" }
function quiet(times) { while (times-- > 0) line("--:-:-:Y:f", "NOP") }
function each(column, text,    part, i, k) {
    k = split(text, part, /; */)
    for (i = 1; i <= k; i++) if (part[i] != "") { line(column, part[i]); quiet(2) }
}
function kernel(name,    t, left, busy, i) {
    print ".kernel " name
    print ".threads 1024\n.shared 40960\n.registers 80\n.param ptr out, ptr scratch"
    print "    S2R R0, SR_TID.X ;\n    ULDC.64 UR4, c[0x0][0x208] ;\n    S2R R1, SR_CTAID.X ;\n    IMAD R1, R1, 0x400, R0 ;\n    LDC.64 R44, c[scratch] ;"
    print "    IMAD.WIDE R42, R1, 0x20, R44 ;\n    IADD3 R46, R42, 0x10, RZ ;\n    MOV R47, R43 ;\n    SHF.L.U32 R30, R0, 0x4, RZ ;\n    IADD3 R30, R30, 0x400, RZ ;"
    print "    IADD3 R31, R30, 0x4000, RZ ;\n    LOP3.LUT R59, R30, 0x10, RZ, 0x3c, !PT ;\n    STS [R30], R30 ;\n    STS [R31], R31 ;\n    ULDC.64 UR40, c[scratch] ;"
    print "    STG.E desc[UR4][R42.64], R42 ;\n    STG.E desc[UR4][R46.64], R46 ;"
    print "    LOP3.LUT R56, R0, 0x1f, RZ, 0xc0, !PT ;\n    SHF.L.U32 R56, R56, 0x7, RZ ;\n    IADD3 R56, R56, 0x400, RZ ;\n    MOV R40, 0x" ROUNDS " ;"
    print "    SHF.L.U32 R62, R1, 0x5, RZ ;\n    IADD3 R63, R62, 0x10, RZ ;\n    UMOV UR30, 0x0 ;\n    UMOV UR31, 0x4000 ;\n    UIADD3 UR42, UR40, 0x10, URZ ;\n    MOV R34, RZ ;\n    MOV R35, 0x40080000 ;\n    MOV R36, 0x40500000 ;"
    print "    NOP ;\nrounds:"
    print "    LDC.64 R2, c[out] ;\n    NOP ;\ntries:"
    for (t = 1; t <= tries; t++) {
        each("--:-:-:-:6", $5)
        each("--:-:-:-:6", $8)
        line("--:-:-:-:6", "BAR.SYNC.DEFER_BLOCKING 0x0")
        busy = name ~ /^slow/ ? "MUFU.RCP R55, R56" : "LDS R55, [R56]"
        for (i = 0; i < 4; i++) line("--:-:6:-:2", busy)
        left = distance[t]
        line("--:-:" ($3 != "" ? "1" : "-") ":" (left > 11 ? "Y" : "-") ":" sprintf("%x", left > 15 ? 15 : left), $2)
        for (left -= 15; left > 0; left -= 15) line("--:-:-:Y:" sprintf("%x", left > 15 ? 15 : left), "NOP")
        line("--:-:-:-:6", $6)
        line("21:-:-:Y:f", "NOP")
        quiet(3)
        if ($9 == "COPY") {
            line("--:-:1:-:6", "LDGDEPBAR")
            line("--:-:-:-:8", "DEPBAR.LE SB0, 0x0")
            line("--:-:1:-:6", "LDS R20, [R30]")
        } else each($9 ~ /^(LD|AT)/ ? "--:-:1:-:6" : "--:-:-:-:6", $9)
        line("01:-:-:Y:f", "NOP")
        line("--:-:-:Y:d", "ISETP.NE.AND P2, PT, R20, " $7 ", PT")
        line("--:-:-:Y:d", "MOV R58, 0x1")
        line("--:2:-:-:4", "@P2 REDG.E.ADD.STRONG.GPU desc[UR4][R2.64], R58")
        line("02:-:-:-:6", "IADD3 R2, P5, R2, 0x4, RZ")
        line("--:-:-:-:6", "IADD3.X R3, R3, RZ, RZ, P5, !PT")
        quiet(1)
    }
    line("--:-:-:-:6", "IADD3 R40, R40, -0x1, RZ")
    line("--:-:-:Y:d", "ISETP.NE.AND P6, PT, R40, RZ, PT")
    line("--:-:-:-:5", "@P6 BRA `(rounds)")
    print "    EXIT ;\n"
}
{ kernel($1) }
