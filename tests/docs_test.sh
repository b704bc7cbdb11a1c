#!/usr/bin/env bash
# The measured figures on the pages and in charts are those of the CSV files of results.
source "$(dirname "$0")/tap.sh"

# The columns that docs/questions.md promises for each measured row.
for column in commit device driver sm_mhz watts; do
    head -n 1 docs/results/h200/results.csv | tr , '\n' | grep -qx "$column"
    verdict $? "results.csv: $column"
done

if needs 'the notebook' python3; then
    said=$(tools/notebook.py /dev/stdout | diff docs/colab.ipynb - 2>&1)
    verdict $? 'docs/colab.ipynb is what tools/notebook.py writes' "${said:0:2000}"
fi

needs 'measured figures' python3 || exit 0

said=$(tools/docs.py --check 2>&1)
verdict $? 'measured figures' "$said"

# With the results of another chip (docs/your_chip.md) a missing figure is no error; it reads "?".
if said=$(RESULTS=docs/results/h100 tools/docs.py --check 2>&1 |
    grep -v 'figures differ from docs/results/h100'); then
    fail "another chip's figures" "$said"
else
    pass "another chip's figures"
fi

# tools/docs.py must refuse a figure that was not measured, a ratio between a kernel and cuBLAS in
# different runs, and words that contradict the results.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/docs/results/h200" # few rows, for speed
cp -r tools "$work/"
ln -s "$PWD/docs/results/h200/machine.csv" "$work/docs/results/h200/"
awk -F, 'NR == 1 || $8 == 8192 && $6 ~ /^(cublas|13_)/ || $8 == 16384 && $6 ~ /^10_/ ||
        $8 == 4096 && $6 ~ /^(05|13)_/' docs/results/h200/results.csv \
    >"$work/docs/results/h200/results.csv"
# refused NAME PAGE PLACE VALUE...: with the text PAGE as README.md, docs.py exits with status 2 and
# prints one line, which begins with PLACE (FILE:LINE) and contains every VALUE.
refused() {
    local got=0 said missing='' value
    printf '%s\n' "$2" >"$work/README.md"
    said=$("$work/tools/docs.py" --check 2>&1) || got=$?
    for value in "${@:4}"; do [[ $said == *"$value"* ]] || missing+=" '$value'"; done
    [[ $got == 2 && $said != *$'\n'* && $said == "$3:"* && ! $missing ]]
    verdict $? "$1" \
        "exit status $got, expected 2; expected one line that begins with $3" \
        "${missing:+it does not name$missing}" \
        "$said"
}
: >"$work/docs/figures.txt"
refused 'a figure that was not measured' \
    'It takes <!-- value: ms_median 01 coalesced 77 -->1<!-- end --> ms.' README.md:1 \
    'ms_median 01 coalesced 77'
refused 'a table that was not measured' \
    $'One.\n\n<!-- table: variants 01 77 -->\n<!-- end table -->' README.md:3 'variants 01 77'
refused 'a ratio to cuBLAS of another run' \
    'It is <!-- value: ratio 13 safe cublas pedantic 4096 -->4.13<!-- end --> times.' README.md:1 \
    'ratio 13 safe cublas pedantic 4096' vs_cublas
refused 'a ratio to cuBLAS when that was disturbed' \
    'It is <!-- value: vs_cublas 13 cluster 8192 -->5.25<!-- end --> times.' \
    README.md:1 '13 cluster' 8192
printf '[README.md]\nall are slower\tratio 10 grouped 10 x_major 16384 in 0..0.99\n' \
    >"$work/docs/figures.txt"
refused 'words that contradict the results: names the figure' 'It says: all are slower.' \
    docs/figures.txt:2 README.md 'it is 1'
