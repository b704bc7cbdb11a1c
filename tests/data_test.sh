#!/usr/bin/env bash
# Tests the way of results from CSV files to tables and charts: the views, tools/query.py, truncated
# rows, files that must be written completely or not at all, and names that a shell would run as
# commands.
source "$(dirname "$0")/tap.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
needs 'tables of results' python3 || exit 0
old=time,commit,backend,device,driver,step,variant,m,n,k,lda,ldb,ldc,alpha,beta,mode,rounds
old+=,ms_median,ms_min,ms_max,tflops,pct_peak,vs_cublas
old+=,error_ratio,check,sm_mhz,watts,registers,shared_bytes,threads,blocks_per_sm
new=$old,gpus,error_rms,error_bias,cublas_error_max,cublas_error_rms

# row STEP VARIANT N TFLOPS [BACKEND] [CHECK] [PAD] [REST]: prints a row of results.csv.
row() {
    local ld=$(($3 + ${7:-0}))
    printf '%s,' "2026-01-0${day:-1}T00:00:00Z" abc "${5:-gpu}" "${device:-D}" 1.0 "$1" "$2" \
        "$3" "$3" "$3" $ld $ld $ld 1 0 burst 9 1.5 1.4 1.6 "$4" $(($4 * 2)) '' 0.1 "${6:-pass}" \
        1980 500 32 0 256
    echo "2${8:-}"
}
# answers NAME DIRECTORY SQL LINE...: passes if the query's result is these lines.
answers() {
    local name=$1 said expected
    said=$(tools/query.py --plain "$3" "$2" 2>&1)
    expected=$(printf '%s\n' "${@:4}")
    [[ $said == "$expected" ]]
    verdict $? "$name" "$3" 'expected:' "$expected" 'got:' "$said"
}

# --- views
mkdir "$work/a"
{
    echo "$old"
    row cublas pedantic 64 40
    row 01_naive uncoalesced 64 1
    row 01_naive coalesced 64 5
    row 02_shared_tiling tile16 64 8
    row 02_shared_tiling tile32 64 10
    row 01_naive coalesced 64 99 gpu fail     # a wrong kernel
    row 01_naive coalesced 64 98 gpu pass 1 # padded
    row 01_naive coalesced 64 97 model        # predicted, not measured
    row 02_shared_tiling tile16 64 9 # newer but incomplete: the last variant is tile32
    row cublas default 64 45 # not a baseline
} >"$work/a/results.csv"
answers 'the newest row of each measurement' "$work/a" \
    "select step, variant, tflops from newest order by place" 'cublas|pedantic|40.0' \
    '01_naive|uncoalesced|1.0' '01_naive|coalesced|5.0' '02_shared_tiling|tile16|9.0' \
    '02_shared_tiling|tile32|10.0' 'cublas|default|45.0'
mkdir "$work/stray"
{
    echo "$old"
    day=1; row cublas pedantic 64 40
    day=2; row cublas pedantic 64 41
    day=3; row cublas pedantic 64 30 # another program was using power
    row 13_x y 64 120
    day=4; row 13_x z 64 100
} >"$work/stray/results.csv"
answers 'a run of cuBLAS far from its others is told apart' "$work/stray" \
    'select tflops, median, runs from stray' '30.0|40.0|3'
answers 'the newest run that is not' "$work/stray" \
    "select tflops from newest where step = 'cublas'" '41.0'
answers "a row's baseline is its own run's, and marked" "$work/stray" \
    "select variant, cublas_tflops, cublas_stray from timed where step = '13_x' order by variant" \
    'y|30.0|1' 'z|41.0|0'
answers 'the ladder' "$work/a" \
    "select rung, step, variant, tflops, gain, times_cublas from ladder" \
    '0|01_naive|coalesced|5.0||0.125' '1|02_shared_tiling|tile32|10.0|2.0|0.25' \
    '2|cublas|pedantic|40.0||1.0'
answers 'the peak' "$work/a" 'select fp64, tflops from peak' '0|50.0'
{
    echo 'time,commit,backend,step,variant,m,n,k,counter,value'
    for line in smsp__cycles_active.sum,300 smsp__cycles_active.sum,200 \
        smsp__sass_thread_inst_executed_op_ffma_pred_on.sum,3200 \
        smsp__sass_thread_inst_executed_op_dfma_pred_on.sum,0 \
        l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum,30 \
        l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum,20 \
        smsp__average_warps_issue_stalled_wait_per_issue_active.ratio,0.5; do
        echo "t,c,gpu,01_naive,coalesced,64,64,64,$line"
    done
} >"$work/a/counters.csv"
answers 'figures from counters' "$work/a" \
    "select name, value from figure where step = '01_naive' order by name" cycles\|200.0 \
    cycles_per_ffma\|2.0 ffma\|100.0 global_sectors\|50.0 load_sectors\|30.0 sectors_per_ffma\|0.5 \
    stall_wait\|0.5 store_sectors\|20.0
