#!/usr/bin/env bash
# Fuzzes the course's readers of options and of CSV files, with RUNS executions of each harness.
# (sasskit/tests/fuzz fuzzes the toolkit.)
#
#     tests/fuzz/fuzz.sh RUNS ['HARNESS...']    options samples gpus; default: all
cd "$(dirname "$0")/../.." || exit 1
source sasskit/tests/fuzz/harness.sh
runs=${1:?how many executions}
all='options samples gpus'

# The fuzzer starts from the commands of the pages and the first rows of results.
for name in $all; do mkdir -p "$here/$name"; done
grep -ohE 'build/ladder --[^#;|`]*' README.md docs/*.md steps/*/*.md | sed 's/^[^ ]* //' | sort -u |
    split -l 1 - "$here/options/line."
sed -i 's/ *$//; s/ /\n/g' "$here"/options/line.*
cp "$here"/options/line.* "$here/gpus"
grep -ohE 'build/14_several_gpus --[^#;|`]*' README.md docs/*.md steps/*/*.md |
    sed 's/^[^ ]* //; s/ *$//; s/ /\n/g' | split -l 4 - "$here/gpus/words."
for csv in docs/results/h200/order.csv docs/results/h200/results.csv; do
    head -n 12 "$csv" >"$here/samples/$(basename "$csv")"
done

for name in ${2:-$all}; do
    files=(common/harness/{matrix,parse,say}.c sasskit/base/*.c) longest=512
    if [[ $name == samples ]]; then
        files=(common/harness/{csv,result,say}.c sasskit/base/*.c) longest=2048
    fi
    fuzz "$runs" $longest "tests/fuzz/fuzz_$name.c" "${files[@]}"
done
