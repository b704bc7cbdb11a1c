# Shapes one memory request of a warp, as `build/simrun --picture` writes it, for request.gp:
#
#     awk -v out=DIR -v name=FILE -f request.awk <FILE
#
# Read, a line a lane: lane,address,phase,first_bank,last_bank for shared memory, where phase is the wavefront, or
# lane,address,bytes,first_sector,last_sector for global memory. Of the latter the sectors are found from address and bytes.
# Written, with | between the fields:
#
# DIR/cells.txt  x low,x high,y low,y high,kind,lanes,offset   kind: once, conflict, used, unused
# DIR/facts.gp   how many of what
# DIR/rows.gp    labels beside the rows: a wavefront each, or a line of 128 bytes
BEGIN { FS = "," }
{ sub(/\r$/, "") }
NR == 1 {
    for (i = 1; i <= NF; i++) at[$i] = i
    global = "bytes" in at
    if (!("lane" in at && "address" in at && (global || ("phase" in at && "first_bank" in at && "last_bank" in at))))
        fail("line 1: expected the columns that `build/simrun --picture` writes: lane,address,phase,first_bank,last_bank or " \
            "lane,address,bytes,first_sector,last_sector")
    next
}
NF {
    l = $at["lane"] + 0
    if (NF < 5 || $at["lane"] !~ /^[0-9]+$/ || l > 31 || $at["address"] !~ /^[0-9]+$/)
        fail("line " NR ": no lane 0 to 31 with an address: " $0)
    lanes++
    on[l] = 1
    address[l] = $at["address"] + 0
    if (lanes == 1 || address[l] < lowest) lowest = address[l]
    if (global) { width_bytes = $at["bytes"] + 0; next }
    phase[l] = $at["phase"] + 0; first[l] = $at["first_bank"] + 0
    if ($at["last_bank"] - first[l] + 1 > banks) banks = $at["last_bank"] - first[l] + 1
}
function fail(text) { printf "%s: %s\n", name, text > "/dev/stderr"; failed = 1; exit 1 }

