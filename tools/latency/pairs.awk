# Kernels that find how far a reader must stand from a producer of fixed latency: awk -v FILE=PART pairs.awk pairs.txt > part.sass
#
# Each kernel tries one producer and one consumer at 1 .. MOST cycles, ROUNDS times over, so that later rounds find their
# instructions in the cache. Before each try the register holds an old value; the producer puts a new one there, the consumer
# stands so many cycles behind it, and its result is stored. Too close, and it shows the old value.
#
# pairs.txt: producer|file|values|name|instruction      consumer|file|values|name|instruction|barrier?|before|after
# `values` are classes that must meet: an address of global memory cannot pass through FADD.
BEGIN { FS = "|"; MOST = 14; ROUNDS = 3 }
/^#/ || NF < 5 { next }
$1 == "producer" { n++; pfile[n] = $2; pvalues[n] = $3; pname[n] = $4; ptext[n] = $5; next }
$1 == "consumer" { m++; cfile[m] = $2; cvalues[m] = $3; cname[m] = $4; ctext[m] = $5; cbarrier[m] = $6; cbefore[m] = $7; cafter[m] = $8; next }

function line(column, text) { print column "  " text " ;" }
function quiet(times) { while (times-- > 0) line("--:-:-:Y:f", "NOP") }
function each(column, text,    part, i, k) { # instructions separated by ';', far from each other
    k = split(text, part, /; */)
    for (i = 1; i <= k; i++) if (part[i] != "") { line(column, part[i]); quiet(1) }
}
function old(file, values) {
    if (file == "P") return "ISETP.NE.AND P1, PT, RZ, RZ, PT"
    if (file == "UP") return "UISETP.NE.AND UP1, UPT, URZ, URZ, UPT"
    if (file == "U") return "UMOV UR10, " (values == "g" ? "UR37" : values == "f" ? "0x3" : "UR31") "; UMOV UR11, " (values == "g" ? "UR39" : "0x0")
    return "MOV R10, " (values == "g" ? "R43" : values == "c" ? "R47" : "R31") "; MOV R11, " (values == "g" ? "R45" : "RZ")
}
function put(text, values) { # the new value's register
    gsub(/VALUE/, values == "g" ? "R42" : values == "c" ? "R46" : "R30", text)
    gsub(/UVAL/, values == "g" ? "UR36" : "UR30", text)
    gsub(/HIGH/, values == "g" ? "R54" : "RZ", text)
    gsub(/CONST/, values == "g" ? "c[in]" : "c[n]", text)
    return text
}
function shared(a, b,    i) { for (i = 1; i <= length(a); i++) if (index(b, substr(a, i, 1))) return substr(a, i, 1); return "" }
function kernel(p, c, values,    d, stall, file) {
    file = pfile[p]
    print ".kernel " (file == "R" ? "" : file "_") pname[p] "__" cname[c]
    print ".threads 32\n.shared 9216\n.registers 64\n.param ptr out, ptr in, ptr scratch, i32 n"
    print "    S2R R0, SR_TID.X ;\n    ULDC.64 UR4, c[descriptor] ;\n    LDC.64 R2, c[out] ;\n    IMAD.WIDE R2, R0, 0x4, R2 ;"
    print "    LDC.64 R44, c[in] ;\n    IMAD.WIDE R44, R0, 0x4, R44 ;\n    MOV R42, R44 ;\n    IADD3 R43, R44, 0x100, RZ ;\n    MOV R54, RZ ;\n    MOV R55, R45 ;"
    print "    LDC.64 R48, c[scratch] ;\n    IMAD.WIDE R48, R0, 0x4, R48 ;"
    print "    SHF.L.U32 R53, R0, 0x2, RZ ;\n    IADD3 R30, R53, 0x400, RZ ;\n    LOP3.LUT R31, R53, 0x4, RZ, 0x3c, !PT ;\n    IADD3 R31, R31, 0x480, RZ ;"
    print "    MOV R32, 0x3f800000 ;\n    MOV R33, 0x1 ;\n    MOV R34, R30 ;\n    MOV R35, RZ ;\n    MOV R36, RZ ;\n    MOV R37, 0x3ff00000 ;"
    print "    MOV R38, 0x3c003c00 ;\n    LOP3.LUT R46, R53, 0x4, RZ, 0xc0, !PT ;\n    IADD3 R46, R46, {ARCH >= 100 ? 0x380 : ARCH >= 90 ? 0x210 : 0x160}, RZ ;\n    LOP3.LUT R47, R53, 0x4, RZ, 0xc0, !PT ;"
    print "    MOV R51, 0x80000000 ;\n    MOV R52, 0x440 ;\n    MOV R40, 0x" ROUNDS " ;"
    print "    ISETP.EQ.AND P3, PT, R0, 0x6, PT ;\n    ISETP.EQ.OR P3, PT, R0, 0xa, P3 ;"
    print "    UMOV UR30, 0x440 ;\n    UMOV UR31, 0x8c0 ;\n    UMOV UR32, 0x220 ;\n    UMOV UR33, 0x1 ;\n    UMOV UR34, 0x2200000 ;"
    print "    ULDC.64 UR36, c[in] ;\n    UMOV UR38, UR36 ;\n    UMOV UR39, UR37 ;\n    UIADD3 UR37, UR36, 0x100, URZ ;"
    for (d = 0; d < 64; d++) print "    IADD3 R50, R53, 0x" sprintf("%x", d * 37) ", RZ ;\n    STS [R53+0x" sprintf("%x", 1024 + 128 * d) "], R50 ;"
    print "    NOP ;\nrounds:"
    for (d = 0; d <= MOST; d++) { # 0: without the producer, to show that the try can tell
        each("--:-:-:-:6", old(file, values))
        each("--:-:-:-:6", "MOV R20, RZ; UMOV UR20, URZ; ISETP.NE.AND P2, PT, RZ, RZ, PT; UISETP.NE.AND UP2, UPT, URZ, URZ, UPT")
        each("--:-:-:-:6", cbefore[c])
        quiet(3)
        if (d) line("--:-:-:" (d > 11 ? "Y" : "-") ":" sprintf("%x", d), put(ptext[p], values))
        text = ctext[c]; sub(/afterD/, "after" d, text); line("--:-:" (cbarrier[c] != "" ? "1" : "-") ":-:6", text)
        if (cname[c] == "guard_BRA") { quiet(1); line("--:-:-:-:6", "MOV R20, R30"); print "after" d ":" }
        line("01:-:-:Y:f", "NOP")
        quiet(3)
        each("--:-:1:-:6", cafter[c] ~ /^LD/ ? cafter[c] : "")
        each("--:-:-:-:6", cafter[c] ~ /^LD/ ? "" : cafter[c])
        line("01:-:-:Y:f", "NOP")
        line("--:2:-:-:4", "STG.E desc[UR4][R2.64], R20")
        line("02:-:-:-:6", "IADD3 R2, P5, R2, 0x80, RZ")
        line("--:-:-:-:6", "IADD3.X R3, R3, RZ, RZ, P5, !PT")
    }
    line("--:-:-:-:6", "IADD3 R40, R40, -0x1, RZ")
    line("--:-:-:Y:d", "ISETP.NE.AND P6, PT, R40, RZ, PT")
    line("--:-:-:-:5", "@P6 BRA `(rounds)")
    print "    EXIT ;\n"
}
END {
    for (p = 1; p <= n; p++) for (c = 1; c <= m; c++) {
        v = shared(pvalues[p], cvalues[c])
        if (pfile[p] != cfile[c] || v == "") continue
        if (count++ % PARTS != PART) continue
        kernel(p, c, v)
    }
}
