# The hot loop in the output of `sass lint`, for tools/lint.sh: the innermost loop with the most FFMA, of several the one with the
# fewest instructions (the versions for operands that are not aligned have more), then the fewest cycles.
# Prints: first last bytes instructions FFMA conflicts cycles/FFMA expected idle (first and last: bytes of code)
function number(hex, i, value) {
    for (i = 3; i <= length(hex); i++) value = value * 16 + index("0123456789abcdef", substr(hex, i, 1)) - 1
    return value
}
/: loop 0x/ && / issue cycles per FFMA/ {
    loops++
    for (i = 1; i < NF; i++) {
        unit = $(i + 1)
        if ($i == "loop") { from[loops] = number(unit); stop = $(i + 3); sub(/:$/, "", stop); to[loops] = number(stop) }
        if (unit ~ /^bytes/) bytes[loops] = $i
        if (unit ~ /^instructions/) instructions[loops] = $i
        if (unit ~ /^FFMA,/ && $i ~ /^[0-9]/) fused[loops] = $i
        if (unit == "bank-conflict") conflicts[loops] = $i
        if (unit == "issue") cycles[loops] = $i
        if (unit == "expected") expected[loops] = $i
        if (unit == "idle") idle[loops] = $i
    }
}
function is_inner(a, b) {
    for (b = 1; b <= loops; b++)
        if (b != a && from[b] >= from[a] && to[b] <= to[a]) return 0
    return 1
}
function is_hotter(a, b) {
    if (fused[a] != fused[b]) return fused[a] + 0 > fused[b] + 0
    if (instructions[a] != instructions[b]) return instructions[a] + 0 < instructions[b] + 0
    return cycles[a] + 0 < cycles[b] + 0
}
END {
    for (i = 1; i <= loops; i++) {
        if (!is_inner(i)) continue
        if (!best || is_hotter(i, best)) best = i
    }
    if (best)
        print from[best], to[best], bytes[best], instructions[best], fused[best], conflicts[best], cycles[best], expected[best], idle[best]
}
