# Rewrites the measured tables and figures of one Markdown file; run by tools/docs.sh, which says what they are.
#
#     awk -v newest=NEWEST.csv -v counters=COUNTERS.csv -v machine=MACHINE.csv -v lint=LINT.csv -v copy_power=COPIES.csv -v order_times=ORDER.csv -v file=FILE \
#         -f counters.awk -f machine.awk -f docs.awk FILE
#
# The four CSV files may be absent; a table without data says so. Prints the new text. Exit status 2: a marker is wrong.
function fail(text) {
    printf "%s:%d: %s\n", file, FNR, text > "/dev/stderr"
    failed = 2
    exit 2
}
function shape(m, n, k) { return (m == n && n == k) ? m : m "x" n "x" k }
function load_results(line, f, head, i, width, step, key) {
    if ((getline line < newest) <= 0) return
    width = split(line, head, ",")
    while ((getline line < newest) > 0) {
        if (split(line, f, ",") != width) continue
        for (i = 1; i <= width; i++) row[head[i]] = f[i]
        step = row["step"]
        key = step SUBSEP row["variant"] SUBSEP shape(row["m"], row["n"], row["k"]) SUBSEP row["mode"]
        for (i = 1; i <= width; i++) value[key, head[i]] = f[i]
        if (!(key in key_known)) { key_known[key] = 1; key_list[++keys] = key }
        if (!(step in variants)) { variants[step] = 0; step_list[++steps] = step }
        if (!((step, row["variant"]) in known)) {
            known[step, row["variant"]] = 1
            variant_list[step, ++variants[step]] = row["variant"]
        }
        if (row["last"]) last[step] = row["variant"]
        if (!(shape(row["m"], row["n"], row["k"]) in size_known)) {
            size_known[shape(row["m"], row["n"], row["k"])] = 1
            if (row["square"]) size_list[++sizes] = row["n"]
        }
        if (row["fp64"] && row["pct_peak"] > 0) peak_fp64 = 100 * row["tflops"] / row["pct_peak"]
        if (!row["fp64"] && row["pct_peak"] > 0 && row["tflops"] > best) { best = row["tflops"] + 0; peak = 100 * row["tflops"] / row["pct_peak"] }
        device = row["device"]; driver = row["driver"]
        if (row["time"] > newest_time) newest_time = row["time"]
        if (oldest_time == "" || row["time"] < oldest_time) oldest_time = row["time"]
        if (!(row["commit"] in commit_known)) {
            commit_known[row["commit"]] = 1
            commits = commits (commits == "" ? "" : ", ") "`" row["commit"] "`"
        }
        if (row["sm_mhz"] > 0) {
            if (slow[row["mode"]] == "" || row["sm_mhz"] + 0 < slow[row["mode"]]) slow[row["mode"]] = row["sm_mhz"] + 0
            if (row["sm_mhz"] + 0 > fast[row["mode"]] + 0) fast[row["mode"]] = row["sm_mhz"] + 0
        }
    }
    sort(step_list, steps, 0)
    sort(size_list, sizes, 1)
}
function load_counters(line, f, head, i, width, id) {
    if ((getline line < counters) <= 0) return
    width = split(line, head, ",")
    for (i = 1; i <= width; i++) at[head[i]] = i
    while ((getline line < counters) > 0) {
        if (split(line, f, ",") != width) continue
        id = f[at["backend"]] SUBSEP f[at["step"]] SUBSEP f[at["variant"]] SUBSEP shape(f[at["m"]], f[at["n"]], f[at["k"]])
        count[id, f[at["counter"]]] = f[at["value"]]
        counted[id] = 1
        if (!((f[at["step"]], f[at["variant"]]) in known)) {
            if (!(f[at["step"]] in variants)) { variants[f[at["step"]]] = 0; step_list[++steps] = f[at["step"]] }
            known[f[at["step"]], f[at["variant"]]] = 1
            variant_list[f[at["step"]], ++variants[f[at["step"]]]] = f[at["variant"]]
        }
    }
}
function load_lint(line, f, head, i, width, step) { # tools/lint.sh
    while ((getline line < lint) > 0) {
        i = split(line, f, ",")
        if (!width) { width = i; for (i = 1; i <= width; i++) head[i] = f[i]; continue }
        if (i != width) continue
        step = f[2]
        linted_list[step, ++linted[step]] = f[3]
        for (i = 4; i <= width; i++) lint_value[step, f[3], head[i]] = f[i]
        if (!(step in variants)) { variants[step] = 0; step_list[++steps] = step }
    }
    sort(step_list, steps, 0)
}
function order_inline(variant, parts, size, line, f, head, i, width, result) { # microseconds of order.csv (tools/order.sh)
    while ((getline line < order_times) > 0) {
        i = split(line, f, ",")
        if (!width) { width = i; for (i = 1; i <= width; i++) head[f[i]] = i; continue }
        if (i == width && f[head["variant"]] == variant && f[head["parts"]] == parts && shape(f[head["m"]], f[head["n"]], f[head["k"]]) == size)
            result = decimals(1000 * f[head["ms_median"]], 1)
    }
    close(order_times)
    return result == "" ? "?" : result
}
function sort(list, length_, numeric, i, j, item) {
    for (i = 2; i <= length_; i++) {
        item = list[i]
        for (j = i - 1; j >= 1 && (numeric ? list[j] + 0 > item + 0 : (list[j] "") > (item "")); j--) list[j + 1] = list[j]
        list[j + 1] = item
    }
}
function full(step, i) { # "05" -> "05_float4"
    if (step in variants) return step
    for (i = 1; i <= steps; i++) if (index(step_list[i], step "_") == 1) return step_list[i]
    return step
}
function get(step, variant, size, mode, name) { return value[step, variant, size, mode, name] }
function decimals(text, digits) { return text == "" ? "" : sprintf("%." digits "f", text) }
function speed(text) { return decimals(text, (text != "" && text + 0 < 1) ? 2 : 1) } # TFLOP/s
function baseline(step) { return step == "11_dgemm" ? "dgemm" : last["cublas"] } # cuBLAS's variant
function compared(step, variant, size, mode, other) { # times cuBLAS
    if (step == "cublas") return ""
    other = get(step, variant, size, mode, "vs_cublas")
    return other != "" ? other : over(get(step, variant, size, mode, "tflops"), get("cublas", baseline(step), size, mode, "tflops"))
}
function linked(step) { return step == "cublas" ? "cuBLAS" : "[" step "](" root "steps/" step "/)" }
function none(what) { print "*Not measured yet: " what ".*" }

