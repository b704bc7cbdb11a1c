# Walks over Markdown files and their markers (tools/docs.sh), twice over the same files; run with cells.awk before it. With pass=mark it
# prints one file, the text of the page FILE (-v), with its figures between markers.
#
#     awk -v usage=USAGE.txt -v pass=ask -f cells.awk -f docs.awk FILE...                       prints the SQL of what the markers ask for
#     awk -v pass=write -v answers=ANSWERS -v out=DIR [-v complete=yes] -f cells.awk -f docs.awk FILE...
#                                                                              writes the new texts, DIR/1, DIR/2, ...; complete: "?" is an error
#
# FIGURES (-v figures=docs/figures.txt, both times): figures and words of the text that follow from the results, without a marker there.
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
    if (w[1] == "strassen" && (words == 5 || words == 6))
        return "select value, format from strassen_value where name = " quoted(w[2]) " and step glob " quoted(w[3] "*") " and variant = " quoted(w[4]) \
            " and shape = " quoted(w[5]) " and mode = " quoted(words == 6 ? w[6] : "burst") ";"
    if (w[1] == "order" && words == 4)
        return "select 1000 * ms_median, '1' from order_times where variant = " quoted(w[2]) " and parts = " quoted(w[3]) " and shape = " \
            quoted(w[4]) " order by rowid desc limit 1;"
    if (text ~ /^peak(_fp64)?$/) return "select tflops, '1' from peak where fp64 = " (text == "peak_fp64") ";"
    if (w[1] == "ratio" && (w[2] == "cublas") != (w[4] == "cublas"))
        fail("\"" text "\": beside cuBLAS the ratio is that of one run: vs_cublas STEP VARIANT SIZE")
    if (w[1] == "vs_cublas")
        stray = "select 'cuBLAS was not itself in the run of " w[2] " " w[3] " at " w[4] "', '~' from timed where cublas_stray and step = " step_of(w[2]) \
            " and variant = " variant_of(w[2], w[3]) " and shape = " quoted(w[4]) " and mode = " quoted(w[5] == "" ? "burst" : w[5]) ";\n"
    else stray = ""
    if (w[1] == "ratio" && words == 6)
        return unknown(w[2], w[3]) unknown(w[4], w[5]) "select a.value / b.value, '2' from " figure("a", "tflops", w[2], w[3], w[6]) \
            " join " figure("b", "tflops", w[4], w[5], w[6]) ";"
    if (w[1] !~ /^(ratio|machine|lint|h100|order|traffic|clusters|gpus_safe|timeline)$/ && (words == 4 || words == 5))
        return stray unknown(w[2], w[3]) "select value, format from " figure("a", w[1], w[2], w[3], w[4], w[5]) ";"
    fail("unknown value \"" text "\"; expected METRIC STEP VARIANT SIZE [sustained|sim], ratio STEP VARIANT STEP VARIANT SIZE, " \
        "lint METRIC STEP VARIANT, strassen METRIC STEP VARIANT SIZE [sustained], order VARIANT PARTS SIZE, machine GROUP WHAT VARIANT, " \
        "traffic|clusters|gpus_safe METRIC VARIANT GPUS SIZE, timeline VARIANT GPUS SIZE NUMBER [predicted], peak or peak_fp64")
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
    if (!lines[n] && complete && pass == "write") fail("nothing was measured for table \"" text "\"")
    if (!lines[n]) { write("*Not measured yet: " text ".*"); return }
    for (i = 2; i <= lines[n]; i++) {
        split_row(answer[n, 1], answer[n, i])
        if (i == 2) { write_line("headings"); write_line("rule") }
        write_line("cells")
    }
    if (note != "") write("")
    for (; length(note) > 140; note = substr(note, i + 1)) {
        for (i = 140; i > 1 && substr(note, i, 1) != " "; i--) continue
        write(substr(note, 1, i - 1))
    }
    if (note != "") write(note)
}
# part[1]: the value, part[2]: how it is shown; "!": part[1] says what is wrong. What only the course's own results must not have is "~".
function look_up(text, part, n, i) {
    n = number_of("value", text)
    i = 1
    split(lines[n] ? answer[n, i] : "", part, "\t")
    if (part[2] == "~" && complete) part[2] = "!"
    if (part[2] == "~") split(answer[n, ++i], part, "\t")
}
function value(text, part) {
    look_up(text, part)
    if (part[2] == "!") fail(part[1])
    if (part[1] != "") return shown(part[1], part[2])
    if (complete && pass == "write") fail("nothing was measured for \"" text "\"")
    return "?"
}