refused 'words that are not on the page' 'It says nothing.' docs/figures.txt:2 README.md
printf '[README.md]\nis {} times\tratio 05 both 05 shared 4096\n' >"$work/docs/figures.txt"
echo 'It is 1.55 times as fast.' >"$work/README.md"
"$work/tools/docs.py" >/dev/null
ratio=$(tools/query.py --plain \
    "select printf('%.2f', both.tflops / shared.tflops)
    from newest as both join newest as shared using (step, m, n, k, mode)
    where step = '05_float4' and n = 4096 and mode = 'burst' and both.variant = 'both'
    and shared.variant = 'shared'")
if [[ $ratio && $(<"$work/README.md") == "It is $ratio times as fast." ]]; then
    pass 'a figure without a marker is written'
else
    fail 'a figure without a marker is written' "$(<"$work/README.md")"
fi

# The counters agree with the definition of stall reasons: a scheduler has (stalled warp cycles per
# issue + 1) x (share of used issue slots) warps, at most 16.
answer=$(tools/query.py --plain \
    "with kernel as (select sum(value) filter (where name glob 'stall_*') as stalled,
        max(value) filter (where name = 'issue_slots') as slots
    from figure where backend = 'gpu' group by step, variant, shape)
    select max((stalled + 1) * slots / 100) between 15 and 16.01, count(*) > 50 from kernel
    where stalled > 0")
[[ $answer == '1|1' ]]
verdict $? 'stalls, by their definition, are 16 warps at most' "$answer"

# A label of the programs' output means the same counter in the lessons' tables.
printed=$(awk -F'"' -v quote="'" '
    function quoted(text) { return quote text quote }
    /^FIGURE/ {
        gsub(/_(ld|st|ldgsts)\.sum/, "_*.sum", $8); split($8, sum, "+")
        gsub(/_(ld|st|ldgsts)\.sum/, "_*.sum", $10); split($10, below, "+")
        printf "%s(%s, %s, %s)", (count++ ? ", " : ""), quoted($4), quoted(sum[1]), quoted(below[1])
    }' common/harness/figures.def)
answer=$(tools/query.py --plain "with printed(words, above, below) as (values $printed)
    select printed.words || ': ' || a.pattern from printed
        join ratio on ratio.words = printed.words
        join short_name as a on a.name = ratio.above
        join short_name as b on b.name = ratio.below
        where replace(a.pattern, '_ld.sum', '_*.sum') <> printed.above
        or replace(b.pattern, '_ld.sum', '_*.sum') <> printed.below
    union all select printed.words || ': ' || pattern from printed
        join short_name on short_name.words = printed.words where pattern <> printed.above
    union all select count(*) || ' compared' from printed
        where words in (select words from ratio union select words from short_name)")
[[ $answer =~ ^[1-9][0-9]*' compared'$ ]]
verdict $? 'one label, one counter' "$answer"

# The comparisons with cuBLAS on random shapes, computed here from the CSV files.
# ratios FILE VARIANT BELOW: divides, for each shape, the time of VARIANT by the time of BELOW.
# Prints the count of shapes, the geometric mean of the ratios, how many are at least 0.95, the
# least ratio, and its shape as "M x N x K".
ratios() {
    awk -F, -v above="$2" -v below="$3" '
        NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        { ms[$at["variant"], $at["m"] " x " $at["n"] " x " $at["k"]] = $at["ms_median"];
        shapes[$at["m"] " x " $at["n"] " x " $at["k"]] }
        END {
            least = 1e9
            for (shape in shapes) if ((above, shape) in ms && (below, shape) in ms) {
                ratio = ms[above, shape] / ms[below, shape]
                count++; sum += log(ratio); good += ratio >= 0.95
                if (ratio < least) { least = ratio; place = shape }
            }
            printf "%d|%.3f|%d|%.3f|%s\n", count, exp(sum / count), good, least, place
        }' "$1"
}
# figures_in TEXT: prints its numbers, one per line; a shape such as "55 x 1 x 1" counts as one
# number.
figures_in() { grep -oE '[0-9]+( x [0-9]+)+|[0-9]+(\.[0-9]+)?' <<<"$1"; }

# The chart's texts have two figures of sample.csv, and no other number with three decimals: the
# number of shapes, and the mean of the ratios to cuBLAS. If a shape was drawn twice, its last row
# counts.
IFS='|' read -r count mean < <(awk -F, '
    NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    $at["variant"] == "dispatch" { ratio[$at["m"], $at["n"], $at["k"]] = $at["vs_cublas"] }
    END { for (shape in ratio) { count++; sum += log(ratio[shape]) } printf "%d|%.3f\n", count,
        exp(sum / count) }' docs/results/h200/sample.csv)
texts=$(grep -oE '<t(ext|span)[^>]*>[^<]*' docs/results/h200/sample.svg | sed 's/<[^>]*>//')
thousandths=$(figures_in "$texts" | grep -E '^[0-9]+\.[0-9]{3}$' | xargs)
[[ $thousandths == "$mean" ]] && figures_in "$texts" | grep -qx "$count"
verdict $? "the chart of random shapes has its CSV's count and mean" \
    "expected $count, $mean; the chart has $thousandths"

# A paragraph of docs/questions.md links tuned.csv and compares with cublasLt's fastest algorithm.
# It has the figures that follow from tuned.csv, and no other number with three decimals.
IFS='|' read -r count tuned _ < <(ratios docs/results/h100/tuned.csv pedantic tuned)
IFS='|' read -r _ dispatch good least place < <(ratios docs/results/h100/tuned.csv tuned dispatch)
paragraph=$(awk -v RS= '/\(results\/h100\/tuned\.csv\)/' docs/questions.md | tr '\n' ' ')
missing=
for figure in "$count" "$tuned" "$dispatch" "$good" "$least" "$place"; do
    figures_in "$paragraph" | grep -qxF -- "$figure" || missing+=" '$figure'"
done
others=$(figures_in "$paragraph" | grep -E '^[0-9]+\.[0-9]{3}$' | grep -vxF -e "$tuned" \
    -e "$dispatch" -e "$least" | xargs)
[[ ! $missing && ! $others ]]
verdict $? 'the figures beside the fastest of cublasLt' \
    "missing:$missing; not from the CSV: $others" "$paragraph"
