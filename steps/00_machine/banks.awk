# Replaces the operands of the 512 FFMAs in the loop of probe_bank. Its input is the text that
# `build/sass dis` prints:
#
#     awk -v pattern=NAME -f steps/00_machine/banks.awk bank.sass
#
# The new operands are registers that the compiler chose for these FFMAs, so that all other
# registers keep their values. Eight even and eight odd registers hold a and b; the rest are
# accumulators. Each FFMA keeps its wait mask.
function fail(text) {
    print "banks.awk: " text > "/dev/stderr"
    failed = 1
    exit 1
}
function add(name, n) {
    if (name in seen) return
    seen[name] = 1
    n = substr(name, 2) % 2
    pool[n, count[n]++] = name
}
# Returns register i of those with this parity: 0 to 3 hold a, 4 to 7 b, the others accumulators.
function operand(parity, i) { return pool[parity, i] }
# The registers of a[i] and b[i] have the parity of i.
function a(i) { return operand(i % 2, int(i / 2)) }
function b(i) { return operand(i % 2, 4 + int(i / 2)) }
function c(parity, i) { return operand(parity, 8 + i % (count[parity] - 8)) }
function ffma(wait, ra, rb, rc, keep_a, keep_b) {
    # After an instruction with stall 1, the reuse cache keeps its operands only if that
    # instruction's yield bit is set, which is written as `-`.
    printf "%s:-:-:-:1  FFMA %s, %s%s, %s%s, %s ;\n", wait, rc, ra, keep_a ? ".reuse" : "", rb, keep_b ? ".reuse" : "", rc
}
# Writes FFMA n of an 8 x 8 tile in serpentine order: the reuse cache keeps a along a row, and b
# where the row changes. `order` lists the columns of a row. `where` sets the banks of b and C:
#   "other": different banks; "same": one bank; "even": every b and C is in an even register;
#   "a_even": like "other", and every a is in an even register
function tile(n, wait, flags, where, order, row, column, turn, ra, rb, rc) {
    row = int(n / 8) % 8
    turn = n % 8 == 7
    column = substr(order, row % 2 ? 8 - n % 8 : 1 + n % 8, 1)
    ra = a(row); rb = b(column); rc = c(1 - column % 2, 4 * row + int(column / 2))
    if (where == "a_even") ra = a(2 * (row % 4))
    if (where == "same") { ra = a(row + 1); rc = c(column % 2, 4 * row + int(column / 2)) }
    if (where == "even") { rb = b(2 * (column % 4)); rc = c(0, n) }
    ffma(wait, ra, rb, rc, flags && !turn, flags && turn)
}
function write(n, wait) {
    if (pattern == "all_even") ffma(wait, a(2 * (n % 4)), b(2 * (n % 4)), c(0, n))
    else if (pattern == "two_even_one_odd") ffma(wait, a(2 * (n % 4)), b(2 * (n % 4)), c(1, n))
    else if (pattern == "a_repeated_without_flag") ffma(wait, a(0), b(2 * (n % 4)), c(1, n))
    else if (pattern == "a_kept_b_c_same_bank") ffma(wait, a(0), b(2 * (n % 4)), c(0, n), 1)
    else if (pattern == "a_kept_b_c_other_banks") ffma(wait, a(0), b(2 * (n % 4)), c(1, n), 1)
    else if (pattern == "a_and_b_kept") ffma(wait, a(0), b(0), c(0, n), 1, 1)
    else if (pattern == "a_of_two_banks_in_turn") ffma(wait, a(n % 2), b(2 * (n % 4)), c(0, n), 1)
    else if (pattern == "a_of_two_banks_without_flags") ffma(wait, a(n % 2), b(2 * (n % 4)), c(0, n))
    else if (pattern == "a_of_one_bank_in_turn") ffma(wait, a(2 * (n % 2)), b(2 * (n % 4)), c(0, n), 1)
    else if (pattern == "tile") tile(n, wait, 1, "other", "01234567")
    else if (pattern == "tile_without_flags") tile(n, wait, 0, "other", "01234567")
    else if (pattern == "tile_without_flags_a_even") tile(n, wait, 0, "a_even", "01234567")
    else if (pattern == "tile_b_c_same_bank") tile(n, wait, 1, "same", "01234567")
    else if (pattern == "tile_b_c_same_bank_even_first") tile(n, wait, 1, "same", "02461357")
    else if (pattern == "tile_b_c_all_even") tile(n, wait, 1, "even", "01234567")
    else fail("unknown pattern '" pattern "'")
}
{ line[NR] = $0 }
/^[.A-Za-z_][^ ]*:/ { label[substr($1, 1, length($1) - 1)] = NR }
END {
    if (failed) exit 1
    for (i = 1; i <= NR; i++) { # the loop: from a label to the longest back edge
        if (line[i] !~ /BRA `\(/) continue
        target = line[i]
        sub(/.*`\(/, "", target); sub(/\).*/, "", target)
        if ((target in label) && label[target] < i && i - label[target] > last - first) { first = label[target]; last = i }
    }
    for (i = first; i < last; i++) {
        if (line[i] !~ / FFMA /) continue
        ffmas++
        text = line[i]
        gsub(/[,;]|\.reuse/, " ", text)
        split(text, field, " ")
        for (j = 3; j <= 6; j++) add(field[j])
    }
    if (ffmas != 512) fail("expected a loop of 512 FFMA, found " ffmas + 0)
    if (count[0] < 16 || count[1] < 16) fail("expected 16 even and 16 odd registers, found " count[0] + 0 " and " count[1] + 0)
    for (i = 1; i <= NR; i++) {
        if (i > first && i < last && line[i] ~ / FFMA /) write(n++, substr(line[i], 1, index(line[i], ":") - 1))
        else print line[i]
    }
}
