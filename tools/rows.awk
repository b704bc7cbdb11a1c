# The header and the whole rows of a CSV file, filled in: awk -v name=FILE -v cut=yes -f tools/rows.awk FILE
#
# A row is whole that has as many fields as the header; the last line, with `cut` (it has no end), is not. What is left out is said.
# Leading fields that are empty are those of the row before (tools/condense.awk leaves them out).
function fields(line) {
    gsub(/"[^"]*"/, "", line)
    return split(line, part_, ",")
}
function filled(line, row, i, rest, at) {
    if (row == 2) before = ""
    rest = before
    for (i = match(line, /^,+/) ? RLENGTH : 0; i > 0 && match(rest, /^("[^"]*")*[^",]*,/); i--) {
        at += RLENGTH
        rest = substr(rest, RLENGTH + 1)
        line = substr(line, 2)
    }
    return before = substr(before, 1, at) line
}
function take(line, row) {
    sub(/\r$/, "", line)
    if (row == 1) width = fields(line)
    if (fields(line) == width) print filled(line, row)
    else if (line != "") leave(row)
}
function leave(row) { if (!left++) first = row }
NR > 1 { take(held, NR - 1) }
{ held = $0 }
END {
    if (NR == 1 || NR && !cut) take(held, NR)
    else if (NR) leave(NR)
    if (left) printf "%s:%d: cut short and left out%s\n", name, first, (left > 1 ? ", as " left - 1 " more" : "") > "/dev/stderr"
}
