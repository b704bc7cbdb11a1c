#!/usr/bin/env bash
# The measured figures in the text are those of the CSV files.
source "$(dirname "$0")/tap.sh"

# What a row of times says, as docs/questions.md has it.
for column in commit device driver sm_mhz watts; do
    if head -n 1 docs/results/h200/results.csv | tr , '\n' | grep -qx "$column"; then pass "results.csv: $column"; else fail "results.csv: $column"; fi
done

if needs 'the notebook' python3; then
    if said=$(tools/notebook.py /dev/stdout | diff docs/colab.ipynb - 2>&1); then
        pass 'docs/colab.ipynb is what tools/notebook.py writes'
    else
        fail 'docs/colab.ipynb is what tools/notebook.py writes' "${said:0:2000}"
    fi
fi

needs 'measured figures' sqlite3 || exit 0

if said=$(tools/docs.sh --check 2>&1); then
    pass 'measured figures'
else
    fail 'measured figures' "$said"
fi

# With another folder, as docs/your_chip.md says: what it does not have is no error, and reads "?".
if said=$(RESULTS=docs/results/h100 tools/docs.sh --check 2>&1 | grep -v 'figures differ from docs/results/h100'); then
    fail "another chip's figures" "$said"
else
    pass "another chip's figures"
fi

# What the generator must refuse: a figure that nobody measured, a speed over cuBLAS's of another run, words that the results do not bear out.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/docs/results/h200" # few rows, so that it is quick
cp -r tools "$work/"
ln -s "$PWD/docs/results/h200/machine.csv" "$work/docs/results/h200/"
awk -F, 'NR == 1 || $8 == 8192 && $6 ~ /^(cublas|13_)/ || $8 == 16384 && $6 ~ /^10_/ || $8 == 4096 && $6 ~ /^(05|13)_/' docs/results/h200/results.csv \
    >"$work/docs/results/h200/results.csv"
refused() { # NAME WHAT SAID: the page WHAT, by the figures of docs/figures.txt, ends with status 2 and SAID
    printf '%s\n' "$2" >"$work/README.md"
    one_line_is "$1" 2 "$3" bash -c 'cd "$1" && bash "$1/tools/docs.sh" --check' - "$work"
}
: >"$work/docs/figures.txt"
refused 'a figure that was not measured' 'It takes <!-- value: ms_median 01 coalesced 77 -->1<!-- end --> ms.' 'nothing was measured'
refused 'a table that was not measured' $'<!-- table: variants 01 77 -->\n<!-- end table -->' 'nothing was measured'
refused 'a ratio to cuBLAS of another run' 'It is <!-- value: ratio 13 safe cublas pedantic 4096 -->4.13<!-- end --> times.' 'vs_cublas STEP VARIANT SIZE'
refused 'a ratio to cuBLAS when that was not itself' 'It is <!-- value: vs_cublas 13 cluster 8192 -->5.25<!-- end --> times.' 'cuBLAS was not itself'
printf '[README.md]\nall are slower\tratio 10 grouped 10 x_major 16384 in 0..0.99\n' >"$work/docs/figures.txt"
refused 'words that the results do not bear out' 'It says: all are slower.' "says 'all are slower', and it is 1.006"
refused 'words that are not there' 'It says nothing.' "no line of README.md has 'all are slower'"
printf '[README.md]\nis {} times\tratio 05 both 05 shared 4096\n' >"$work/docs/figures.txt"
echo 'It is 1.55 times as fast.' >"$work/README.md"
(cd "$work" && bash tools/docs.sh >/dev/null)
case_is 'a figure without a marker is written' 0 'It is 1.12 times as fast.' cat "$work/README.md"

# The definition of a stall reason, held to the counters: warp-cycles per issue, one more for the warp that issues, times the share of
# issue slots, are the warps of a scheduler, of which there are 16 at most.
answer=$(tools/query.sh --plain "with kernel as (select sum(value) filter (where name glob 'stall_*') as stalled, max(value) filter (where name = 'issue_slots') as slots
    from figure where backend = 'gpu' group by step, variant, shape)
    select max((stalled + 1) * slots / 100) between 15 and 16.01, count(*) > 50 from kernel where stalled > 0")
if [[ $answer == '1|1' ]]; then pass 'stalls, by their definition, are 16 warps at most'; else fail 'stalls, by their definition, are 16 warps at most' "$answer"; fi

# One label, one counter: what the programs print and what the tables of the lessons have under the same words.
printed=$(awk -F'"' '/^FIGURE/ { gsub(/_(ld|st|ldgsts)\.sum/, "_*.sum", $8); split($8, sum, "+"); gsub(/_(ld|st|ldgsts)\.sum/, "_*.sum", $10)
        split($10, below, "+"); printf "%s('\''%s'\'', '\''%s'\'', '\''%s'\'')", (count++ ? ", " : ""), $4, sum[1], below[1] }' common/harness/figures.def)
answer=$(tools/query.sh --plain "with printed(words, above, below) as (values $printed)
    select printed.words || ': ' || a.pattern from printed join ratio on ratio.words = printed.words join short_name as a on a.name = ratio.above join short_name as b on b.name = ratio.below
        where replace(a.pattern, '_ld.sum', '_*.sum') <> printed.above or replace(b.pattern, '_ld.sum', '_*.sum') <> printed.below
    union all select printed.words || ': ' || pattern from printed join short_name on short_name.words = printed.words where pattern <> printed.above
    union all select count(*) || ' compared' from printed where words in (select words from ratio union select words from short_name)")
if [[ $answer =~ ^[1-9][0-9]*' compared'$ ]]; then pass 'one label, one counter'; else fail 'one label, one counter' "$answer"; fi

# The chart of drawn shapes and the command below it say the same.
said=$(tools/order.sh judge | sed -n 's/geometric mean of \([0-9]*\) shapes: \([0-9.]*\);.*/\1 \2/p')
if grep -q "on ${said% *} drawn shapes" docs/results/h200/sample.svg && grep -q "geometric mean ${said#* }" docs/results/h200/sample.svg; then
    pass 'the chart of drawn shapes'
else
    fail 'the chart of drawn shapes' "tools/order.sh judge says $said"
fi

# What docs/questions.md says of the fastest that cublasLt offers.
if needs 'beside the fastest of cublasLt, in words' sqlite3; then
    mkdir -p "$work/tuned"
    cp docs/results/h100/tuned.csv "$work/tuned/sample.csv"
    said=$(RESULTS=$work/tuned tools/order.sh judge | grep '^cublasLt')
    missing=
    for figure in $(grep -oE '[0-9]+(\.[0-9]+)?' <<<"${said//0.95/}" | grep -v '^1$'); do
        grep -qE "(^|[ [])${figure//./\\.}([ ,.]|\$)" docs/questions.md || missing+=" $figure"
    done
    if [[ $said && ! $missing ]]; then pass 'beside the fastest of cublasLt, in words'; else fail 'beside the fastest of cublasLt, in words' "not there:$missing" "$said"; fi
fi
