#!/usr/bin/env bash
# The whole program, without a GPU and on the fake driver (fake_cuda.c): exit statuses, the rows of
# the CSV, and what an error names.
source "$(dirname "$0")/tap.sh"
ladder=build/ladder
fake() { LD_LIBRARY_PATH=$PWD/build/fake FAKE_CUDA=$1 "${@:2}"; }
no_gpu() { fake nodevice "$@"; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# column NAME FILE: prints the values of a CSV's column. A device's name in quotes may have a comma.
column() {
    sed 's/"[^"]*"/device/' "$2" | awk -F, -v name="$1" \
        'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i; next } { print $at }'
}

# records NAME COLUMN VALUES COMMAND...: passes if the command ends with status 0 and COLUMN of its
# new CSV has these VALUES: each distinct value behind its number of rows, as in '2 pass'.
records() {
    local got=0 found
    rm -f "$work/one.csv"
    "${@:4}" --csv "$work/one.csv" >"$work/said" 2>&1 || got=$?
    found=$(column "$2" "$work/one.csv" 2>/dev/null | sort | uniq -c | xargs)
    [[ $got == 0 && $found == "$3" ]]
    verdict $? "$1" "exit status $got, $2: $found, expected $3" "$(cat "$work/said")"
}

# --list shows every step with variants, 01 to 13 and 15. Step 14 has a program of its own.
missing=
$ladder --list >"$work/list" || missing+=' (exit status)'
for step in steps/0[1-9]_*/ steps/1[0-35]_*/; do
    grep -q "$(basename "$step")" "$work/list" || missing+=" $step"
done
[[ ! $missing ]]
verdict $? 'the list has every step' "not there:$missing"
build/01_naive --list >"$work/list"
grep -q 01_naive "$work/list" && ! grep -qE '0[2-9]_|1[0-9]_' "$work/list"
verdict $? 'a single step lists itself' "$(cat "$work/list")"

# --- mistakes on the command line
$ladder --bogus >"$work/out" 2>"$work/err"
[[ $? == 2 && ! -s $work/out ]] && grep -q -- "--bogus" "$work/err"
verdict $? 'unknown option' "$(cat "$work/out" "$work/err")"
# Every option with a value refuses the value @, except those that take a file's name, and --step
# and --variant, which are tried below.
while IFS='|' read -r option value; do
    case $option in
        step | variant) ;; # tried below
        machine | arch) names "--$option @" 2 "--$option" -- $ladder --backend sim "--$option" @ ;;
        *) names "--$option @" 2 "--$option @" -- $ladder "--$option" @ ;;
    esac
done < <(awk -F'"' '/^OPTION/ && $3 == ", " && $4 !~ /FILE/ { print $2 "|" $4 }' \
    common/harness/options.def)
names 'unknown step: names the steps' 2 '--step nine' 01_naive 15_strassen -- $ladder --step nine
names 'unknown variant: names those of the chosen steps' 2 '--variant nine' uncoalesced \
    hand_16x8_row -- $ladder --variant nine
names 'size 0: names the limits' 2 '--size 0' 1 2147483647 -- $ladder --size 0
names 'negative size' 2 '--size -1' 1 2147483647 -- $ladder --size -1
names 'size beyond int' 2 '--size 99999999999' 2147483647 -- $ladder --size 99999999999
names 'a matrix larger than any GPU' 2 2000000x2000000x2000000 -- $ladder --size 2000000
names 'shape that does not parse' 2 '--shape 3x4' MxNxK -- $ladder --shape 3x4
names 'wrong word: names the right ones' 2 '--check yes' on off only small -- $ladder --check yes
names 'memory is a whole number' 2 '--memory 0.5' -- $ladder --memory 0.5
names 'TF32 override' 2 NVIDIA_TF32_OVERRIDE=1 -- env NVIDIA_TF32_OVERRIDE=1 $ladder
names 'counters are not for the GPU' 2 --counters -- fake none $ladder --counters "$work/c.csv"
echo 'a,b' >"$work/foreign.csv"
names 'foreign CSV' 2 "$work/foreign.csv" -- $ladder --csv "$work/foreign.csv"
[[ $(<"$work/foreign.csv") == a,b ]]
verdict $? 'foreign CSV: unchanged'
names 'unwritable CSV' 2 /nonexistent/a.csv -- $ladder --csv /nonexistent/a.csv
names 'CSV to no file' 2 -- $ladder --csv -

# --- no GPU, or a GPU that cannot run the program
records 'the simulator checks' check '2 pass' $ladder --backend sim --step 01 --size 8
records 'without a GPU the simulator runs' backend '2 sim' no_gpu $ladder --step 01 --size 8
names 'no more memory than allowed' 1 16384x16384x16384 '4.3 GB' '1.0 GB' -- \
    $ladder --backend sim --step 01 --size 16384 --force --check off --memory 1
