# Prints random kernels in which warps load and store words of shared memory between barriers:
#     awk -v seed=1 -v count=100 -v list=FILE -f draw.awk
# Prints their machine code. FILE gets a line per kernel: its name, its threads, and its race, if
# any. Two accesses to a word race if they are by different threads, one of them writes, and nothing
# orders them: no barrier (between warps) and no WARPSYNC (between lanes of a warp).
function below(n) {
    state = state * 16807 % 2147483647
    return int(state / 64) % n
}

# A lane's address is base + width * ((lane * factor ^ flip) mod 64), in words. A lane takes part if
# its bits `which` equal `what`.
function draw_access(warp, own) {
    width = 2 ^ below(3)
    writes = below(5) < 2
    factor = below(4) ? 1 + below(5) : 16 * below(2)
    flip = below(2) * below(32)
    base = own ? 256 * warp % 512 + 64 * below(2) : 4 * below(64)
    if (own && below(2)) factor = 1 # each lane has a word of its own
    which = below(3) ? 0 : 2 ^ below(5)
    what = which * below(2)
}

function bit_xor(a, b,    sum, bit) {
    for (bit = 1; bit < 64; bit *= 2) if (int(a / bit) % 2 != int(b / bit) % 2) sum += bit
    return sum + 0
}

function touch(thread, word, step,    i, before, n) {
    n = touches[word]
    for (i = 1; i <= n && race == ""; i++) {
        split(touched[word, i], before)
        if (before[1] == thread || !(before[2] + writes) || before[3] != barriers) continue
        if (int(before[1] / 32) == int(thread / 32) && before[4] != meetings) continue
        race = sprintf("threads %d and %d at word %d, steps %d and %d", before[1], thread, word, before[5], step)
    }
    touched[word, ++touches[word]] = thread " " (writes + 0) " " barriers " " meetings " " step
}

function access(warp, step,    lane, word, i, size) {
    size = width == 1 ? "" : "." 32 * width
    printf "    LOP3.LUT R2, R0, 0x%x, RZ, 0xc0, !PT ;\n    ISETP.EQ.U32.AND P0, PT, R2, 0x%x, PT ;\n", 224 + which, 32 * warp + what
    printf "    MOV R3, 0x%x ;\n    IMAD R3, R1, R3, RZ ;\n    LOP3.LUT R3, R3, 0x%x, RZ, 0x3c, !PT ;\n", factor, flip
    printf "    LOP3.LUT R3, R3, 0x3f, RZ, 0xc0, !PT ;\n    IMAD.SHL.U32 R3, R3, 0x%x, RZ ;\n", 4 * width
    # All values differ
    for (i = 0; i < width && writes; i++) printf "    IADD3 R%d, R9, 0x%x, RZ ;\n", 4 + i, 4096 * step + i
    if (writes) printf "    @P0 STS%s [R3+0x%x], R4 ;\n", size, 1024 + 4 * base
    else printf "    @P0 LDS%s R12, [R3+0x%x] ;\n", size, 1024 + 4 * base
    for (lane = 0; lane < 32; lane++) {
        if (which && int(lane / which) % 2 * which != what) continue
        word = base + width * (bit_xor(lane * factor % 64, flip))
        for (i = 0; i < width; i++) touch(32 * warp + lane, word + i, step)
    }
}

BEGIN {
    state = 2147483 + seed
    for (n = 1; n <= count; n++) {
        split("", touches)
        split("", touched)
        race = ""
        barriers = meetings = 0
        warps = 1 + below(3)
        steps = 2 + below(6)
        own = below(4)
        printf ".kernel drawn_%d\n.threads %d\n.shared 4096\n    S2R R0, SR_TID.X ;\n", n, 32 * warps
        print "    LOP3.LUT R1, R0, 0x1f, RZ, 0xc0, !PT ;\n    IMAD.SHL.U32 R9, R0, 0x4, RZ ;\n    IADD3 R8, -R0, RZ, RZ ;"
        for (word = 0; word < 768; word += 32 * warps) printf "    STS [R9+0x%x], R8 ;\n", 1024 + 4 * word
        print "    BAR.SYNC.DEFER_BLOCKING 0x0 ;"
        for (step = 1; step <= steps; step++) {
            kind = below(8)
            if (kind == 0) { print "    BAR.SYNC.DEFER_BLOCKING 0x0 ;"; barriers++; meetings++; continue }
            if (kind < 3) { print "    WARPSYNC.ALL ;"; meetings++; continue }
            for (warp = 0; warp < warps; warp++) {
                draw_access(warp, own)
                access(warp, step)
            }
        }
        print "    EXIT ;\n"
        print "drawn_" n, 32 * warps, race >list
    }
}
