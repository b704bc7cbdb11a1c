# The header and the whole rows of a CSV file: awk -v name=FILE -v cut=yes -f tools/rows.awk FILE
#
# A row is whole that has as many fields as the header; the last line, with `cut` (it has no end), is not. What is left out is said.
function fields(line) {
    gsub(/"[^"]*"/, "", line)
    return split(line, part_, ",")
}
function take(line, number) {
    sub(/\r$/, "", line)
    if (number == 1) width = fields(line)
    if (fields(line) == width) print line
    else if (line != "") leave(number)
}
function leave(number) { if (!left++) first = number }
NR > 1 { take(held, NR - 1) }
{ held = $0 }
END {
    if (NR == 1 || NR && !cut) take(held, NR)
    else if (NR) leave(NR)
    if (left) printf "%s:%d: cut short and left out%s\n", name, first, (left > 1 ? ", as " left - 1 " more" : "") > "/dev/stderr"
}
