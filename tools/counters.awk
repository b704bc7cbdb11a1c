# Counters as tables in plain text, one a step and shape: a line a figure, a column a variant. The figures are the rows of
# short_name and ratio in views.sql, reckoned and left out as view table_counters of tables.sql does, for a machine without sqlite3:
#
#     awk -f tools/cells.awk -f tools/counters.awk tools/views.sql ROWS      ROWS: lines of counters.csv, without its header

# The values of one line of SQL into field[]: numbers, null, and texts without their quotes.
function take_fields(line, count) {
    for (count = 0; match(line, /'[^']*'|null|[0-9.]+/); line = substr(line, RSTART + RLENGTH)) {
        field[++count] = substr(line, RSTART, RLENGTH)
        gsub(/'/, "", field[count])
    }
    return count
}
function add_figure(name, place, words, scale) {
    if (place == "null") place = 0
    figure_place[name] = place; figure_words[name] = words; figure_scale[name] = scale
    if (place) { at[place] = name; if (place > last) last = place }
}
function add_pattern(name, pattern) { # a glob as a regular expression
    gsub(/[.]/, "[.]", pattern); gsub(/[*]/, ".*", pattern)
    patterns[++pattern_count] = "^" pattern "$"; pattern_name[pattern_count] = name
}
FNR == NR {
    if (/^insert into /) section = $3
    if (section ~ /^(short_name|ratio)/ && /^    \(/) {
        count = take_fields($0)
        if (count == 3) { add_figure("stall_" field[2], field[1], field[3], 1)
            add_pattern("stall_" field[2], "smsp__average_warps_issue_stalled_" field[2] "_per_issue_active.ratio") }
        if (count == 6) { add_figure(field[2], field[1], field[3], field[5]); add_pattern(field[2], field[4]) }
        if (count == 7) { add_figure(field[2], field[1], field[3], field[4]); above[field[2]] = field[5]; below[field[2]] = field[6] }
    }
    if (/;$/) section = ""
    next
}
{
    split($0, part, ",")
    if (part[10] == 0 && part[9] ~ /fma_pred_on[.]sum$|^sm__pipe_fp64_/) next # the other precision's
    title = part[4] " at " (part[6] == part[7] && part[7] == part[8] ? part[6] : part[6] "x" part[7] "x" part[8])
    if (!(title in widths)) titles[++title_count] = title
    if (!((title, part[5]) in seen)) { seen[title, part[5]] = 1; variant[title, ++widths[title]] = part[5] }
    for (i = 1; i <= pattern_count; i++)
        if (part[9] ~ patterns[i]) value[title, part[5], pattern_name[i]] += figure_scale[pattern_name[i]] * part[10]
}
function reckoned(title, variant, name, a, b) { # "" where there is none
    if (!(name in above)) return (title, variant, name) in value ? value[title, variant, name] : ""
    a = reckoned(title, variant, above[name]); b = reckoned(title, variant, below[name])
    return a == "" || b == "" || b == 0 ? "" : figure_scale[name] * a / b
}
END {
    for (t = 1; t <= title_count; t++) {
        printf "\n%-52s", titles[t]
        for (i = 1; i <= widths[titles[t]]; i++) printf " %14s", substr(variant[titles[t], i], 1, 14)
        print ""
        for (p = 1; p <= last; p++) {
            line = ""; any = 0
            for (i = 1; i <= widths[titles[t]]; i++) {
                figure = reckoned(titles[t], variant[titles[t], i], at[p])
                any = any || (figure != "" && (figure != 0 || figure_words[at[p]] ~ /conflict/))
                line = line sprintf(" %14s", figure == "" ? "" : shown(figure, "count"))
            }
            if (any) printf "%-52s%s\n", figure_words[at[p]], line
        }
    }
    if (title_count) print ""
}