function table_ladder(size, i, step, tflops, before, any) {
    for (i = 1; i <= steps; i++) {
        step = step_list[i]
        tflops = get(step, last[step], size, "burst", "tflops")
        if (tflops == "" || step !~ /^(0[1-9]_|cublas)/) continue
        if (!any++) {
            print "| step | variant | TFLOP/s | % of peak | x cuBLAS | x step before |"
            print "| --- | --- | ---: | ---: | ---: | ---: |"
        }
        printf "| %s | %s | %s | %s | %s | %s |\n", linked(step), last[step], speed(tflops), \
            decimals(get(step, last[step], size, "burst", "pct_peak"), 1), decimals(compared(step, last[step], size, "burst"), 2), \
            (step == "cublas" || before == "") ? "" : decimals(over(tflops, before), 2)
        before = tflops
    }
    if (!any) none("the ladder at N = " size)
}
function table_variants(step, size, i, variant, any) {
    for (i = 1; i <= variants[step]; i++) {
        variant = variant_list[step, i]
        if (get(step, variant, size, "burst", "tflops") == "") continue
        if (!any++) {
            print "| variant | TFLOP/s | % of peak | x cuBLAS | registers | shared bytes | threads | blocks per SM |"
            print "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
        }
        printf "| %s | %s | %s | %s | %s | %s | %s | %s |\n", variant, speed(get(step, variant, size, "burst", "tflops")), \
            decimals(get(step, variant, size, "burst", "pct_peak"), 1), decimals(compared(step, variant, size, "burst"), 2), \
            get(step, variant, size, "burst", "registers"), get(step, variant, size, "burst", "shared_bytes"), \
            get(step, variant, size, "burst", "threads"), get(step, variant, size, "burst", "blocks_per_sm")
    }
    if (!any) none(step " at N = " size)
}
function table_sizes(step, which, i, j, columns, column, n, line, rule, any, text, found) {
    if (step == "all") {
        for (i = 1; i <= steps; i++) if (step_list[i] ~ /^0[1-9]_/) column[++columns] = step_list[i] SUBSEP last[step_list[i]]
    } else if (which == "all") {
        for (i = 1; i <= variants[step]; i++) column[++columns] = step SUBSEP variant_list[step, i]
    } else column[++columns] = step SUBSEP last[step]
    for (j = 1; j <= sizes; j++) {
        n = size_list[j]
        text = ""; found = 0
        for (i = 1; i <= columns; i++) {
            if (value[column[i], n, "burst", "tflops"] != "") found = 1
            text = text " " speed(value[column[i], n, "burst", "tflops"]) " |"
        }
        if (!found) continue
        if (!any++) {
            line = "| N |"; rule = "| ---: |"
            for (i = 1; i <= columns; i++) {
                split(column[i], parts, SUBSEP)
                line = line " " (step == "all" ? parts[1] : parts[2]) " |"; rule = rule " ---: |"
            }
            print line " cuBLAS |" (columns == 1 ? " x cuBLAS | % of peak |" : "")
            print rule " ---: |" (columns == 1 ? " ---: | ---: |" : "")
        }
        printf "| %d |%s %s |", n, text, speed(get("cublas", baseline(step), n, "burst", "tflops"))
        if (columns == 1)
            printf " %s | %s |", decimals(compared(step, last[step], n, "burst"), 2), decimals(get(step, last[step], n, "burst", "pct_peak"), 1)
        printf "\n"
    }
    if (any) print "\nTFLOP/s."
    else none((step == "all" ? "the rungs" : step) " over N")
}
function table_shapes(step, variant, i, f, item, found, times) { # cubes by size, then the others as in results.csv
    for (i = 1; i <= sizes; i++)
        if (get(step, variant, size_list[i], "burst", "tflops") != "") item[++found] = size_list[i]
    for (i = 1; i <= keys; i++) {
        split(key_list[i], f, SUBSEP)
        if (f[1] == step && f[2] == variant && f[4] == "burst" && f[3] ~ /x/) item[++found] = f[3]
    }
    if (!found) { none(step " on other shapes"); return }
    print "| shape | TFLOP/s | cuBLAS | x cuBLAS |\n| --- | ---: | ---: | ---: |"
    for (i = 1; i <= found; i++) {
        times = compared(step, variant, item[i], "burst")
        printf "| %s | %s | %s | %s |\n", item[i], speed(get(step, variant, item[i], "burst", "tflops")), \
            speed(get("cublas", last["cublas"], item[i], "burst", "tflops")), decimals(times, 2)
        if (times > 0) { logs += log(times); logged++ }
    }
    if (logged) printf "\nTFLOP/s; N stands for N x N x N. Geometric mean of the ratios: %.3f.\n", exp(logs / logged)
}
function table_times(step, list, size, i, j, count_, line, rule, any, who, variant) {
    count_ = split(list, size, ",")
    line = "| milliseconds |"; rule = "| --- |"
    for (j = 1; j <= count_; j++) { line = line " N = " size[j] " |"; rule = rule " ---: |" }
    for (i = 1; i <= variants[step] + 1; i++) {
        who = i > variants[step] ? "cublas" : step
        variant = i > variants[step] ? baseline(step) : variant_list[step, i]
        if (get(who, variant, size[count_], "burst", "tflops") == "") continue
        if (!any++) print line " % of peak at " size[count_] " |\n" rule " ---: |"
        printf "| %s |", who == "cublas" ? "cuBLAS" : variant
        for (j = 1; j <= count_; j++) printf " %s |", decimals(get(who, variant, size[j], "burst", "ms_median"), 3)
        printf " %s |\n", decimals(get(who, variant, size[count_], "burst", "pct_peak"), 1)
    }
    if (!any) none("the times of " step)
}
function table_counters(step, size, engine, i, j, total, line, rule, id, figure_, any, present) {
    total = counter_rows()
    line = "| |"; rule = "| --- |"
    for (i = 1; i <= variants[step]; i++)
        if ((engine, step, variant_list[step, i], size) in counted) {
            present++
            line = line " " variant_list[step, i] " |"; rule = rule " ---: |"
        }
    if (!present) { none("the counters of " step " at " size); return }
    print line " counter |"
    print rule " --- |"
    for (j = 1; j <= total; j++) {
        line = "| " said[j] " |"; any = 0
        for (i = 1; i <= variants[step]; i++) {
            id = engine SUBSEP step SUBSEP variant_list[step, i] SUBSEP size
            if (!(id in counted)) continue
            figure_ = figure(id, shown[j])
            if (figure_ != "" && (figure_ + 0 != 0 || said[j] ~ /conflict/)) any = 1
            line = line " " readable(figure_) " |"
        }
        if (any) print line " `" ncu_name(shown[j]) "` |"
    }
}
# What lint expects of each variant's loop, beside what the chip took; gains are over the step's first variant.
function table_cycles(step, size, i, variant, first, took, expected, speed_) {
    if (!linted[step]) { none("the loops of " step ", by sass lint"); return }
    print "| variant | instructions in the loop | FFMA | bank conflicts, cycles | cycles per FFMA | expected | measured | difference, % | gain, expected | gain, measured |"
    print "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
    first = linted_list[step, 1]
    for (i = 1; i <= linted[step]; i++) {
        variant = linted_list[step, i]
        expected = lint_value[step, variant, "expected_cycles_per_ffma"]
        took = figure("gpu" SUBSEP step SUBSEP variant SUBSEP size, "cycles_per_ffma")
        speed_ = over(get(step, variant, size, "burst", "tflops"), get(step, first, size, "burst", "tflops"))
        printf "| %s | %s | %s | %s | %s | %s | %s | %s | %s | %s |\n", variant, lint_value[step, variant, "instructions"], \
            lint_value[step, variant, "ffma"], lint_value[step, variant, "conflict_cycles"], \
            lint_value[step, variant, "issue_cycles_per_ffma"], expected, took == "" ? "?" : decimals(took, 3), \
            took == "" ? "?" : sprintf("%+.1f", 100 * (expected / took - 1)), \
            decimals(over(lint_value[step, first, "expected_cycles_per_ffma"], expected), 3), speed_ == "" ? "?" : decimals(speed_, 3)
    }
}
function lint_inline(step, variant, name, n) { # "lint METRIC STEP VARIANT"
    if (name == "others") { n = lint_value[step, variant, "instructions"]; return n == "" ? "?" : n - lint_value[step, variant, "ffma"] }
    if (name == "kilobytes") { n = lint_value[step, variant, "bytes"]; return n == "" ? "?" : decimals(n / 1000, 1) }
    return ((step, variant, name) in lint_value) ? lint_value[step, variant, name] : "?"
}
function table_sustained(size, i, step, variant, any, watts) {
    for (i = 1; i <= steps; i++) {
        step = step_list[i]; variant = last[step]
        if (get(step, variant, size, "sustained", "tflops") == "") continue
        if (!any++) {
            print "| step | variant | TFLOP/s sustained | TFLOP/s in bursts | x cuBLAS | SM MHz | W | GFLOP/J |"
            print "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |"
        }
        watts = get(step, variant, size, "sustained", "watts")
        printf "| %s | %s | %s | %s | %s | %s | %s | %s |\n", linked(step), variant, speed(get(step, variant, size, "sustained", "tflops")), \
            speed(get(step, variant, size, "burst", "tflops")), decimals(compared(step, variant, size, "sustained"), 2), \
            decimals(get(step, variant, size, "sustained", "sm_mhz"), 0), decimals(watts, 0), \
            decimals(over(1000 * get(step, variant, size, "sustained", "tflops"), watts), 1)
    }
    if (!any) none("the sustained runs at N = " size)
}
function clock(mode) { return slow[mode] == fast[mode] ? slow[mode] " MHz" : slow[mode] " to " fast[mode] " MHz" }
function table_device(i, f, first, final) {
    if (!steps || device == "") { none("no results yet"); return }
    print "| | |\n| --- | --- |"
    print "| device | " device " |"
    print "| driver | " driver " |"
    for (i = 1; i <= machine_rows; i++) {
        split(machine_list[i], f, SUBSEP)
        if (f[1] == "host") print "| " f[2] " | " machine_value[machine_list[i]] (machine_unit[machine_list[i]] == "" ? "" : " " machine_unit[machine_list[i]]) " |"
    }
    if (peak > 0) print "| FP32 peak | " decimals(peak, 1) " TFLOP/s |"
    if (probe_value("ceiling", "FP32 FMA", "") != "") print "| FP32 FMA, measured | " decimals(probe_value("ceiling", "FP32 FMA", ""), 1) " TFLOP/s |"
    if (slow["burst"] != "") print "| SM clock, bursts | " clock("burst") " |"
    if (slow["sustained"] != "") print "| SM clock, sustained | " clock("sustained") " |"
    first = substr(oldest_time, 1, 10)
    final = substr(newest_time, 1, 10)
    print "| measured | " first (first == final ? "" : " to " final) " |"
    print "| commit | " commits " |"
}
function rounded(text) { # three digits or so
    if (text == "") return ""
    return sprintf(text >= 99.95 ? "%.0f" : text >= 9.995 ? "%.1f" : "%.2f", text)
}
# Rows of one group of machine.csv: what build/00_machine found.
function table_copies(line, f, rows, none_) { # board power of copies alone; the first row has none
    while ((getline line < copy_power) > 0) {
        split(line, f, ",")
        if (!rows++) { print "| copies of a tile | W | more than none |"; print "| --- | ---: | ---: |"; continue }
        if (rows == 2) none_ = f[2]
        printf "| %s | %s | %s |\n", f[1], f[2], rows == 2 ? "" : sprintf("%.1f", f[2] - none_)
    }
    close(copy_power)
    if (!rows) none("the power of copies")
}
function table_machine(group, i, id, f, any, first, previous, x) {
    if (!(group in machine_groups) && group !~ /^(advice|banks)$/) { none("the machine, " group); return }
    for (i = 1; i <= machine_rows; i++) {
        id = machine_list[i]
        split(id, f, SUBSEP)
        if (f[1] != group) continue
        x = machine_value[id]
        if (group == "throughput") {
            if (!any++) print "| operation | instructions in the loop | instructions a result | results/clk/SM | documented | measured / documented |\n| --- | --- | ---: | ---: | ---: | ---: |"
            print "| " f[2] " | " joined(machine_code[id]) " | " rounded(machine_counted[id]) " | " rounded(x) " | " machine_documented[id] " | " decimals(over(x, machine_documented[id]), 2) " |"
        } else if (group == "advice") {
            if (!any++) print "| what | way | results/clk/SM | x the first | instructions a result | local memory, bytes |\n| --- | --- | ---: | ---: | ---: | ---: |"
            if (f[2] != previous) first = x
            print "| " (f[2] == previous ? "" : f[2]) " | `" f[3] "` | " rounded(x) " | " decimals(over(x, first), 2) " | " rounded(machine_counted[id]) " | " machine_local[id] " |"
            previous = f[2]
        } else if (group == "banks") {
            if (!any++) print "| operands of `FFMA C, A, B, C` | cycles, measured | cycles by the rules |\n| --- | ---: | ---: |"
            print "| " f[3] " | " decimals(x, 2) " | " decimals(machine_rule[id], 2) " |"
        } else {
            if (!any++) print "| what | | measured | unit | documented | SM MHz |\n| --- | --- | ---: | --- | ---: | ---: |"
            print "| " f[2] " | " f[3] " | " rounded(x) " | " machine_unit[id] " | " machine_documented[id] " | " machine_mhz[id] " |"
        }
    }
    if (!any) none("the machine, " group)
    else if (!(group in machine_groups)) print "\nCounted by the simulator; not measured yet."
}
function joined(code) { gsub(/\|/, " or ", code); return code } # "128 HADD2|HFMA2"
function table(text, word, words) {
    words = split(text, word, " ")
    if (word[1] == "ladder" && words == 2) table_ladder(word[2])
    else if (word[1] == "variants" && words == 3) table_variants(full(word[2]), word[3])
    else if (word[1] == "sizes" && (words == 2 || (words == 3 && word[3] == "all"))) table_sizes(full(word[2]), word[3])
    else if (word[1] == "shapes" && words == 3) table_shapes(full(word[2]), word[3])
    else if (word[1] == "times" && words == 3) table_times(full(word[2]), word[3])
    else if (word[1] == "counters" && (words == 3 || words == 4)) table_counters(full(word[2]), word[3], words == 4 ? word[4] : "gpu")
    else if (word[1] == "cycles" && words == 3) table_cycles(full(word[2]), word[3])
    else if (word[1] == "sustained" && words == 2) table_sustained(word[2])
    else if (word[1] == "device" && words == 1) table_device()
    else if (word[1] == "machine" && words == 2) table_machine(word[2])
    else if (word[1] == "copies" && words == 1) table_copies()
    else fail("unknown table \"" text "\"; expected ladder SIZE, variants STEP SIZE, " \
        "sizes STEP|all [all], shapes STEP VARIANT, times STEP SIZE,..., counters STEP SIZE [sim], cycles STEP SIZE, sustained SIZE, machine GROUP, copies, or device")
}
# A figure of machine.csv in the text: "machine GROUP WHAT VARIANT", words as in the file.
function machine_inline(text, i, id, name) {
    for (i = 1; i <= machine_rows; i++) {
        id = machine_list[i]; name = id
        gsub(SUBSEP, " ", name); sub(/ $/, "", name)
        if ("machine " name == text && machine_value[id] != "") return rounded(machine_value[id])
    }
    return "?"
}
# A figure in the text: METRIC STEP VARIANT SIZE [MODE], or ratio STEP VARIANT STEP VARIANT SIZE.
function inline(text, word, words, i, step, variant, mode, result) {
    words = split(text, word, " ")
    if (word[1] == "machine" && words > 2) return machine_inline(text)
    if (word[1] == "lint" && words == 4) return lint_inline(full(word[3]), word[4], word[2])
    if (word[1] == "order" && words == 4) return order_inline(word[2], word[3], word[4])
    if (word[1] == "naive_l2" && words == 1) return naive_l2() > 0 ? decimals(naive_l2(), 1) : "?"
    if (word[1] == "naive_l1" && words == 1) return naive_l1() > 0 ? decimals(naive_l1(), 1) : "?"
    if (word[1] == "peak" && words == 1) return peak > 0 ? decimals(peak, 1) : "?"
    if (word[1] == "peak_fp64" && words == 1) return peak_fp64 > 0 ? decimals(peak_fp64, 1) : "?"
    if (word[1] == "ratio" && words == 6)
        result = over(get(full(word[2]), chosen(full(word[2]), word[3]), word[6], "burst", "tflops"), \
            get(full(word[4]), chosen(full(word[4]), word[5]), word[6], "burst", "tflops"))
    else if (word[1] != "ratio" && (words == 4 || words == 5)) {
        step = full(word[2]); variant = chosen(step, word[3]); mode = words == 5 ? word[5] : "burst"
        result = get(step, variant, word[4], mode, word[1])
        if (word[1] == "joules_per_tflop")
            result = over(get(step, variant, word[4], mode, "watts"), get(step, variant, word[4], mode, "tflops"))
        if (result == "" && word[1] == "vs_cublas") result = compared(step, variant, word[4], mode)
        if (word[1] == "tflops") return result == "" ? "?" : speed(result)
        if (word[1] == "pct_peak" || word[1] == "joules_per_tflop") return result == "" ? "?" : decimals(result, 1)
        if (word[1] ~ /^(sm_mhz|watts)$/) return result == "" ? "?" : decimals(result, 0)
        if (result == "") {
            result = figure((mode == "sim" ? "sim" : "gpu") SUBSEP step SUBSEP variant SUBSEP word[4], word[1])
            return result == "" ? "?" : readable(result)
        }
    } else fail("unknown value \"" text "\"; expected METRIC STEP VARIANT SIZE [sustained|sim], " \
        "ratio STEP VARIANT STEP VARIANT SIZE, lint METRIC STEP VARIANT, order VARIANT PARTS SIZE, machine GROUP WHAT VARIANT, naive_l1, naive_l2, peak or peak_fp64")
    if (result == "") return "?"
    if (result == int(result) && word[1] != "ratio" && word[1] != "vs_cublas") return result
    return decimals(result, word[1] ~ /^(ms_|error)/ ? 3 : 2)
}
function chosen(step, variant) {
    if (variant == "last") return last[step]
    if (step == "cublas" && variant == "dgemm") return variant # may not be measured yet
    if (variants[step] > 0 && !((step, variant) in known)) fail("no variant \"" variant "\" of " step " in the results")
    return variant
}
BEGIN {
    root = file ~ /^steps\/[^\/]*\// ? "../../" : (file ~ /^docs\/[^\/]*$/ ? "../" : "")
    if (newest != "") load_results()
    if (counters != "") load_counters()
    if (lint != "") load_lint()
    if (machine != "") load_machine(machine)
}
/^```/ { fenced = !fenced }
fenced { if (!inside) print; next }
inside {
    if ($0 ~ /<!-- table:/) fail("a table starts inside the table of line " inside)
    if ($0 ~ /^[ \t]*<!-- end table -->[ \t]*$/) { inside = 0; print }
    next
}
/<!-- table:/ {
    if ($0 !~ /^<!-- table: [^>]* -->[ \t]*$/) fail("a table marker stands alone on its line: <!-- table: NAME ARGS -->")
    print
    text = $0
    sub(/^<!-- table: */, "", text); sub(/ *-->[ \t]*$/, "", text)
    print ""
    table(text)
    print ""
    inside = FNR
    next
}
/<!-- end table -->/ { fail("<!-- end table --> without <!-- table: NAME ARGS --> before it") }
/<!-- value:/ {
    rest = $0; done = ""
    while (match(rest, /<!-- value: [^>]* -->/)) {
        text = substr(rest, RSTART + 12, RLENGTH - 16)
        done = done substr(rest, 1, RSTART + RLENGTH - 1)
        rest = substr(rest, RSTART + RLENGTH)
        stop = index(rest, "<!-- end -->")
        if (!stop) fail("<!-- value: " text " --> has no <!-- end --> on its line")
        done = done inline(text)
        rest = substr(rest, stop)
    }
    print done rest
    next
}
{ print }
END {
    if (!failed && inside) { printf "%s:%d: this table has no <!-- end table -->\n", file, inside > "/dev/stderr"; failed = 2 }
    exit failed + 0
}
