# A CSV file in the columns that something reads: awk -v columns=NAME,NAME,... -f tools/condense.awk FILE
#
# Of each row the leading fields that are those of the row before are left empty; tools/rows.awk fills them in again, and build/order_fit
# reads them so. The more a column stays the same, the further in front it belongs. NAME:10 is the first 10 characters: a time's day.
function field_of(line, list, n) {
    for (n = 1; match(line, /^("[^"]*")*[^",]*/); line = substr(line, RLENGTH + 2)) {
        list[n] = substr(line, 1, RLENGTH)
        if (RLENGTH >= length(line)) break
        n++
    }
    return n
}
function quit(text) {
    printf "condense.awk: %s: %s\n", FILENAME, text > "/dev/stderr"
    exit failed = 1
}
NR == 1 {
    count = split(columns, wanted, ",")
    for (i = field_of($0, name); i >= 1; i--) at[name[i]] = i
    for (i = 1; i <= count; i++) {
        split(wanted[i], part, ":")
        if (!(part[1] in at)) quit("no column \"" part[1] "\"")
        place[i] = at[part[1]]; most[i] = part[2] ? part[2] : 1e9
        line = line (i > 1 ? "," : "") part[1]
    }
    print line
    next
}
{
    field_of($0, value)
    for (same = 0; same < count - 1 && NR > 2 && substr(value[place[same + 1]], 1, most[same + 1]) == shown[same + 1]; same++) continue
    for (i = 1; i <= count; i++) shown[i] = substr(value[place[i]], 1, most[i])
    if (shown[same + 1] == "") same = 0 # an empty field must not look like one that is left out
    for (i = 1; i <= count; i++) printf "%s%s", (i > same ? shown[i] : ""), (i < count ? "," : "\n")
}
