# Kernels whose atomics all come from one SM: awk -f atomics.awk > atomics.sass
#
# Each thread makes 64 x 16 of them. Names: red (without result) or atom (with), then what a warp's lanes ask for:
#
#     word     all lanes of all warps one word        line     32 words of one line, the same for all warps
#     warp     32 words of a line for each warp       lane     a line for each lane
#
# A thread stores the clock at both ends.
function kernel(what, name, lane, warp,    i) {
    print ".kernel " what "_" name "\n.threads 1024\n.registers 40\n.param ptr out, ptr memory"
    print "    ULDC.64 UR4, c[0x0][0x208] ;\n    S2R R0, SR_TID.X ;\n    LDC.64 R2, c[out] ;\n    IMAD.WIDE R2, R0, 0x8, R2 ;"
    print "    LDC.64 R12, c[memory] ;\n    LOP3.LUT R8, R0, 0x1f, RZ, 0xc0, !PT ;\n    SHF.R.U32.HI R9, RZ, 0x5, R0 ;"
    print "    IMAD.WIDE R12, R8, 0x" sprintf("%x", lane) ", R12 ;\n    IMAD.WIDE R12, R9, 0x" sprintf("%x", warp) ", R12 ;"
    print "    MOV R10, 0x1 ;\n    MOV R11, 0x40 ;\n    BAR.SYNC.DEFER_BLOCKING 0x0 ;\n--:-:-:Y:f  CS2R R4, SR_CLOCKLO ;\nloop:"
    for (i = 0; i < 16; i++)
        print what == "red" ? "    REDG.E.ADD.STRONG.GPU desc[UR4][R12.64], R10 ;" : "    ATOMG.E.ADD.STRONG.GPU PT, R" 16 + i ", desc[UR4][R12.64], R10 ;"
    for (i = 0; i < 16 && what == "atom"; i++) print "    MOV R14, R" 16 + i " ;"
    print "    IADD3 R11, R11, -0x1, RZ ;\n    ISETP.NE.AND P0, PT, R11, RZ, PT ;\n    @P0 BRA `(loop) ;"
    # The last result comes after all that the thread asked for before.
    print "    ATOMG.E.ADD.STRONG.GPU PT, R14, desc[UR4][R12.64], R10 ;\n    MOV R15, R14 ;\n    CS2R R8, SR_CLOCKLO ;\n    MOV R5, R8 ;"
    print "    STG.E.64 desc[UR4][R2.64], R4 ;\n    EXIT ;\n"
}
BEGIN {
    for (k = split("red atom", kinds, " "); k > 0; k--) {
        kernel(kinds[k], "word", 0, 0)
        kernel(kinds[k], "line", 4, 0)
        kernel(kinds[k], "warp", 4, 128)
        kernel(kinds[k], "lane", 128, 4096)
    }
}
