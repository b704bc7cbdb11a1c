#!/usr/bin/env bash
# Everything in one go: set up, build, check, measure (or count, without a GPU), draw. A few minutes.
#
#     ./run_all.sh [--quick] [--fresh] [DIRECTORY]
#
#     --quick      N = 1024 and 2048 (without a GPU 256) and only the last variant of each step: about a minute on a
#                  GPU, two without one
#     --fresh      remove what an earlier run wrote into DIRECTORY
#     DIRECTORY    where results and charts go: a new or empty directory, or that of an earlier run; results beside this
#                  script if not given. No file there is replaced or removed but those that run_all.sh wrote.
#
# It can be stopped with Ctrl-C and run again: sizes measured before with the same programs are not measured again. Without
# a GPU the simulator runs each step's machine code, checks it and counts, and a model of an H200 predicts the ladder's times, which
# are marked as predicted: a few minutes on two cores.
# Exit status: 0 what can be had here was done, 1 something failed, 2 wrong usage, 130 stopped.
set -euo pipefail
export LC_ALL=C # decimal points, and one order of names
unset CDPATH
caller=$PWD
if [[ ${BASH_SOURCE[0]} == */* ]]; then cd -- "${BASH_SOURCE[0]%/*}"; fi
source tools/own.sh

usage() { sed -n '2,/^[^#]/{s/^# \{0,1\}//p;}' run_all.sh; }
say() { printf '\n== %s\n' "$1"; }
die() {
    echo "run_all.sh: $1" >&2
    exit "${2:-2}"
}

results='' named='' quick='' fresh=''
for argument in "$@"; do
    case $argument in
        --quick) quick=yes ;;
        --fresh) fresh=yes ;;
        -h | --help) usage; exit 0 ;;
        -*) die "unknown option '$argument'; ./run_all.sh --help lists them" ;;
        *) [[ -z $named ]] || die "more than one directory: '$results' and '$argument'"; named=yes results=$argument ;;
    esac
done
[[ -w build || (! -e build && -w .) ]] || die "$PWD cannot be written: make BUILD=DIR builds in a copy of it, and DIR/run_all.sh runs there" 1
if [[ $named ]]; then own_directory "$results" "$caller" . || exit 2; else own_directory results . . || exit 2; fi
results=$own_path
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

stop() {
    printf '\nStopped. What was measured is in %s; run ./run_all.sh again to go on.\n' "$results"
    exit 130
}
trap stop INT TERM

say "Setting up and building"
tools/setup.sh run
make -s -j"$(nproc)" || die "the build failed; its message is above" 1
echo "build/ladder, one program a step, $(find build/cubin -name '*.cubin' | wc -l) kernels"

if [[ $fresh ]]; then own_forget; fi
own results.csv counters.csv machine.csv measured/machine.txt || exit 1
if [[ $quick ]]; then sizes=(1024 2048) only=(--variant last); else sizes=(256 512 1024 2048 4096 4097) only=(); fi

# once NAME CSV COMMAND...: runs the command unless it ended well before, with the same programs, and its rows are there still.
programs=$(find build/cubin -name '*.cubin' | sort | xargs cat build/ladder | cksum | tr ' ' -)
once() {
    local mark=measured/$1-$programs rc=0
    if [[ -e $results/$mark && -s $results/$2 ]]; then
        echo "$1: done before"
        return 0
    fi
    "${@:3}" || rc=$?
    if [[ $rc == 0 ]]; then own "$mark" && : >"$results/$mark"; fi
    return $rc
}

# measure SIZE: one run of the ladder, each kernel checked before it is timed.
measure() {
    once "N=$1$quick" results.csv build/ladder --backend gpu --step all "${only[@]}" --size "$1" --csv "$results/results.csv"
}

# count NAME OPTION...: one run of the ladder on the simulator.
count() { once "$1" counters.csv build/ladder --backend sim --step all --force "${@:2}"; }

# What the machine can do (step 00); without a GPU its probes are checked.
probe_machine() {
    local rc=0
    build/00_machine --backend "$1" --csv "$results/machine.csv" >"$results/measured/machine.txt" || rc=$?
    tail -n 1 "$results/measured/machine.txt"
    return $rc
}

say "Checking and measuring"
gpu=yes failed=
for size in "${sizes[@]}"; do
    rc=0
    measure "$size" || rc=$?
    case $rc in
        0) ;;
        77) gpu=; break ;;
        130) stop ;;
        *) failed="$failed $size" ;;
    esac
done

rc=0
if [[ $gpu ]]; then engine=gpu; else engine=sim; fi
once "machine-$engine" machine.csv probe_machine $engine || rc=$?
if [[ $rc == 130 ]]; then stop; fi
if [[ $rc != 0 ]]; then failed="$failed machine"; fi

# Without a GPU: checks on odd shapes, then counts. The charts and the table are of N = $counted.
if [[ ! $gpu ]]; then
    say "No GPU: checking and counting on the simulator"
    counters=(--check on --counters "$results/counters.csv")
    rc=0
    if [[ $quick ]]; then
        counted=256
        count "odd-last" --variant last --shape 257x131x77 --check only || rc=$?
        [[ $rc == 130 ]] || count "256-last" --variant last --size 256 "${counters[@]}" || rc=$?
    else
        counted=512
        count "odd" --shape 257x131x77 --shape 65x33x1 --check only || rc=$?
        [[ $rc == 130 ]] || count "256-512" --size 256,512 "${counters[@]}" || rc=$?
        [[ $rc == 130 ]] || count "1024-last" --variant last --size 1024 "${counters[@]}" || rc=$?
    fi
    if [[ $rc == 130 ]]; then stop; fi
    if [[ $rc != 0 ]]; then failed="$failed simulator"; fi
fi

# predict SIZE: the ladder by the model of an SM, into $work/predicted; its text into $work/predicted.txt.
charts=
has() { command -v "$1" >/dev/null; }
predict() {
    local file rc=0
    mkdir "$work/predicted"
    tools/predict.sh "$work/predicted" "$1" >"$work/predicted.txt" || rc=$?
    if [[ $rc != 0 ]]; then return $rc; fi
    for file in "$work/predicted"/*; do
        own_copy "$file" "${file##*/}" || rc=1
        if [[ $file != *.csv ]]; then charts+=$results/${file##*/}$'\n'; fi
    done
    return $rc
}
if [[ ! $gpu ]]; then
    say "Predicting the ladder's times: a model of an H200, no measurement"
    rc=0
    if [[ $quick ]]; then predict 1024 || rc=$?; else predict 2048 || rc=$?; fi
    if [[ $rc == 130 ]]; then stop; fi
    if [[ $rc != 0 ]]; then failed="$failed predictions"; fi
    if [[ -s $work/predicted.txt ]]; then cat "$work/predicted.txt"; fi
fi

# draw FROM TO SIZE: the charts of the CSV files in the folder FROM, put into TO of our directory; adds them to `charts`. Set-up
# has said what is missing for charts and tables.
draw() {
    local chart name
    has gnuplot && has sqlite3 || return 0
    if [[ ! -d $work/draw ]]; then say "Drawing"; fi
    rm -rf "$work/draw"
    mkdir "$work/draw"
    cp -- "$1"/*.csv "$work/draw" || { failed="$failed charts"; return; }
    plots/draw.sh "$work/draw" "$3" >"$work/drawn" || failed="$failed charts"
    for chart in "$work/draw"/*.svg; do
        [[ -e $chart ]] || continue
        name=$2${chart##*/}
        if own_copy "$chart" "$name"; then charts+=$results/$name$'\n'; else failed="$failed $name"; fi
    done
}

