# Prints the newest row of each measurement: awk -f newest.awk results.csv
#
# A results.csv grows by appending, so one measurement (step, variant, shape, mode) may stand in it several times; the
# last one counts. Kept are the standard measurements: alpha 1, beta 0, no padding, a time, and a check that did not fail.
# Columns are found by name. The output is CSV again: the input's header with three columns put in front,
#
#     last    1 where the variant is the step's last, the one the next step builds on; else 0
#     square  1 where M = N = K
#     fp64    1 for step 11 and its baseline, cuBLAS's variant `dgemm`: their peak is another
#
# in the order of first appearance. The last variant of a step is the one that ends its longest list of variants at one
# shape (the program measures variants in order, so a full list ends with the last; a run of one variant does not count
# against it). Of cuBLAS it is SGEMM's, never `dgemm`. A step that loses a variant needs a new file: rows of variants that are gone count as before.
BEGIN { FS = OFS = "," }
function plain(line, i, c, quoted, text) { # a quoted field loses its quotes, and its commas become spaces
    for (i = 1; i <= length(line); i++) {
        c = substr(line, i, 1)
        if (c == "\"") quoted = !quoted
        else text = text ((c == "," && quoted) ? " " : c)
    }
    return text
}
{ sub(/\r$/, "") }
/"/ { $0 = plain($0) }
FNR == 1 {
    for (i = 1; i <= NF; i++) column[$i] = i
    count = split("step,variant,m,n,k,lda,ldb,ldc,alpha,beta,mode,tflops,check", needed, ",")
    for (i = 1; i <= count; i++)
        if (!(needed[i] in column)) {
            printf "%s: line 1: no column \"%s\"; expected the header of results.csv\n", FILENAME, needed[i] > "/dev/stderr"
            failed = 1
            exit 1
        }
    header = $0
    fields = NF
    next
}
NF != fields { next } # a line that an interrupted run left unfinished
{
    step = $column["step"]
    dgemm = step == "cublas" && $column["variant"] == "dgemm"
    m = $column["m"]; n = $column["n"]; k = $column["k"]
    group = step SUBSEP m SUBSEP n SUBSEP k SUBSEP $column["mode"]
}
!dgemm {
    if (group != open_group[step] || index(open_list[step], "," $column["variant"] ",")) {
        open_group[step] = group; open_list[step] = ","; open_length[step] = 0
    }
    open_list[step] = open_list[step] $column["variant"] ","
    open_length[step]++
    if (open_length[step] >= longest[step]) { longest[step] = open_length[step]; last[step] = $column["variant"] }
}
$column["alpha"] + 0 != 1 || $column["beta"] + 0 != 0 { next }
$column["lda"] != k || $column["ldb"] != n || $column["ldc"] != n { next }
$column["tflops"] + 0 <= 0 || $column["check"] ~ /^[Ff]/ { next }
{
    key = group SUBSEP $column["variant"]
    if (!(key in row)) order[++rows] = key
    row[key] = $0
    step_of[key] = step
    variant_of[key] = $column["variant"]
    square[key] = (m == n && n == k)
    fp64[key] = dgemm || step == "11_dgemm"
}
END {
    if (failed) exit 1
    print "last", "square", "fp64", header
    for (i = 1; i <= rows; i++) {
        key = order[i]
        print (variant_of[key] == last[step_of[key]]), square[key], fp64[key], row[key]
    }
}