answers 'times beside counters' "$work/a" \
    "select tflops, value from timed join figure using (step, variant, shape)
    where name = 'cycles_per_ffma'" '5.0|2.0'

# --- headers and rows
mkdir "$work/b" "$work/c" "$work/d"
{
    echo "$new"
    row 01_naive coalesced 64 5 gpu pass 0 ',8,1e-7,0.5,0.2,2e-7'
} >"$work/b/results.csv"
answers 'columns of a newer header' "$work/b" 'select gpus, error_rms, tflops from newest' \
    '8|1.0e-07|5.0'
{
    echo "$new"
    row 01_naive coalesced 64 5 gpu pass 0 ',,,,,'
    row 01_naive coalesced 64 6 gpu pass 0 ',1,,,,'
} >"$work/c/results.csv"
answers 'no number of GPUs is one GPU' "$work/c" 'select tflops from newest' '6.0'
answers 'are null with an older one' "$work/a" \
    "select gpus is null, error_rms is null from newest where variant = 'tile32'" '1|1'
{
    echo "$(cut -d, -f31 <<<"$old"),$(cut -d, -f1-30 <<<"$old")"
    row 01_naive coalesced 64 5 | sed 's/\(.*\),\(.*\)/\2,\1/'
} >"$work/c/results.csv"
answers 'columns are found by name' "$work/c" 'select blocks_per_sm, step from newest' '2|01_naive'
{
    echo "$old"
    row 01_naive coalesced 64 5
    row 01_naive coalesced 64 7
} | head -c -2 >"$work/d/results.csv"
answers 'a last row without an end is left out, which is said' "$work/d" \
    'select tflops from newest' \
    "$work/d/results.csv:3: cut short and left out" '5.0'
{
    echo "$old"
    row 01_naive coalesced 64 5 | cut -d, -f1-20
    row 01_naive coalesced 64 6
    row 01_naive x 64 5 | cut -d, -f2-
} >"$work/d/results.csv"
answers 'rows with too few fields, too' "$work/d" 'select tflops from newest' \
    "$work/d/results.csv:2: cut short and left out, as 1 more" '6.0'
cut -d, -f1-20 "$work/a/results.csv" >"$work/d/results.csv"
one_line_is 'a file of another kind' 1 'results: no column "tflops"' tools/query.py \
    'select 1' "$work/d"
printf '\0\1\2' >"$work/d/results.csv"
one_line_is 'an empty CSV' 1 'expected a header' tools/query.py 'select 1' "$work/d"

# `rows.py --keep` removes columns and values repeated from the row before. `rows.py` restores the
# values, also beside commas in texts, empty fields, and fields that become empty.
printf '%s\n' 'a,b,c,d,e' '"x, y",1,2,3,4' '"x, y",1,,3,5' '"x, y",1,,,6' '"x, y",1,,,6' \
    '"z",1,,,6' >"$work/whole.csv"
tools/rows.py --keep a,b,c,d,e "$work/whole.csv" >"$work/left.csv"
if said=$(tools/rows.py "$work/left.csv" | diff "$work/whole.csv" -) &&
    grep -q '^,,,,6$' "$work/left.csv"; then
    pass 'what rows leave out is filled in'
else
    fail 'what rows leave out is filled in' "$said" "$(<"$work/left.csv")"
fi
said=$(tools/rows.py --keep e,a:3 "$work/whole.csv" | head -2 | xargs -d '\n')
[[ $said == 'e,a 4,"x,' ]]
verdict $? 'some columns, the first characters of one' "$said"
one_line_is 'a column that is not there' 1 'no column "f"' tools/rows.py \
    --keep a,f "$work/whole.csv"

# --- tools/query.py
case_is 'a table with headings' 0 '09_reuse_sass' tools/query.py \
    "select step, tflops from ladder where shape = '4096'"
one_line_is 'query without SQL' 2 'usage: tools/query.py' tools/query.py
one_line_is 'query of a folder that does not exist' 2 "no folder '/none'" \
    tools/query.py 'select 1' /none
case_is 'query of a table that does not exist' 1 'no such table: laddder' tools/query.py \
    'select * from laddder'
# shellcheck disable=SC2016
for question in $(grep -n '^tools/query.py' docs/writing.md | cut -d: -f1); do
    case_is "the example on line $question of docs/writing.md" 0 '' bash \
        -c "$(sed -n "${question}p" docs/writing.md)"
done

