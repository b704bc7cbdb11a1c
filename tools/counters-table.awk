# Prints counter rows (counters.csv without its header) as plain tables, one a step and shape: run after counters.awk.
{
    shape = ($6 == $7 && $7 == $8) ? $6 : $6 "x" $7 "x" $8
    group = $4 SUBSEP shape
    id = group SUBSEP $5
    if (!(group in variants)) { variants[group] = 0; order[++groups] = group }
    if (!(id in seen)) { seen[id] = 1; variant[group, ++variants[group]] = $5 }
    count[id, $9] = $10
}
END {
    total = counter_rows()
    for (g = 1; g <= groups; g++) {
        split(order[g], part, SUBSEP)
        printf "\n%-52s", part[1] " at " part[2]
        for (i = 1; i <= variants[order[g]]; i++) printf " %14s", substr(variant[order[g], i], 1, 14)
        printf "\n"
        for (j = 1; j <= total; j++) {
            line = sprintf("%-52s", said[j]); any = 0
            for (i = 1; i <= variants[order[g]]; i++) {
                value = figure(order[g] SUBSEP variant[order[g], i], shown[j])
                if (value != "" && (value + 0 != 0 || said[j] ~ /conflict/)) any = 1
                line = line sprintf(" %14s", readable(value))
            }
            if (any) print line
        }
    }
    print ""
}
