# Shapes machine.csv into what machine.gp reads: awk -v out=DIR -v machine=machine.csv -f tools/machine.awk -f probes.awk
#
# DIR/throughput.csv, DIR/advice.csv    place,label,measured,documented,beside,family    results per clock and SM; places from
#                                       the top; beside: where the figure stands, right of the bar and of a tick that is near;
#                                       family: 0 or 1, another one than the row above where another thing is computed
# DIR/facts.gp                          how many of each, and where they were measured
function quoted(text) { gsub(/["\\]/, "", text); return "\"" text "\"" }
function write_group(group, i, f, id, place, file, family, previous, value, documented, beside) {
    file = out "/" group ".csv"
    printf "" > file
    for (i = 1; i <= machine_rows; i++) {
        id = machine_list[i]
        split(id, f, SUBSEP)
        if (f[1] != group || machine_value[id] + 0 <= 0) continue
        if (place < 0 && f[2] != previous) family = 1 - family
        previous = f[2]
        value = machine_value[id]; documented = machine_documented[id]
        beside = documented + 0 > value + 0 && documented - value < 16 ? documented : value
        printf "%d,%s,%s,%s,%s,%d\n", place--, quoted(f[2] (f[3] == "" ? "" : ": " f[3])), value, documented, beside, family > file
    }
    printf "%s_count = %d\n", group, -place > (out "/facts.gp")
}
# The newest row says where.
function write_origin(line, f, head, n, i) {
    while ((getline line < machine) > 0) {
        n = split(line, f, ",")
        if (!head["time"]) { for (i = 1; i <= n; i++) head[f[i]] = i; continue }
        if (f[head["backend"]] == "sim" || f[head["group"]] == "host" || f[head["time"]] < newest) continue
        newest = f[head["time"]]
        origin = f[head["device"]] ", driver " f[head["driver"]] ", " substr(newest, 1, 10) ", commit " f[head["commit"]]
    }
    close(machine)
    printf "origin = %s\n", quoted(origin) > (out "/facts.gp")
}
END {
    write_origin()
    load_machine(machine)
    write_group("throughput")
    write_group("advice")
}