elsewhere=docs/results/h200
if [[ $gpu ]]; then
    if [[ -s $results/results.csv ]]; then draw "$results" '' 4096; fi
else
    if [[ -s $results/counters.csv ]]; then draw "$results" '' "$counted"; fi
    if [[ -s $elsewhere/results.csv ]]; then draw $elsewhere h200/ 4096; fi
fi
if [[ $gpu ]]; then times=$results/results.csv; else times=$elsewhere/results.csv; fi

if [[ ! $gpu && -s $results/counters.csv ]] && has sqlite3; then
    say "Counted here, by the simulator"
    tools/query.sh --plain "select line from bounds_text where n = '$counted'" "$results"
fi
if [[ -s $times ]] && has sqlite3; then
    if [[ $gpu ]]; then say "The ladder"; else say "Measured elsewhere: the results that come with the project"; fi
    tools/query.sh --plain "select line from ladder_text
        where n = (select n from ladder where square order by n = 4096 desc, n desc)" "$(dirname "$times")"
fi

# The page in which this run's results stand (web/site).
page=
if has pandoc && has sqlite3; then
    say "The pages"
    if OWN=$results web/site/build.sh; then page=$PWD/build/site/measurements.html; else failed="$failed pages"; fi
fi

say "Done"
if [[ ! $gpu ]]; then echo "No GPU was found here."; fi
if [[ $gpu && -s $results/results.csv ]]; then echo "measurements: $results/results.csv"; fi
if [[ ! $gpu && -s $results/counters.csv ]]; then
    cat <<END
Counted: what each step's sm_90 machine code does, instruction by instruction, on the simulator; results checked against
    float64, hazards, races and addresses checked on the way. Counts: $results/counters.csv
Not measured: any time. A bound is the least time that one part of an H200 would need; the real one is longer.
END
fi
if [[ ! $gpu && -s $results/predicted.csv ]]; then
    echo "Predicted: the ladder's times, by a model of an H200 (docs/timing.md): $results/predicted.csv"
fi
if [[ $charts ]]; then
    echo "charts:"
    sed -n 's/./    &/p' <<<"$charts"
fi
if [[ $page ]]; then
    echo "to read in a browser: $page"
elif ! has pandoc || ! has sqlite3; then
    echo "no page for a browser: that needs pandoc and sqlite3 (tools/setup.sh site, or: apt-get install pandoc sqlite3), then ./run_all.sh again"
fi
[[ ! $failed ]] || die "failed:$failed (messages above)" 1
