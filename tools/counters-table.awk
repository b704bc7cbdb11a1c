# Prints tables of counters in plain text, one a step and shape: `select * from table_counters` with headings and tabs; after cells.awk.
NR == 1 { headings = $0; next }
{
    split($0, argument, "\t")
    split_row(headings, $0)
    if (title != argument[1] " at " argument[2]) {
        title = argument[1] " at " argument[2]
        printf "\n%-52s", title
        for (i = 2; i < width; i++) printf " %14s", substr(heading[i], 1, 14)
        print ""
    }
    printf "%-52s", cell[1]
    for (i = 2; i < width; i++) printf " %14s", cell[i]
    print ""
}
END { print "" }
