#!/usr/bin/env bash
# The whole program, without a GPU and on the fake driver of fake_cuda.c: bad input gets one line and the right exit status.
source "$(dirname "$0")/tap.sh"
ladder=build/ladder
fake() { LD_LIBRARY_PATH=$PWD/build/fake FAKE_CUDA=$1 "${@:2}"; }
no_gpu() { LD_LIBRARY_PATH=$PWD/build/fake FAKE_CUDA=nodevice "$@"; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

case_is 'help ends well' 0 'Usage: ladder' $ladder --help
case_is 'list names steps and variants' 0 'coalesced' $ladder --list
case_is 'a single step lists itself' 0 '01_naive' build/01_naive --list
case_is 'unknown option' 2 "unrecognized option '--bogus'" $ladder --bogus
one_line_is 'unknown step' 2 'no such step; there are: 01_naive' $ladder --step nine
one_line_is 'unknown variant' 2 'no such variant' $ladder --variant nine
one_line_is 'size 0' 2 '0 is out of range' $ladder --size 0
one_line_is 'negative size' 2 'is out of range' $ladder --size -1
one_line_is 'absurd size' 2 'more than any GPU holds' $ladder --size 2000000
one_line_is 'size beyond int' 2 'is out of range' $ladder --size 99999999999
one_line_is 'shape that does not parse' 2 'expected MxNxK' $ladder --shape 3x4
one_line_is 'wrong word' 2 'expected on, off, only or small' $ladder --check yes
one_line_is 'TF32 override' 2 'unset it' env NVIDIA_TF32_OVERRIDE=1 $ladder
case_is 'the simulator checks' 0 'pass' $ladder --backend sim --step 01 --size 8
case_is 'no more memory than allowed' 1 'on the device and may use 1.0 GB' build/ladder --backend sim --step 01 --size 16384 --force --check off --memory 1
case_is 'memory by the GB' 2 '--memory' build/ladder --memory 0.5
case_is 'without a GPU the simulator runs' 0 'counting on the simulator' no_gpu $ladder --step 01 --size 8

echo 'a,b' >"$work/foreign.csv"
one_line_is 'foreign CSV' 2 'is not the header' $ladder --csv "$work/foreign.csv"
one_line_is 'unwritable CSV' 2 'cannot be written' $ladder --csv /nonexistent/a.csv
one_line_is 'CSV to no file' 2 'name one' $ladder --csv -
one_line_is 'no device' 77 'no CUDA device is visible' no_gpu $ladder --backend gpu --csv "$work/none.csv"
[[ ! -e $work/none.csv ]] && pass 'no device leaves no CSV' || fail 'no device leaves no CSV'
one_line_is 'old driver' 1 'update the driver' fake old $ladder
case_is 'no cubin for the device' 1 'make ARCH=sm_30' fake capability $ladder
case_is 'out of device memory' 1 'bytes needed' fake oom $ladder --step 01 --size 8
case_is 'larger than the device' 1 'needs 25.6 GB on the device' fake none $ladder --step 01 --size 40000
case_is 'a kernel that faults' 1 'CUDA_ERROR_LAUNCH_FAILED' fake fault $ladder --step 01 --size 8
case_is 'a kernel that is wrong' 1 'C[0][0] is' fake wrong $ladder --size 8 --step 01
case_is 'counters are not for the GPU' 2 'make profile' fake none $ladder --counters "$work/c.csv"
case_is 'empty dimensions are valid' 0 'pass' fake none $ladder --step 01 --shape 0x3x3 --shape 3x0x3 --shape 3x3x0 --beta 0,2

case_is 'a run writes its CSV' 0 '01_naive' fake none $ladder --step 01 --size 8 --csv "$work/run.csv"
case_is 'and appends to it' 0 '01_naive' fake none $ladder --step 01 --size 9 --csv "$work/run.csv"
lines=$(grep -c . "$work/run.csv") columns=$(awk -F, 'NR == 1 { named = NF; next } { print NF - named }' "$work/run.csv" | sort -u)
[[ $lines == 7 ]] && pass 'one header, a line a result' || fail 'one header, a line a result' "$(cat "$work/run.csv")"
# The name of the fake device has a comma within its quotes.
[[ $columns == 1 ]] && pass 'every line is whole' || fail 'every line is whole' "$(cat "$work/run.csv")"

# FP64: another baseline, another peak, and kernels of both types in one run.
case_is 'FP64 kernels run' 0 'pass' fake none $ladder --step 01,11 --size 9 --pad 0,1 --alpha 1,0.1 --beta 0,-1 --csv "$work/both.csv"
rows=$(awk -F, '$7 == "cublas" || $8 == "cublas" { print $(7 + ($8 == "cublas") + 1) }' "$work/both.csv" | sort | uniq -c | xargs)
[[ $rows == '8 dgemm 8 pedantic' ]] && pass 'a baseline for each type' || fail 'a baseline for each type' "$rows"
fake none $ladder --step 01 --variant last --size 8 --rounds 3 --check off --baseline both --csv "$work/modes.csv" >"$work/said" 2>&1
modes=$(sed 's/"[^"]*"/device/' "$work/modes.csv" | awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
                 $at["step"] == "cublas" { print $at["variant"], $at["vs_cublas"] < 0.5 ? "slower" : "as fast" }' | xargs)
[[ $modes == 'pedantic as fast default slower' ]] && pass 'both modes of cuBLAS, against the pedantic one' ||
    fail 'both modes of cuBLAS, against the pedantic one' "$modes" "$(cat "$work/said")"
# Of what cublasLt offers, the fastest that runs: 2 ms, the others of the fake take 12 and more. Its row is checked, and read beside the pedantic one's.
fake none $ladder --step 01 --variant last --size 8,7 --rounds 3 --beta 0.5 --baseline tuned --csv "$work/tuned.csv" >"$work/said" 2>&1
tuned=$(sed 's/"[^"]*"/device/' "$work/tuned.csv" | awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
                 $at["variant"] == "tuned" { print $at["m"], $at["check"], ($at["ms_median"] >= 2 && $at["ms_median"] < 10 ? "fastest" : $at["ms_median"]) }' | xargs)
[[ $tuned == '8 pass fastest' ]] && pass 'the fastest that cublasLt offers' || fail 'the fastest that cublasLt offers' "$tuned" "$(cat "$work/said")"
notes=$(grep -c 'no tuned baseline at 7x7x7: cublasLt offers no algorithm that runs' "$work/said")
[[ $notes == 1 ]] && pass 'a shape for which it offers none' || fail 'a shape for which it offers none' "$(cat "$work/said")"
case_is 'a cublasLt that does not start' 0 'note: no tuned baseline: cublasLtCreate: CUBLAS_STATUS_INVALID_VALUE' \
    fake nolt $ladder --step 01 --variant last --size 8,9 --rounds 1 --baseline tuned
mkdir "$work/without"
cp -P build/fake/libcuda.so.1 build/fake/libcublas.so.13 "$work/without/"
cp build/fake/libnccl.so.2 "$work/without/libcublasLt.so.13"
without() { LD_LIBRARY_PATH=$work/without FAKE_CUDA=none "$@"; }
case_is 'another library of that name' 0 'note: no tuned baseline: libcublasLt has no cublasLtCreate' \
    without $ladder --step 01 --variant last --size 8 --rounds 1 --baseline tuned
case_is 'an FP64 result rounded to float is wrong' 1 '11_dgemm/all fails at 9x9x9' fake wrong $ladder --step 11 --size 9

printf 'build/cubin/sm_90/01_naive/coalesced.cubin\tsgemm_naive\t--grid 1 --block 32 --arg i32:8\n' >"$work/list"
one_line_is 'gpurun with too few arguments' 1 'its parameters are not what --arg gives' fake none build/gpurun "$work/list"
printf 'build/cubin/sm_90/01_naive/coalesced.cubin\tsgemm_naive\t--grid 1 --block 32 %s\n' \
    "$(printf -- '--arg %s ' i32:8 i32:8 i32:8 f32:1 'f32[64]:zero' i32:8 'f32[64]:zero' i32:8 f32:0 'f32[64]:zero' i32:8)" >"$work/list"
case_is 'and with all of them' 0 '' fake none build/gpurun "$work/list"

# Ctrl-C: the launch in flight ends, the lines are whole, the status says so.
LD_LIBRARY_PATH=$PWD/build/fake FAKE_CUDA=slow $ladder --step 01 --size 8,9,10,11,12,13,14,15,16 --rounds 5 \
    --csv "$work/interrupted.csv" >"$work/said" 2>&1 &
pid=$!
for _ in $(seq 100); do [[ -s $work/interrupted.csv ]] && break; sleep 0.1; done
kill -INT $pid
wait $pid
status=$?
[[ $status == 130 ]] && pass 'interrupted: exit status 130' || fail 'interrupted: exit status 130' "$status" "$(cat "$work/said")"
grep -q 'interrupted; what was measured before is whole in' "$work/said" && pass 'interrupted: says so' ||
    fail 'interrupted: says so' "$(cat "$work/said")"
[[ $(tail -c 1 "$work/interrupted.csv" | od -An -c) == *'\n'* ]] && pass 'interrupted: the CSV is whole' ||
    fail 'interrupted: the CSV is whole' "$(cat "$work/interrupted.csv")"
