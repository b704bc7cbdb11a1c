#!/usr/bin/env bash
# Writes the measured tables and figures into the Markdown files, from CSV alone, so that no figure is typed by hand.
#
#     tools/docs.sh            rewrite README.md, steps/*/*.md and docs/*.md where they differ from the CSV
#     tools/docs.sh --check    change nothing; name each file that differs and exit with status 1
#
# The text between two markers is replaced, outside fenced code only:
#
#     <!-- table: ladder SIZE -->                 each rung's last variant, beside cuBLAS and the rung before
#     <!-- table: variants STEP SIZE -->          the variants of a step: speed, registers, shared memory
#     <!-- table: sizes STEP [all] -->            the last variant (or all of them) over N; STEP all: every rung
#     <!-- table: shapes STEP VARIANT -->         one variant beside cuBLAS on every shape, and the geometric mean
#     <!-- table: times STEP SIZE,... -->         milliseconds of each variant and of cuBLAS
#     <!-- table: counters STEP SIZE [sim] -->    hardware counters of each variant (sim: the simulator's)
#     <!-- table: copies -->                      board power of ways of copying a tile
#     <!-- table: cycles STEP SIZE -->            cycles per FFMA of each variant, by sass lint and measured
#     <!-- table: sustained SIZE -->              speed, clock and power of the five-second runs
#     <!-- table: device -->                      what it was measured on
#     <!-- table: machine GROUP -->               what build/00_machine found: ceiling, latency, throughput, advice, banks
#     ...
#     <!-- end table -->
#
#     <!-- value: METRIC STEP VARIANT SIZE [sustained|sim] -->31.5<!-- end -->
#     <!-- value: ratio STEP VARIANT STEP VARIANT SIZE -->1.21<!-- end -->
#     <!-- value: peak -->66.9<!-- end -->                           peak_fp64 too
#     <!-- value: machine GROUP WHAT VARIANT -->4321<!-- end -->     a figure of machine.csv
#     <!-- value: lint METRIC STEP VARIANT -->1.219<!-- end -->     a column of lint.csv (tools/lint.sh), others, kilobytes
#     <!-- value: order VARIANT PARTS SIZE -->94.0<!-- end -->      microseconds of order.csv (tools/order.sh); PARTS 0: all blocks
#     <!-- value: naive_l2 -->2.7<!-- end -->                        TFLOP/s, tools/machine.awk (naive_l1 too)
#
# STEP is a folder's name or its number (05), or cublas; VARIANT may be `last`; SIZE is N or MxNxK. METRIC is a column of
# results.csv, a counter of Nsight Compute, or a figure derived in tools/counters.awk (cycles_per_ffma). The CSV files are
# those of $RESULTS, docs/results/h200 if not set. Exit status: 0 well, 1 a file differs, 2 wrong usage or marker.
set -euo pipefail

tools=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cd "$tools/.."
check=
case "${1:-}" in
    '') ;;
    --check) check=yes ;;
    *) echo "tools/docs.sh: unknown argument '$1'; usage: tools/docs.sh [--check]" >&2; exit 2 ;;
esac
results=${RESULTS:-docs/results/h200}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
: >"$work/newest.csv"
if [[ -s $results/results.csv ]]; then awk -f plots/newest.awk "$results/results.csv" >"$work/newest.csv"; fi

status=0
shopt -s nullglob
for file in README.md steps/*/*.md docs/*.md; do
    [[ -f $file ]] || continue
    awk -v newest="$work/newest.csv" -v counters="$results/counters.csv" -v machine="$results/machine.csv" \
        -v lint="$results/lint.csv" -v copy_power="$results/copies.csv" -v order_times="$results/order.csv" -v file="$file" \
        -f tools/counters.awk -f tools/machine.awk -f tools/docs.awk "$file" >"$work/text" || { status=2; continue; }
    cmp -s "$work/text" "$file" && continue
    if [[ $check ]]; then
        echo "$file: its measured figures differ from $results; run 'make docs'" >&2
        [[ $status == 2 ]] || status=1
    else
        cat "$work/text" >"$file"
        echo "$file"
    fi
done
exit $status
