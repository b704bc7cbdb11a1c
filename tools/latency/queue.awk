# Kernels that show how many reads a register bank may be behind: awk -f queue.awk > queue.sass
#
# Each loop has FFMAs that need two registers of the even bank and none of the odd one, P of them, and then P that need two of the odd
# bank and none of the even one. A bank gives one register per cycle, so P FFMAs need 2 P cycles of their bank, which may still give the
# last of them while the other P issue. If issue goes on while a bank is Q reads behind, P FFMAs issue in max(P, 2 P - Q) cycles:
#
#     cycles per FFMA = max(1, 2 - Q / P)
#
# Which two operands are read: bc (A kept), ab (C is RZ), ac (B kept). `flat` needs one read of each bank. A thread stores the clock
# before its first loop and after its last.
function ffma(kind, bank, i,    to, a, b, c) {
    to = 64 + 2 * (i % 16) + bank           # 16 sums of each bank: none is read before it was written
    b = 32 + 2 * (i % 8) + bank
    a = kind == "bc" || kind == "flat" ? "R16.reuse" : "R" 48 + 2 * (i % 8) + bank
    c = kind == "ab" ? "RZ" : "R" (kind == "flat" ? to + 1 - 2 * bank : to)
    if (kind == "flat") to = to + 1 - 2 * bank
    print "--:-:-:-:1  FFMA R" to ", " a ", " (kind == "ac" ? "R18.reuse" : "R" b) ", " c " ;"
}
function kernel(kind, p,    i) {
    print ".kernel " kind "_" p "\n.threads 256\n.registers 104\n.param ptr out"
    print "    ULDC.64 UR4, c[0x0][0x208] ;\n    S2R R0, SR_TID.X ;\n    LDC.64 R2, c[out] ;\n    IMAD.WIDE R2, R0, 0x8, R2 ;\n    MOV R12, 0x20 ;"
    for (i = 16; i < 96; i++) print "    MOV R" i ", RZ ;"
    print "    BAR.SYNC.DEFER_BLOCKING 0x0 ;\n--:-:-:Y:f  CS2R R4, SR_CLOCKLO ;\nloop:"
    for (i = 0; i < FFMAS; i++) ffma(kind, kind == "flat" ? i % 2 : int(i / p) % 2, i)
    print "--:-:-:-:6  IADD3 R12, R12, -0x1, RZ ;\n--:-:-:Y:d  ISETP.NE.AND P0, PT, R12, RZ, PT ;\n--:-:-:-:5  @P0 BRA `(loop) ;"
    print "--:-:-:Y:f  NOP ;\n--:-:-:Y:f  CS2R R8, SR_CLOCKLO ;\n    MOV R5, R8 ;\n    STG.E.64 desc[UR4][R2.64], R4 ;\n    EXIT ;\n"
}
BEGIN {
    FFMAS = 960
    kernel("flat", 1)
    for (k = split("bc ab ac", kinds, " "); k > 0; k--)
        for (n = split("1 2 3 4 5 6 8", ps, " "); n > 0; n--) kernel(kinds[k], ps[n])
}
