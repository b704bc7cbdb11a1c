# Walks over Markdown files and their markers (tools/docs.sh), twice over the same files; run with cells.awk before it.
#
#     awk -v usage=USAGE.txt -v pass=ask -f cells.awk -f docs.awk FILE...                       prints the SQL of what the markers ask for
#     awk -v pass=write -v answers=ANSWERS -v out=DIR -f cells.awk -f docs.awk FILE...          writes the new texts, DIR/1, DIR/2, ...
#
# USAGE.txt: the tables that there are, a line each, "counters STEP SIZE [sim]". ANSWERS: what sqlite3 printed, each answer after
# a line "@NUMBER". Exit status 2: a marker is wrong.
function fail(text) {
    printf "%s:%d: %s\n", FILENAME, FNR, text > "/dev/stderr"
    failed = 2
    exit 2
}

# --- asking
function quoted(text) { gsub(/'/, "''", text); return "'" text "'" }
function step_of(name) { return "ifnull((select step from named_step where name = " quoted(name) "), " quoted(name) ")" }
function variant_of(step, name) {
    return name != "last" ? quoted(name) : "(select variant from last_variant where source = 'times' and step = " step_of(step) ")"
}
# A row of `value`: METRIC STEP VARIANT SIZE MODE. A variant that was never measured, here or on the H200, is a slip of the pen, which is said.
function figure(name, metric, step, variant, size, mode) {
    return "(select * from value where name = " quoted(metric) " and step = " step_of(step) " and variant = " \
        variant_of(step, variant) " and shape = " quoted(size) " and mode = " quoted(mode == "" ? "burst" : mode) ") as " name
}
function unknown(step, variant) {
    if (variant == "last" || step == "cublas") return ""
    return "select 'no variant \"" variant "\" of ' || " step_of(step) " || ' in the results', '!' where exists (select * from known_variant where step = " \
        step_of(step) ") and not exists (select step, variant from known_variant union select step, variant from reference_results intersect select " \
        step_of(step) ", " quoted(variant) ");\n"
}
function several(variant, gpus, size) { # a run of step 14, M = N = K
    return "variant = " quoted(variant) " and gpus = " quoted(gpus) " and m = n and k = n and n = " quoted(size)
}
function ask_value(text, w, words) {
    words = split(text, w, " ")
    if (w[1] == "machine" && words > 2)
        return "select value, 'three' from probe where rtrim('machine ' || \"group\" || ' ' || what || ' ' || variant) = " quoted(text) ";"
    if (w[1] == "lint" && words == 4)
        return "select value, format from lint_value where name = " quoted(w[2]) " and step = " step_of(w[3]) " and variant = " quoted(w[4]) ";"
    if (text ~ /^(traffic|clusters|gpus_safe) (ms_median|ms_compute|tflops) / && words == 5)
        return "select " w[2] ", 'three' from " w[1] " where " several(w[3], w[4], w[5]) (w[1] == "gpus_safe" ? "" : " and backend = 'gpu' and leave = 4") \
            " order by rowid desc limit 1;"
    if (w[1] == "timeline" && (words == 5 || text ~ / predicted$/ && words == 6))
        return "select end_ms - start_ms, 'three' from timeline where " several(w[2], w[3], w[4]) " and rank = 0 and number = " quoted(w[5]) \
            " and backend = '" (words == 6 ? "predicted" : "gpu") "' order by rowid desc limit 1;"
    if (w[1] == "order" && words == 4)
        return "select 1000 * ms_median, '1' from order_times where variant = " quoted(w[2]) " and parts = " quoted(w[3]) " and shape = " \
            quoted(w[4]) " order by rowid desc limit 1;"
    if (text ~ /^naive_l[12]$/) return "select " substr(text, 7) ", '1' from naive;"
    if (text ~ /^peak(_fp64)?$/) return "select tflops, '1' from peak where fp64 = " (text == "peak_fp64") ";"
    if (w[1] == "ratio" && words == 6)
        return unknown(w[2], w[3]) unknown(w[4], w[5]) "select a.value / b.value, '2' from " figure("a", "tflops", w[2], w[3], w[6]) \
            " join " figure("b", "tflops", w[4], w[5], w[6]) ";"
    if (w[1] !~ /^(ratio|machine|lint|order|traffic|clusters|gpus_safe|timeline)$/ && (words == 4 || words == 5))
        return unknown(w[2], w[3]) "select value, format from " figure("a", w[1], w[2], w[3], w[4], w[5]) ";"
    fail("unknown value \"" text "\"; expected METRIC STEP VARIANT SIZE [sustained|sim], ratio STEP VARIANT STEP VARIANT SIZE, " \
        "lint METRIC STEP VARIANT, order VARIANT PARTS SIZE, machine GROUP WHAT VARIANT, " \
        "traffic|clusters|gpus_safe METRIC VARIANT GPUS SIZE, timeline VARIANT GPUS SIZE NUMBER [predicted], naive_l1, naive_l2, peak or peak_fp64")
}
function load_usage(line, w) {
    while ((getline line < usage) > 0) {
        split(line, w, " ")
        arguments[w[1]] = line
        list = list (list == "" ? "" : ", ") line
    }
}
function ask_table(text, w, words, name, first, wanted, count, i, sql, here) { # the arguments become conditions on the view's columns
    words = split(text, w, " ")
    name = (w[1] "_" w[2]) in arguments ? w[1] "_" w[2] : w[1] # machine_banks before machine
    first = name == w[1] ? 2 : 3
    count = split(arguments[name], wanted, " ")
    if (!(name in arguments) || words - first > count - 2) fail("unknown table \"" text "\"; expected " list)
    for (i = 2; i <= count; i++) {
        here = w[first + i - 2]
        if (here == "" && wanted[i] !~ /^\[/) fail("table \"" text "\"; expected " arguments[name])
        if (here ~ /,/) sql = "insert into asked_list values(" quoted(here) ");\n" sql
        sql = sql (i == 2 ? " where " : " and ") "\"" wanted[i] "\" is " (here == "" ? "null" : wanted[i] == "STEP" ? step_of(here) : quoted(here))
    }
    i = match(sql, / where /)
    return substr(sql, 1, i - 1) "select * from table_" name substr(sql, i ? i : 1) ";"
}
# The number under which a marker's answer is found; the first time, it is asked for.
function number_of(kind, text) {
    if (!((kind, text) in asked)) {
        asked[kind, text] = ++count_
        if (pass == "ask") {
            printf ".headers %s\n.print @%d\n", kind == "table" ? "on" : "off", count_
            print kind == "table" ? ask_table(text) : ask_value(text)
        }
    }
    return asked[kind, text]
}

# --- writing
function load_answers(line, n) {
    while ((getline line < answers) > 0)
        if (line ~ /^@[0-9]+$/) n = substr(line, 2)
        else answer[n, ++lines[n]] = line
}
function write(text) { if (pass == "write") print text > target }
function write_line(values, i, line) { # of cell[] or heading[], or the rule between them
    line = "|"
    for (i = 1; i <= width; i++)
        line = line (values == "rule" ? (number[i] ? " ---: |" : " --- |") : values == "cells" ? " " cell[i] " |" : heading[i] == "" ? " |" : " " heading[i] " |")
    gsub(/\]\(steps\//, "](" root "steps/", line)
    write(line)
}
function write_table(text, n, i) {
    n = number_of("table", text)
    if (!lines[n]) { write("*Not measured yet: " text ".*"); return }
    for (i = 2; i <= lines[n]; i++) {
        split_row(answer[n, 1], answer[n, i])
        if (i == 2) { write_line("headings"); write_line("rule") }
        write_line("cells")
    }
    if (note != "") write("\n" note)
}
function value(text, n, part) {
    n = number_of("value", text)
    if (!lines[n]) return "?"
    split(answer[n, 1], part, "\t")
    if (part[2] == "!") fail(part[1])
    return part[1] == "" ? "?" : shown(part[1], part[2])
}

BEGIN { if (pass == "ask") load_usage(); else load_answers() }
FNR == 1 {
    if (inside || opened) unclosed()
    file = FILENAME
    target = out "/" ++files
    root = file ~ /^steps\/[^\/]*\// ? "../../" : (file ~ /^docs\/[^\/]*$/ ? "../" : "")
    fenced = 0
}
/^```/ { fenced = !fenced }
fenced { if (!inside) write($0); next }
inside {
    if ($0 ~ /<!-- table:/) fail("a table starts inside the table of line " inside)
    if ($0 ~ /^[ \t]*<!-- end table -->[ \t]*$/) { inside = 0; write($0) }
    next
}
/<!-- table:/ {
    if ($0 !~ /^<!-- table: [^>]* -->[ \t]*$/) fail("a table marker stands alone on its line: <!-- table: NAME ARGS -->")
    text = $0
    sub(/^<!-- table: */, "", text); sub(/ *-->[ \t]*$/, "", text)
    write($0 "\n")
    write_table(text)
    write("")
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
        done = done value(text)
        rest = substr(rest, stop)
    }
    write(done rest)
    next
}
{ write($0) }
function unclosed() { printf "%s:%d: this table has no <!-- end table -->\n", file, inside > "/dev/stderr"; exit failed = 2 }
END {
    if (!failed && inside) unclosed()
    exit failed + 0
}
