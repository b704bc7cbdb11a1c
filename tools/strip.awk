# A loop as a strip for plots/strip.gp, run by tools/lint.sh:
#
#     awk -v first=BYTES -v last=BYTES -v name=STEP,VARIANT -f strip.awk OUTPUT_OF_LINT_ALL OUTPUT_OF_DIS
#
# Prints step,variant,line,at,cycles,kind: eight lines with the same number of FFMA, `at` the cycles before in the line. Kinds:
# kept0 and kept1, FFMA of which one operand stays in the reuse cache, changing whenever another operand does; conflict, an
# FFMA that takes two cycles or more; shared, copy, integer, barrier, branch; never, what its guard @!PT rules out.
BEGIN { lines = 8; line = shade = x = 0 }
FNR == NR {
    if ($0 ~ /\/\/ bank conflict: /) {
        split($1, parts, /[+:]/)
        cycles = $0
        sub(/.*bank conflict: /, "", cycles)
        needs[number(parts[2])] = cycles + 0
    }
    next
}
/^[0-9a-f-][0-9a-f-]:/ {
    at = count++ * 16
    if (at < first || at > last) next
    text[++rows] = $0
    cost[rows] = at in needs ? needs[at] : 1
    if ($2 == "FFMA") fused++
}
function number(hex, i, value) {
    for (i = 3; i <= length(hex); i++) value = value * 16 + index("0123456789abcdef", substr(hex, i, 1)) - 1
    return value
}
# A run of FFMA shares the operand that each keeps for the next one; with a new run the shade changes.
function follow(row, operand, flag, slot) {
    split(text[row], operand, /, */)
    for (slot = 2; slot <= 3; slot++) {
        flag = sub(/\.reuse/, "", operand[slot])
        flagged[slot] = flag
    }
    if (!run_slot || !kept_on || operand[run_slot] != run) {
        shade = 1 - shade
        run_slot = flagged[2] ? 2 : flagged[3] ? 3 : 0
        run = operand[run_slot]
    }
    kept_on = flagged[run_slot]
}
function kind(row, name) {
    name = text[row]
    sub(/^[^ ]* +/, "", name)
    if (name ~ /^@!PT/) return "never"
    sub(/^@[^ ]* +/, "", name)
    if (name ~ /^FFMA /) {
        if (cost[row] > 1) return "conflict"
        return "kept" shade
    }
    if (name ~ /^LDS/) return "shared"
    if (name ~ /^LDG(STS|DEPBAR)/) return "copy"
    if (name ~ /^(BAR|DEPBAR|WARPSYNC)/) return "barrier"
    if (name ~ /^(BRA|BSSY|BSYNC)/) return "branch"
    return "integer"
}
function flush() {
    if (width) print name "," line "," start "," width "," now
    width = 0
    now = ""
}
END {
    for (i = 1; i <= rows; i++) {
        if (done * lines >= (line + 1) * fused && line < lines - 1) { flush(); line++; x = 0 }
        fma = text[i] ~ / FFMA / && text[i] !~ / @!PT /
        if (fma) { done++; follow(i) }
        what = kind(i)
        if (what != now || !fma) { flush(); start = x; now = what }
        width += cost[i]
        x += cost[i]
    }
    flush()
}
