# Rows of a table_... view (tables.sql), as sqlite3 prints them with headings and tabs, and how figures are shown. Formats:
#
#     0 to 9   so many decimals; +1 with the sign     three   three digits or so
#     speed    TFLOP/s: 1 decimal, below 1 two        count   whole numbers grouped, millions from ten million on
#     short    a whole number, or two decimals        (none)  as it is
function shown(value, format) {
    if (sub(/ !$/, "", value)) return shown(value, format) " !" # told apart: the table's note says by what
    if (value !~ /^-?[0-9.]/ || format == "") return value
    value += 0
    if (format ~ /^[0-9]$/) return sprintf("%." format "f", value)
    if (format == "+1") return sprintf("%+.1f", value)
    if (format == "speed") return sprintf(value < 1 ? "%.2f" : "%.1f", value)
    if (format == "three") return sprintf(value >= 99.95 ? "%.0f" : value >= 9.995 ? "%.1f" : "%.2f", value)
    if (format == "short") return sprintf(value == int(value) ? "%.0f" : "%.2f", value)
    if (value >= 1e7) return grouped(sprintf("%.0f", value / 1e6)) " M"
    if (value == int(value)) return grouped(sprintf("%.0f", value))
    return sprintf(value < 10 ? "%.2f" : "%.1f", value)
}
function grouped(digits, out) { # 2148000 -> 2,148,000
    for (out = ""; length(digits) > 3; digits = substr(digits, 1, length(digits) - 3))
        out = "," substr(digits, length(digits) - 2) out
    return digits out
}
function is_argument(name) { return name ~ /^[A-Z]+$/ || name ~ /^\[.*\]$/ }
function add_cell(head, value, format) {
    number[++width] = match(head, /:[a-z0-9+]*$/)
    format = number[width] ? substr(head, RSTART + 1) : ""
    heading[width] = number[width] ? substr(head, 1, RSTART - 1) : head == " " || head == "  " ? "" : head
    cell[width] = shown(value, format)
}
# Splits a row, given the line of headings: `width` columns of heading[], number[] (to the right) and cell[]; and `note`.
function split_row(headings, line, head, value, i, j, n, part, item) {
    n = split(headings, head, "\t")
    split(line, value, "\t")
    width = 0; note = ""
    for (i = 1; i <= n; i++) {
        if (is_argument(head[i])) continue
        else if (head[i] == "note") note = value[i]
        else if (head[i] == "columns") {
            split(value[i + 1], item, "|")
            for (j = 1; j <= split(value[i], part, "|"); j++) add_cell(part[j], item[j])
            i++
        } else add_cell(head[i], value[i])
    }
}
