# Kernels that find when the second of two instructions stands too close to the first: awk -f overwrites.awk overwrites.txt > overwrites.sass
#
# Each tries its pair at 1 to 64 cycles, three times over. A try stores R20, or what `after` puts there. Too close, and it differs from
# that at 64 cycles. The try before them is without the first instruction: the same there says nothing against the pair.
# Run with build/gpurun, --block THREADS, --arg i32[23 * THREADS]:zero=out:FILE --arg i32[1024]:random:1.
BEGIN { FS = "|"; tries = split("0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 20 24 28 32 40 64", distance, " ") }
/^#/ || NF < 8 { next }
function line(column, text) { print column "  " text " ;" }
function quiet(times) { while (times-- > 0) line("--:-:-:Y:f", "NOP") }
function each(text,    part, i, k) {
    k = split(text, part, /; */)
    for (i = 1; i <= k; i++) if (part[i] != "") { line("--:-:-:-:6", part[i]); quiet(2) }
}
function start(name, threads,    r) {
    print ".kernel " name "\n.threads " threads "\n.shared 8192\n.registers 128\n.param ptr out, ptr in"
    print "    S2R R0, SR_TID.X ;\n    ULDC.64 UR4, c[0x0][0x208] ;\n    LDC.64 R2, c[out] ;\n    IMAD.WIDE R2, R0, 0x4, R2 ;"
    print "    LDC.64 R44, c[in] ;\n    IMAD.WIDE R44, R0, 0x4, R44 ;\n    SHF.L.U32 R53, R0, 0x2, RZ ;\n    IADD3 R30, R53, 0x400, RZ ;"
    print "    IADD3 R31, R30, 0x40, RZ ;\n    MOV R32, 0x3f800000 ;\n    MOV R33, 0x1 ;\n    MOV R34, RZ ;\n    MOV R35, 0x40080000 ;"
    print "    MOV R36, RZ ;\n    MOV R37, 0x3ff00000 ;\n    MOV R38, 0x3c003c00 ;\n    MOV R39, 0x40004000 ;\n    MOV R46, 0x123 ;"
    print "    MOV R47, 0x80000000 ;\n    STS [R30], R53 ;\n    UMOV UR30, 0x440 ;\n    UMOV UR31, 0x8c0 ;\n    UMOV UR33, 0x1 ;\n    MOV R40, 0x3 ;"
    for (r = 64; r < 96; r++) print "    MOV R" r ", 0x3c003c00 ;"
    for (r = 96; r < 112; r++) print "    MOV R" r ", RZ ;"
    print "    NOP ;\nrounds:\n    LDC.64 R2, c[out] ;\n    IMAD.WIDE R2, R0, 0x4, R2 ;\n    NOP ;\ntries:"
}
# The first instruction and the cycles behind it.
function gap(column, text, cycles, yield,    now) {
    for (now = cycles < 15 ? cycles : 15; cycles > 0; now = cycles < 15 ? cycles : 15) {
        line(column (yield != "" ? yield : now > 11 || text == "NOP" ? "Y" : "-") ":" sprintf("%x", now), text)
        cycles -= now; column = "--:-:-:"; text = "NOP"
    }
}
function others(work,    part, i, k) {
    k = split(work, part, /; */)
    for (i = 1; i <= k; i++) if (part[i] != "") line(part[i] ~ /MUFU|LDS/ ? "--:-:6:-:2" : "--:-:-:-:2", part[i])
}
{
    reuse = $1 ~ /^reuse/
    start($1, $8)
    for (t = 1; t <= tries; t++) {
        each($2)
        if ($8 > 32) line("--:-:-:-:6", "BAR.SYNC.DEFER_BLOCKING 0x0")
        others($9)
        if (distance[t] > 0) gap($4 != "" ? "--:-:1:" : "--:-:-:", $3, distance[t], !reuse ? "" : $1 ~ /Y$/ ? "Y" : "-")
        if (reuse) {
            line($6 != "" ? "--:-:1:-:2" : "--:-:-:-:a", $5)
            line("3f:-:-:-:a", "FFMA R20, R10, R32, -RZ")
            line("--:-:-:Y:f", "NOP"); quiet(2)
        } else {
            line($6 != "" ? "--:-:2:-:6" : "--:-:-:-:6", $5)
            line("3f:-:-:Y:f", "NOP"); quiet(6)
            each($7)
        }
        line("3f:-:-:Y:f", "NOP"); quiet(2)
        line("--:2:-:-:4", "STG.E desc[UR4][R2.64], R20")
        line("02:-:-:-:6", sprintf("IADD3 R2, P5, R2, 0x%x, RZ", $8 * 4))
        line("--:-:-:-:6", "IADD3.X R3, R3, RZ, RZ, P5, !PT")
    }
    line("--:-:-:-:6", "IADD3 R40, R40, -0x1, RZ")
    line("--:-:-:Y:d", "ISETP.NE.AND P6, PT, R40, RZ, PT")
    line("--:-:-:-:5", "@P6 BRA `(rounds)")
    print "    EXIT ;\n"
}