# Lanes as text: 0,1 or 0-7.
function joined(list, count, i, j, text) {
    split(list, lane_, ",")
    for (i = 1; i <= count; i = j + 1) {
        for (j = i; j < count && lane_[j + 1] == lane_[j] + 1; j++) ;
        if (j < i + 2) j = i
        text = text (i > 1 ? "," : "") lane_[i] (j > i ? "-" lane_[j] : "")
    }
    return text
}
function wrapped(text, width, parts, count, i, line, all) { # lines of at most `width` characters, broken after commas
    count = split(text, parts, ",")
    for (i = 1; i <= count; i++) {
        if (line != "" && length(line parts[i]) + 1 > width) { all = all line ",\\n"; line = ""; lines++ }
        line = line (line == "" ? "" : ",") parts[i]
    }
    return all line
}
function beside(row, left, right) {
    printf "set label \"%s\" at graph -0.012, first %d right font \",12\" textcolor rgb ink\n", left, row > (out "/rows.gp")
    printf "set label \"%s\" at graph 1.012, first %d left font \",12\" textcolor rgb beside_color\n", right, row > (out "/rows.gp")
}
function collect(key, l) { # in the order of first appearance
    if (!(key in size)) { order[++cells] = key; size[key] = 0 }
    list[key] = list[key] (size[key]++ ? "," : "") l
}
function cell(x, width, row, kind, text, offset) {
    lines = 1
    text = wrapped(text, width < 2 ? 5 : width < 3 ? 8 : 13)
    if (lines > deepest) deepest = lines
    if (width < 2 && length(text) > 3) crowded = 1
    printf "%g|%g|%g|%g|%s|%s|%s\n", x - 0.5, x + width - 0.5, row - 0.46, row + 0.46, kind, text, offset > (out "/cells.txt")
}
# The lanes that shared memory serves together (sasskit/sim/counts/banks.c): the warp; for wider accesses halves or quarters of it, of
# which two neighbours count as one when every lane reads what lane ^ 1, or every lane what lane ^ 2, reads. The CSV does not say
# whether it was a load; in a wide store, where neighbours do not share, this holds as long as no two lanes write the same place.
function paired(low, count, by, i, j) {
    for (i = low; i < low + count; i++) {
        j = by == 1 ? i + 1 - 2 * (i % 2) : i + 2 - 4 * (int(i / 2) % 2)
        if ((i in on) && (j in on) && address[i] != address[j]) return 0
    }
    return 1
}
function group(l, few, pair) {
    if (banks == 1) return 0
    few = banks == 2 ? 16 : 8
    pair = int(l / (2 * few)) * 2 * few
    return paired(pair, 2 * few, 1) || paired(pair, 2 * few, 2) ? pair : int(l / few) * few
}
function draw_shared(l, i, p, parts, wanted, waves, excess, kind, text, word) {
    for (l = 0; l < 32; l++) {
        if (!(l in on)) continue
        if (phase[l] + 1 > waves) waves = phase[l] + 1
        word = address[l] - address[l] % 4
        collect(phase[l] SUBSEP first[l] SUBSEP word, l)
        group_of[phase[l]] = group(l)
        if (!((group(l), word) in known)) { known[group(l), word] = 1; wanted[group(l), first[l]]++ }
    }
    for (i = 1; i <= cells; i++) { # of two that meet in a bank, the one that waits
        split(order[i], parts, SUBSEP); p = parts[1]
        kind = wanted[group_of[p], parts[2]] > 1 && p > 0 && group_of[p] == group_of[p - 1] ? "conflict" : "once"
        cell(parts[2], banks, parts[1], kind, joined(list[order[i]], size[order[i]]), banks > 3 ? sprintf("+%d", parts[3] - lowest) : "")
    }
    for (p = 0; p < waves; p++) {
        kind = p > 0 && group_of[p] == group_of[p - 1] ? "conflict" : "once"
        excess += kind == "conflict"
        text = kind == "conflict" ? "waits: bank taken" : ""
        beside(p, "wavefront " p + 1, text)
    }
    printf "rows = %d\nkind = \"shared\"\nexcess = %d\nbytes = %d\n", waves, excess, 4 * banks > (out "/facts.gp")
}
function draw_global(l, i, j, key, lines_, parts, s, used, sectors, start) {
    start = int(lowest / 128) * 128 # small numbers from here on: some awks know integers up to 2^31 only
    for (l in on) address[l] -= start
    for (l = 0; l < 32; l++) {
        if (!(l in on)) continue
        key = int(address[l] / 32)
        if (!(key in touched)) { touched[key] = 1; sectors++; line_sectors[int(key / 4)]++ }
        key = int(key / 4)
        if (!(key in row)) { row[key] = 1; line_list[++lines_] = key }
    }
    # Lines of 128 bytes in the order of their addresses.
    for (i = 2; i <= lines_; i++) {
        key = line_list[i]
        for (j = i - 1; j >= 1 && line_list[j] > key; j--) line_list[j + 1] = line_list[j]
        line_list[j + 1] = key
    }
    for (i = 1; i <= lines_; i++) {
        row[line_list[i]] = i - 1
        s = line_sectors[line_list[i]]
        beside(i - 1, sprintf("+%d bytes", 128 * line_list[i]), s " sector" (s > 1 ? "s" : ""))
        for (s = 0; s < 4; s++) {
            if (!((4 * line_list[i] + s) in touched)) continue
            cell(8 * s, 8, i - 1, "unused", "", "")
        }
    }
    for (l = 0; l < 32; l++) {
        if (!(l in on)) continue
        collect(int(address[l] / 128) SUBSEP (int(address[l] / 4) % 32), l)
        if (!(address[l] in known)) { known[address[l]] = 1; used += width_bytes }
    }
    for (i = 1; i <= cells; i++) {
        split(order[i], parts, SUBSEP)
        cell(parts[2], width_bytes < 4 ? 1 : width_bytes / 4, row[parts[1]], "used", joined(list[order[i]], size[order[i]]), "")
    }
    printf "rows = %d\nkind = \"global\"\nsectors = %d\nused = %d\nbytes = %d\n", lines_, sectors, used, width_bytes > (out "/facts.gp")
}
END {
    if (failed) exit 1
    if (!lanes) { print name ": no lane in it: was the instruction executed, and is it a memory instruction?" > "/dev/stderr"; exit 1 }
    deepest = 1
    printf "" > (out "/cells.txt"); printf "" > (out "/rows.gp")
    if (global) draw_global(); else draw_shared()
    printf "deepest = %d\ncrowded = %d\n", deepest, crowded > (out "/facts.gp")
}