# --- figures and words that have no marker in the text
# Under a line [PAGE]: TEXT and, each behind a tab, what its figures are. In TEXT, words of one line of the page, {} is a figure. An item
# "WHAT in LOW..HIGH", or "WHAT / WHAT in LOW..HIGH", has no figure: it holds what TEXT says in words.
function load_figures(line, page, tab) {
    for (number_ = 1; (getline line < figures) > 0; number_++) {
        if (line == "" || line ~ /^#/) continue
        if (line ~ /^\[.*\]$/) { page = substr(line, 2, length(line) - 2); continue }
        tab = index(line, "\t")
        if (!tab || page == "") wrong(number_, "expected [PAGE], or TEXT, a tab and what it says")
        place[++held] = number_
        page_of[held] = page
        text_of[held] = substr(line, 1, tab - 1)
        what_of[held] = substr(line, tab + 1)
        ask_items(what_of[held]) # in the same order both times: answers are found by number
    }
}
function wrong(line, text) { printf "%s:%d: %s\n", figures, line, text > "/dev/stderr"; failed = 2; exit 2 }
function in_words(item) { return item ~ / in [-0-9.]+\.\.[-0-9.]+$/ }
function ask_items(text, item, part, i, j) {
    for (i = split(text, item, "\t"); i > 0; i--) {
        if (!in_words(item[i])) { number_of("value", item[i]); continue }
        sub(/ in [^ ]*$/, "", item[i])
        for (j = split(item[i], part, / \/ /); j > 0; j--) number_of("value", part[j])
    }
}
function plain(text, part) { # a value as a number, or ""
    look_up(text, part)
    if (part[2] == "!") wrong(place[entry], part[1])
    return part[1]
}
function hold(text, range, part, low, high, a, b) { # WHAT [/ WHAT] in LOW..HIGH
    range = text
    sub(/.* in /, "", range)
    sub(/ in [^ ]*$/, "", text)
    if (split(range, part, /\.\./) != 2) wrong(place[entry], "expected WHAT in LOW..HIGH, not '" range "'")
    low = part[1] + 0; high = part[2] + 0
    b = 1
    if (split(text, part, / \/ /) == 2) b = plain(part[2])
    a = plain(part[1])
    if (a == "" || b == "") { if (complete) wrong(place[entry], "nothing was measured for '" text "'"); return }
    if (complete && !(a / b >= low && a / b <= high))
        wrong(place[entry], sprintf("%s says '%s', and it is %.4g", page_of[entry], text_of[entry], a / b))
}
# LINE with the figures of entry `entry`, where it has its text; else "".
function with_figures(line, literal, count, from, at, rest, out, i, length_) {
    count = split(text_of[entry], literal, /\{\}/)
    for (from = 1; from <= length(line) + 1; from = at + 1) {
        at = literal[1] == "" ? from : index(substr(line, from), literal[1]) + from - 1
        if (at < from || literal[1] == "" && from > 1) return ""
        out = substr(line, 1, at - 1) literal[1]
        rest = substr(line, at + length(literal[1]))
        for (i = 2; i <= count; i++) {
            if (!match(rest, /^(\?|[-+]?[0-9]+(,[0-9][0-9][0-9])*(\.[0-9]+)?(e[-+]?[0-9]+)?( M)?)/)) break
            length_ = RLENGTH
            if (substr(rest, length_ + 1, length(literal[i])) != literal[i] && substr(rest, 1, length_) ~ / M$/) length_ -= 2
            if (substr(rest, length_ + 1, length(literal[i])) != literal[i]) break
            out = out (pass == "mark" ? "<!-- value: " figure_of[i - 1] " -->" substr(rest, 1, length_) "<!-- end -->" : figure_of[i - 1]) literal[i]
            rest = substr(rest, length_ + 1 + length(literal[i]))
        }
        if (i > count) return out rest
    }
    return ""
}
function put_figures(line, item, i, n, wanted, out) {
    for (entry = 1; entry <= held; entry++) {
        if (page_of[entry] != (pass == "mark" ? FILE : FILENAME)) continue
        wanted = 0
        n = split(what_of[entry], item, "\t")
        for (i = 1; i <= n; i++) if (!in_words(item[i])) figure_of[++wanted] = pass == "mark" ? item[i] : value(item[i])
        if (wanted != split(text_of[entry], figure_parts, /\{\}/) - 1) wrong(place[entry], wanted " figures for the {} of '" text_of[entry] "'")
        out = with_figures(line)
        if (out == "") continue
        if (used[entry]++) wrong(place[entry], FILENAME " has more than one line with '" text_of[entry] "'")
        for (i = 1; i <= n && pass != "mark"; i++) if (in_words(item[i])) hold(item[i])
        line = out
    }
    return line
}
function all_used() {
    for (entry = 1; entry <= held; entry++)
        if ((page_of[entry] in seen) && !used[entry]) wrong(place[entry], "no line of " page_of[entry] " has '" text_of[entry] "'")
}

BEGIN {
    if (pass == "ask") load_usage(); else if (pass == "write") load_answers()
    load_figures()
}
pass == "mark" { # the text of page FILE with its figures between markers, for the pages of the browser
    if (/^```/) fenced = !fenced
    if (/^<!-- table:/) inside = 1
    print fenced || inside ? $0 : put_figures($0)
    if (/^<!-- end table/) inside = 0
    next
}
FNR == 1 {
    if (inside || opened) unclosed()
    file = FILENAME
    seen[FILENAME]
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
    write(put_figures(done rest))
    next
}
pass == "write" { write(put_figures($0)) }
function unclosed() { printf "%s:%d: this table has no <!-- end table -->\n", file, inside > "/dev/stderr"; exit failed = 2 }
END {
    if (!failed && inside) unclosed()
    if (!failed && pass == "write") all_used()
    exit failed + 0
}
