# Replaces the FFMA of a kernel's text (sass dis) by 512 of the operand pattern -v pattern=NAME, then EXIT; what is before
# and after becomes NOP. R0 to R61 are the accumulators, a new one each time, R64 to R79 a and b.
function ffma(a, b, c, flag_a, flag_b) {
    # Stall 1 has the yield bit set, without which the reuse cache is lost.
    printf "--:-:-:-:1  FFMA R%d, R%d%s, R%d%s, R%d ;\n", c, a, flag_a ? ".reuse" : "", b, flag_b ? ".reuse" : "", c
}
# An 8 x 8 tile in serpentine order, eight times over: a is kept along a row, b over the turn. `same`: the accumulators
# are in b's bank rather than in the other one.
function tile(flags, same,    n, row, column, turn, bank) {
    for (n = 0; n < 512; n++) {
        row = int(n / 8) % 8
        turn = n % 8 == 7
        column = row % 2 ? 7 - n % 8 : n % 8
        bank = same ? column % 2 : 1 - column % 2
        ffma((same ? 65 : 64) + row, 72 + column, 8 * row + 2 * int(column / 2) + bank, flags && !turn, flags && turn)
    }
}
function plain(n,    even, a, b) {
    even = 2 * (n % 30)
    a = 64 + 2 * (n % 4)
    b = 72 + 2 * (n % 4)
    if (pattern == "all_even") ffma(a, b, even)
    if (pattern == "two_even_one_odd") ffma(a, b, even + 1)
    if (pattern == "one_odd_two_even") ffma(a + 1, b, even)
    if (pattern == "a_repeated_without_flag") ffma(64, b, even + 1)
    if (pattern == "a_kept_b_c_same_bank") ffma(64, b, even, 1)
    if (pattern == "a_kept_b_c_other_banks") ffma(64, b, even + 1, 1)
    if (pattern == "a_and_b_kept") ffma(64, 72, even, 1, 1)
}
/FFMA/ {
    if (done++) next
    for (n = 0; n < 512; n++) plain(n)
    if (pattern == "tile") tile(1, 0)
    if (pattern == "tile_without_flags") tile(0, 0)
    if (pattern == "tile_b_c_same_bank") tile(1, 1)
    next
}
/ ;$/ { print "--:-:-:Y:5 ", done && !left++ ? "EXIT ;" : "NOP ;"; next }
{ print }