names 'no device' 77 CUDA_ERROR_NO_DEVICE -- no_gpu $ladder --backend gpu --csv "$work/none.csv"
[[ ! -e $work/none.csv ]]
verdict $? 'no device leaves no CSV'
names 'old driver: names both versions' 2 11.8 13.0 -- fake old $ladder
case_is 'no cubin for the device' 2 'no kernels for sm_30' fake capability $ladder
names 'out of device memory' 1 CUDA_ERROR_OUT_OF_MEMORY 1000 1073741824 -- fake oom $ladder \
    --step 01 --size 8
names 'larger than the device' 1 40000x40000x40000 '25.6 GB' '1.1 GB' -- fake none $ladder \
    --step 01 --size 40000
names 'a kernel that faults' 1 01_naive/uncoalesced CUDA_ERROR_LAUNCH_FAILED -- fake fault $ladder \
    --step 01 --size 8
# The fake driver adds 1 to C[0][0].
fake wrong $ladder --size 8 --step 01 --csv "$work/wrong.csv" >"$work/said" 2>&1
status=$?
off=$(grep -F 'C[0][0]' "$work/said" |
    sed -E 's/[^0-9.]*[[]0[]][[]0[]][^0-9]*([0-9.]+)[^0-9]+([0-9.]+).*/\1 \2/' |
    awk '{ printf "%.5f\n", $1 - $2 }' | sort -u)
[[ $status == 1 && $off == 1.00000 && ! $(column check "$work/wrong.csv" |
    grep -v -e fail -e pass) ]] &&
    [[ $(paste -d, <(column step "$work/wrong.csv") <(column check "$work/wrong.csv") |
        grep 01_naive | sort -u) == 01_naive,fail ]]
verdict $? 'a wrong element: its place, and how far it is off' "exit status $status, off by: $off" \
    "$(cat "$work/said")"
records 'empty dimensions are valid' check '9 pass' fake none $ladder --step 01 --shape 0x3x3 \
    --shape 3x0x3 --shape 3x3x0

# --- the CSV and the baselines
case_is 'a run writes its CSV' 0 '' fake none $ladder --step 01 --size 8 --csv "$work/run.csv"
case_is 'a second run appends to it' 0 '' fake none $ladder --step 01 --size 9 --csv "$work/run.csv"
sizes=$(column m "$work/run.csv" | uniq -c | xargs)
columns=$(awk -F, 'NR == 1 { named = NF; next } { print NF - named }' "$work/run.csv" | sort -u)
[[ $sizes == '3 8 3 9' ]]
verdict $? 'one header, one line per result' "$(cat "$work/run.csv")"
# The fake device's name has a comma in quotes, so each row has one comma more than the header.
[[ $columns == 1 ]]
verdict $? 'every line is whole' "$(cat "$work/run.csv")"

# FP64 kernels have their own baseline, also in a run with FP32 kernels.
case_is 'FP32 and FP64 kernels in one run' 0 '' fake none $ladder --step 01,11 --size 9 --pad 0,1 \
    --alpha 1,0.1 --beta 0,-1 --csv "$work/both.csv"
rows=$(paste -d, <(column step "$work/both.csv") <(column variant "$work/both.csv") \
    <(column check "$work/both.csv") | grep ^cublas | sort | uniq -c | xargs)
[[ $rows == '8 cublas,dgemm,pass 8 cublas,pedantic,pass' && ! $(column check "$work/both.csv" |
    grep -v pass) ]]
verdict $? 'a baseline for each type' "$rows"
fake none $ladder --step 01 --variant last --size 8 --rounds 3 --check off --baseline both \
    --csv "$work/modes.csv" >"$work/said" 2>&1