# --- files that are written completely or not at all
put() { bash -c 'source tools/put.sh; put "$@"' tools/x "$@"; }
echo before >"$work/target"
head -c 100000 /dev/zero >"$work/large"
too_large() { (trap '' XFSZ; ulimit -f 8; put "$work/large" "$work/target"); }
one_line_is 'a file on a full disk' 1 "cannot write '$work/target'" too_large
if [[ $(cat "$work/target") == before && $(find "$work" -name 'target*' | wc -l) == 1 ]]; then
    pass 'a file on a full disk keeps its contents'
else
    fail 'a file on a full disk keeps its contents' "$(ls -l "$work")"
fi
one_line_is 'a target that is not a regular file' 1 'is not a regular file' put \
    "$work/large" /dev/full
if [[ -w /dev/shm ]]; then
    case_is 'across file systems' 0 '' put "$work/large" /dev/shm/put.$$
    cmp -s "$work/large" /dev/shm/put.$$
    verdict $? 'the copy is whole'
    rm -f /dev/shm/put.$$
else
    skip 'across file systems' '/dev/shm cannot be written here'
fi

# --- charts
needs 'charts of hostile names' gnuplot || exit 0
# A clone and a folder of results whose paths have quotes, spaces and a backquote. Three files in
# the folder have names (of devices and variants, for example) that a shell would run as commands.
tree="$work/it's \"a\" \`touch $work/broken\` \$(touch $work/broken) tree"
mkdir -p "$tree/docs/results" "$tree/my 'own' results"
cp -r tools plots "$tree/"
mkdir -p "$tree/sasskit/base" && cp sasskit/base/h200.h "$tree/sasskit/base/"
cp -r docs/results/h200 "$tree/docs/results/"
cp docs/results/h200/*.csv "$tree/my 'own' results/"
hostile="H200 \`touch $work/broken\` \"\"q\"\" 'p' @date {/:Bold x} a_b^c & ~d \\\\e"
hostile+=" \$(touch $work/broken); !touch $work/broken"
for file in results counters machine; do
    tools/rows.py "docs/results/h200/$file.csv" | awk -v hostile="$hostile" -v file=$file \
        'BEGIN { FS = OFS = "," } NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; print; next }
        { h = "\"" hostile "\""; $at["commit"] = h; if ("device" in at) { $at["device"] = h;
        $at["driver"] = h } print }
        NR == 2 { $at["variant"] = h; if ("step" in at) $at["step"] = h; else $at["what"] = h;
        print }' \
        >"$tree/my 'own' results/$file.csv"
done
# The reader's locale, with decimal commas and another sort order, changes nothing. This test makes
# such a locale, with the small character set ISO-8859-1, because that takes only half a second.
# elapsed.sh, own.sh, put.sh and compile.sh are sourced by scripts that set the locale.
set_none=$(grep -rL --include=*.sh -e '^export LC_ALL=C' -e '/tap.sh"$' -e 'fuzz/harness.sh$' \
    run_all.sh plots sasskit tests tools web |
    grep -vE '^(tools/(elapsed|own|put)|sasskit/tests/verdicts/compile)\.sh$')
[[ ! $set_none ]]
verdict $? 'every script sets its locale' "$set_none"
if localedef -f ISO-8859-1 -i de_DE "$work/de_DE.ISO-8859-1" 2>/dev/null; then
    pass 'a locale with decimal commas'
else
    skip 'a locale with decimal commas' 'no locale de_DE can be made'
fi
comma() { env LOCPATH="$work" TMPDIR="$tree" LC_ALL=de_DE.ISO-8859-1 "$@"; }
drawn=$(comma "$tree/plots/draw.py" "$tree/my 'own' results" 2>&1)
status=$?
[[ $status == 0 && $(grep -c 'svg$' <<<"$drawn") == $(find docs/results/h200 -name '*.svg' ! \
    -name validation.svg ! -name sample.svg | wc -l) ]]
verdict $? 'every chart, of hostile names in a hostile path' "exit status $status" "$drawn"
if grep -q 'H200 `touch .*{/:Bold x} a b^c &amp; ~d' "$tree/my 'own' results/sizes.svg"; then
    pass 'the name is shown as it is'
else
    fail 'the name is shown as it is' \
        "$(grep -A3 'H200' "$tree/my 'own' results/sizes.svg" | head -5)"
fi
case_is 'the lessons in a hostile path, with decimal commas' 0 '' comma "$tree/tools/docs.py" \
    --check
printf 'lane,address,bytes,first_sector,last_sector\n0,0,4,0,0\n1,128,4,4,4\n' >"$tree/request.csv"
case_is 'a request with a hostile title' 0 '' "$tree/plots/request.py" "$tree/request.csv" \
    "$tree/a 'b'.svg" "$hostile"
if [[ -e $work/broken ]]; then
    fail 'nothing was executed' "$work/broken"
else
    pass 'nothing was executed'
fi
