# Reads a trace of build/simrun --timeline (one event a line) and writes what slots.gp draws: boxes of equal colour.
#
#     awk -v first=CYCLE -v count=CYCLES -v scheduler=0..3 -v out=DIR -v name=FILE -f slots.awk <FILE
#
# DIR/boxes.csv: row,from,to,kind (row 0 is the scheduler's issue slots, the others its warps); rows.csv: row,label; blocks.csv: the
# cycles in which a block starts or ends. A window wider than BINS cycles is drawn in as many bins, each in the colour of most of it.
function kind_of(category, name) {
    if (category == "stall") return name in stall ? stall[name] : 12
    if (name ~ /^(FFMA|DFMA|HFMA2|HGMMA|HMMA)/) return 1
    if (name ~ /^(LDS|STS|LDSM|ATOMS|SHFL)/) return 3
    if (name ~ /^(LDG|STG|LDGSTS|LD|ST|TLD|RED|ATOM|LDGDEPBAR)/) return 4
    if (name ~ /^(BAR|BRA|EXIT|DEPBAR|NOP|WARPSYNC|BSSY|BSYNC)/) return 5
    return 2
}
function field(key, text) {
    if (!match($0, "\"" key "\": \"?[^,\"}]*")) return ""
    text = substr($0, RSTART, RLENGTH)
    sub(/^[^:]*: "?/, "", text)
    return text
}
function fill(row, from, to, kind, x, bin) {
    if (from < first) from = first
    if (to > first + count) to = first + count
    for (x = from; x < to; x++) {
        bin = int((x - first) / width)
        cycles[row, bin, kind]++
    }
}
function write_row(row, bin, kind, most, start, last) {
    last = -1
    for (bin = 0; bin <= bins; bin++) {
        most = 0
        for (kind = 1; kind <= 12 && bin < bins; kind++)
            if (cycles[row, bin, kind] > (most ? cycles[row, bin, most] : 0)) most = kind
        if (row == 0 && most && 2 * issued[bin] < width) most = 0 # a slot that is mostly empty
        if (bin && (most != last || bin == bins)) {
            if (last) print row, first + start * width, first + bin * width, last > (out "/boxes.csv")
            start = bin
        }
        if (!bin) start = 0
        last = most
    }
}
BEGIN {
    OFS = ","
    BINS = 600
    width = count > BINS ? int((count + BINS - 1) / BINS) : 1
    bins = int((count + width - 1) / width)
    split("barrier:6 long_scoreboard:7 short_scoreboard:8 mio_throttle:9 lg_throttle:9 tex_throttle:9 wait:10 not_selected:11", part, " ")
    for (i in part) {
        split(part[i], pair, ":")
        stall[pair[1]] = pair[2]
    }
    printf "" > (out "/blocks.csv")
}
/"ph": "X"/ {
    from = field("ts") + 0
    to = from + field("dur")
    if (field("pid") == 4) {
        if (from >= first && from < first + count) print from > (out "/blocks.csv")
        if (to >= first && to < first + count) print to > (out "/blocks.csv")
        next
    }
    if (field("pid") != scheduler || to <= first || from >= first + count) next
    warp = field("tid") + 0
    kind = kind_of(field("cat"), field("name"))
    if (!(warp in seen)) seen[warp] = 1
    if (warp > largest) largest = warp
    events[++n] = warp " " from " " to " " kind
    if (kind <= 5) fill(0, from, to, kind)
    if (kind <= 5 && from >= first && from < first + count) issued[int((from - first) / width)]++
}
END {
    if (!n) {
        printf "%s: no warp of scheduler %d in cycles %d to %d\n", name, scheduler, first, first + count - 1 > "/dev/stderr"
        exit 1
    }
    for (warp = 0; warp <= largest; warp++) if (warp in seen) row_of[warp] = ++rows
    for (i = 1; i <= n; i++) {
        split(events[i], e, " ")
        fill(row_of[e[1]], e[2], e[3], e[4])
    }
    for (row = 0; row <= rows; row++) write_row(row)
    print 0, "issue" > (out "/rows.csv")
    for (warp = 0; warp <= largest; warp++) if (warp in seen) print row_of[warp], "warp " warp > (out "/rows.csv")
    print "rows = " rows > (out "/facts.gp")
    print "from = " first "; to = " first + count > (out "/facts.gp")
}