modes=$(sed 's/"[^"]*"/device/' "$work/modes.csv" |
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
                 $at["step"] == "cublas" { print $at["variant"],
                     $at["vs_cublas"] < 0.5 ? "slower" : "as fast" }' | xargs)
[[ $modes == 'pedantic as fast default slower' ]]
verdict $? 'both modes of cuBLAS, against the pedantic one' "$modes" "$(cat "$work/said")"
# The tuned baseline is the fastest of cublasLt's algorithms that run. In the fake library it takes
# 2 ms, the others at least 12 ms. For N = 7 the fake offers no algorithm.
fake none $ladder --step 01 --variant last --size 8,7 --rounds 3 --beta 0.5 --baseline tuned \
    --csv "$work/tuned.csv" >"$work/said" 2>&1
tuned=$(sed 's/"[^"]*"/device/' "$work/tuned.csv" |
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
                 $at["variant"] == "tuned" { print $at["m"], $at["check"], ($at["ms_median"] >= 2 &&
                     $at["ms_median"] < 10 ? "fastest" : $at["ms_median"]) }' | xargs)
[[ $tuned == '8 pass fastest' ]]
verdict $? 'the fastest that cublasLt offers' "$tuned" "$(cat "$work/said")"
notes=$(grep -w 7x7x7 "$work/said" | grep -vcE '^(cublas|01_naive) ')
[[ $notes == 1 && $(column m "$work/tuned.csv" | sort | uniq -c | xargs) == '2 7 3 8' ]]
verdict $? 'a shape without a tuned baseline: one note, two rows' "$(cat "$work/said")"
names 'a cublasLt that does not start' 0 cublasLtCreate CUBLAS_STATUS_INVALID_VALUE -- \
    fake nolt $ladder --step 01 --variant last --size 8,9 --rounds 1 --baseline tuned
mkdir "$work/without"
cp -P build/fake/libcuda.so.1 build/fake/libcublas.so.13 "$work/without/"
cp build/fake/libnccl.so.2 "$work/without/libcublasLt.so.13"
without() { LD_LIBRARY_PATH=$work/without FAKE_CUDA=none "$@"; }
names 'another library of that name' 0 libcublasLt cublasLtCreate -- without $ladder --step 01 \
    --variant last --size 8 --rounds 1 --baseline tuned
fake wrong $ladder --step 11 --size 9 --csv "$work/fp64.csv" >"$work/said" 2>&1
status=$?
[[ $status == 1 && $(paste -d, <(column step "$work/fp64.csv") <(column check "$work/fp64.csv") |
    grep ^11_ | sort -u) == 11_dgemm,fail ]]
verdict $? 'an FP64 result rounded to float is wrong' "exit status $status" "$(cat "$work/said")"

printf '%s\tsgemm_naive\t--grid 1 --block 32 --arg i32:8\n' \
    build/cubin/sm_90/01_naive/coalesced.cubin \
    >"$work/list"
names 'gpurun with too few arguments' 1 sgemm_naive --arg -- fake none build/gpurun "$work/list"
printf 'build/cubin/sm_90/01_naive/coalesced.cubin\tsgemm_naive\t--grid 1 --block 32 %s\n' \
    "$(printf -- '--arg %s ' i32:8 i32:8 i32:8 f32:1 'f32[64]:zero' i32:8 'f32[64]:zero' i32:8 \
        f32:0 'f32[64]:zero' i32:8)" >"$work/list"
case_is 'gpurun with all of them' 0 '' fake none build/gpurun "$work/list"

# Ctrl-C: the launch in flight completes, every line is whole, and the message names the file.
LD_LIBRARY_PATH=$PWD/build/fake FAKE_CUDA=slow $ladder --step 01 --size 8,9,10,11,12,13,14,15,16 \
    --rounds 5 \
    --csv "$work/interrupted.csv" >"$work/said" 2>&1 &
pid=$!
for _ in $(seq 100); do [[ -s $work/interrupted.csv ]] && break; sleep 0.1; done
kill -INT $pid
wait $pid
status=$?
[[ $status == 130 ]]
verdict $? 'interrupted: exit status 130' "$status" "$(cat "$work/said")"
tail -n 1 "$work/said" | grep -qF "$work/interrupted.csv"
verdict $? 'interrupted: names the CSV' "$(cat "$work/said")"
[[ $(tail -c 1 "$work/interrupted.csv" | od -An -c) == *'\n'* ]]
verdict $? 'interrupted: the CSV is whole' "$(cat "$work/interrupted.csv")"

# With a GPU, --time measures and checks whole problems. Without one it predicts.
fake none $ladder --time --step 01 --size 9 --csv "$work/timed.csv" >/dev/null
no_gpu $ladder --time --step 01 --size 9 --csv "$work/timed.csv" >/dev/null 2>&1
got=$(column backend "$work/timed.csv" | sort -u | xargs) checks=$(column check "$work/timed.csv" |
    sort -u | xargs)
[[ $got == 'gpu model' && $checks == 'pass small' ]]
verdict $? '--time measures, or predicts' "$got, $checks"

# For a wrong goal, make names the program that may be meant, before it builds anything.
for wrong in build/05 build/5 build/05_flaot4 build/float4; do
    one_line_is "make $wrong" 2 'did you mean `make build/05_float4`?' make \
        --no-print-directory "$wrong"
done
one_line_is 'counters of no lesson' 2 'STEP=99: there is no such lesson' make \
    --no-print-directory profile STEP=99
helped=$(make help)
[[ $helped && ! $(awk 'length > 100' <<<"$helped") ]]
verdict $? 'make help fits 100 columns' "$helped"
missing=$(for goal in $(sed -n 's/^  make \([a-z-]*\)[ =].*/\1/p' <<<"$helped"); do
    grep -qE "^([a-z-]+ )*$goal( [a-z-]+)*:" mk/*.mk sasskit/*.mk sasskit/tests/*.mk Makefile ||
        echo "$goal"
done)
[[ ! $missing ]]
verdict $? 'make help names goals that exist' "$missing"
