#!/usr/bin/env bash
# Sets up, builds, checks, measures (without a GPU: counts) and draws. Prints one line for each
# part, then a summary of one screen.
#
#     ./run_all.sh [--quick] [--fresh] [DIRECTORY]
#
#     --quick      lessons 01 to 09 alone, the last variant of each, no charts: less than a minute
#     --fresh      remove what an earlier run wrote into DIRECTORY
#     DIRECTORY    for results and charts: a new or empty directory, or that of an earlier run; the
#                  folder `results` beside this script if not given. run_all.sh replaces and removes
#                  only files that it wrote itself.
#
# It can be stopped with Ctrl-C and run again: sizes measured before with the same programs are not
# measured again. Without a GPU, a simulator runs each lesson's machine code, checks its results and
# counts its work; a model of an H200 predicts its times, which are marked as predicted.
# DIRECTORY/log.txt has all that the programs said.
# Exit status: 0 all that is possible on this machine was done, 1 something failed, 2 wrong usage,
# 130 stopped.
if [ -z "${BASH_VERSION:-}" ]; then # started by `sh run_all.sh`
    command -v bash >/dev/null || { echo 'run_all.sh: needs bash: install it' >&2; exit 1; }
    exec bash "$0" "$@"
fi
set +o posix
set -euo pipefail
export LC_ALL=C # numbers with decimal points, and the same order of names everywhere
unset CDPATH
caller=$PWD
if [[ ${BASH_SOURCE[0]} == */* ]]; then cd -- "${BASH_SOURCE[0]%/*}"; fi
source tools/own.sh
source tools/elapsed.sh

usage() { sed -n '2,/^[^#]/{s/^# \{0,1\}//p;}' run_all.sh; }
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
        *)
            [[ -z $named ]] || die "more than one directory: '$results' and '$argument'"
            named=yes results=$argument
            ;;
    esac
done
[[ -w build || (! -e build && -w .) ]] ||
    die "cannot write $PWD: make BUILD=DIR builds in a copy of it, and DIR/run_all.sh runs there" 1
if [[ $named ]]; then
    own_directory "$results" "$caller" . || exit 2
else
    own_directory results . . || exit 2
fi
results=$own_path
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

stop() {
    if [[ -s $results/results.csv || -s $results/counters.csv ]]; then
        printf '\nStopped. What was measured or counted is in %s; the same command goes on.\n' \
            "$results"
    else
        printf '\nStopped. Run the same command again to go on.\n'
    fi
    exit 130
}
# Until tools/setup.sh has run, prints nothing when stopped: tools/setup.sh reports it.
trap 'exit 130' INT TERM

# --- parts: each prints one line
shown=$results
if [[ $results == "$PWD"/* ]]; then shown=${results#"$PWD"/}; fi
if [[ $fresh ]]; then own_forget; fi
own log.txt results.csv counters.csv machine.csv measured/machine.txt || exit 1
log=$results/log.txt
: >"$log" || die "'$log' cannot be written" 1

# Prints a part's progress as "n of m, ", from the last "[n/m]" of make in the log behind byte $1.
progress() {
    tail -c +"$1" "$log" | grep -ao '^\[[0-9]*/[0-9]*\]' | tail -n 1 | tr -d '[]' |
        sed 's,/, of ,; s/$/, /'
}
# part TITLE COMMAND...: runs the command with its output in the log, and prints one line.
part() {
    local rc=0 began=$SECONDS end= from ticking title
    printf '\n== %s\n' "$1" >>"$log"
    from=$(($(stat -c %s "$log") + 1))
    printf -v title %-34s "$1"
    exec {ticking}> >(exec {own_lock}>&-; elapsed "$title" progress "$from")
    "${@:2}" >>"$log" 2>&1 {ticking}>&- || rc=$?
    exec {ticking}>&-
    wait $! 2>/dev/null || true
    [[ $rc == 0 || $rc == 77 ]] || end=', failed'
    printf '%-34s %d s%s\n' "$1" $((SECONDS - began)) "$end"
    return $rc
}
# Prints the end of the log of a failed build, and exits. If less than 30 MB are free, names the
# full disk as the cause.
build_failed() {
    local free
    tail -n 12 "$log" | cut -c 1-200 | sed 's/^/    /' >&2
    free=$(df -Pk . build 2>/dev/null |
        awk 'NR == 2 || NR > 2 && $4 < least { least = $4 }
            END { if (NR > 1) print int(least / 1024) }')
    if [[ $free && $free -lt 30 ]]; then
        die "the disk is full: $PWD has $free MB, a build takes 460: make room and run it again" 1
    fi
    die "the build failed; above is the end of $shown/log.txt; \`make V=1\` shows the commands" 1
}

echo "All that the programs print goes to $shown/log.txt."
tools/setup.sh run || { rc=$?; if [[ $rc == 130 ]]; then exit 130; fi; exit 1; }
trap stop INT TERM
rc=0
part 'Building' make --no-print-directory -j"$(nproc)" ${quick:+quick} || rc=$?
if [[ $rc == 130 ]]; then stop; fi
if [[ $rc != 0 ]]; then build_failed; fi

if [[ $quick ]]; then
    sizes=(2048) only=(--variant last)
else
    sizes=(256 512 1024 2048 4096 4097) only=()
fi
failed=
# attempt NAME COMMAND...: runs a part whose failure does not end the run.
attempt() {
    local rc=0
    "${@:2}" || rc=$?
    if [[ $rc == 130 ]]; then stop; fi
    if [[ $rc != 0 && $rc != 77 ]]; then failed="$failed $1"; fi
    return $rc
}

# once NAME CSV COMMAND...: runs the command unless an earlier run with the same programs succeeded
# and its rows still exist.
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

# measure SIZE: one run of the ladder, which checks each kernel before it times it.
measure() {
    once "N=$1$quick" results.csv build/ladder --backend gpu --step all "${only[@]}" --size "$1" \
        --csv "$results/results.csv"
}
# count NAME OPTION...: one run of the ladder on the simulator.
count() { once "$1" counters.csv build/ladder --backend sim --step all --force "${@:2}"; }

# Microbenchmarks (step 00); without a GPU they are only checked.
probe_machine() {
    local rc=0
    build/00_machine --backend "$1" --csv "$results/machine.csv" >"$results/measured/machine.txt" ||
        rc=$?
    tail -n 1 "$results/measured/machine.txt"
    return $rc
}

# --- a GPU, or the simulator
gpu=yes rc=0
build/ladder --backend gpu --step 01 --variant last --size 8 --check off --baseline off \
    --rounds 1 >"$work/probe" 2>&1 || rc=$?
if [[ $rc == 130 ]]; then stop; fi
if [[ $rc == 77 ]]; then
    gpu=
    if command -v nvidia-smi >/dev/null && nvidia-smi -L >/dev/null 2>&1; then
        echo "The NVIDIA GPU cannot be used ($(tail -n 1 "$work/probe" | sed 's/^ladder: //' |
            cut -c 1-160)): counting on the simulator."
    else
        echo 'No NVIDIA GPU here: counting on the simulator.'
    fi
fi

counters=(--check on --counters "$results/counters.csv") counted=256
if [[ $gpu ]]; then
    for size in "${sizes[@]}"; do
        attempt "$size" part "Checking and measuring, N = $size" measure "$size" || true
    done
    attempt counts part "Counting on the simulator, N = $counted" count 256-last --variant last \
        --size 256 "${counters[@]}" || true
    [[ $quick ]] || attempt machine part 'Measuring the machine (lesson 00)' once machine-gpu \
        machine.csv probe_machine gpu || true
else
    if [[ $quick ]]; then
        attempt 'odd shapes' part 'Checking odd shapes' count odd-last --variant last \
            --shape 257x131x77 --check only || true
        attempt counts part "Checking and counting, N = $counted" count 256-last --variant last \
            --size 256 "${counters[@]}" || true
    else
        counted=512
        attempt machine part 'Checking the probes (lesson 00)' once machine-sim machine.csv \
            probe_machine sim || true
        attempt 'odd shapes' part 'Checking odd shapes' count odd --shape 257x131x77 \
            --shape 65x33x1 --check only || true
        attempt counts part 'Checking and counting, N = 256, 512' count 256-512 --size 256,512 \
            "${counters[@]}" || true
        attempt counts part 'Checking and counting, N = 1024' count 1024-last --variant last \
            --size 1024 "${counters[@]}" || true
    fi
fi

# predict: predicts the ladder by the model of an SM; a full run also draws it beside the times of
# an H200.
charts=0
has() { command -v "$1" >/dev/null; }
predict() {
    local file rc=0
    rm -rf "$work/predicted"
    mkdir "$work/predicted"
    if [[ $quick ]] || ! has python3; then
        build/ladder --step 01-09 --variant last --size 2048 --backend sim --time --check off \
            --csv "$work/predicted/predicted.csv" || rc=$?
    else
        tools/predict.py "$work/predicted" 2048 || rc=$?
    fi
    if [[ $rc != 0 ]]; then return $rc; fi
    for file in "$work/predicted"/*; do own_copy "$file" "${file##*/}" || rc=1; done
    return $rc
}
if [[ ! $gpu ]]; then attempt predictions part 'Predicting the times of an H200' predict || true; fi

# draw FROM TO SIZE: draws the charts of the CSV files in the folder FROM into the subfolder TO of
# the results.
draw() {
    local chart rc=0
    rm -rf "$work/draw"
    mkdir "$work/draw"
    cp -- "$1"/*.csv "$work/draw" || return 1
    plots/draw.py "$work/draw" "$3" || rc=$?
    for chart in "$work/draw"/*.svg; do
        [[ -e $chart ]] || continue
        own_copy "$chart" "$2${chart##*/}" || rc=1
    done
    return $rc
}
elsewhere=docs/results/h200
page=
if [[ ! $quick ]]; then
    if has gnuplot && has python3; then
        if [[ $gpu && -s $results/results.csv ]]; then
            attempt charts part 'Drawing' draw "$results" '' 4096 || true
        fi
        if [[ ! $gpu && -s $results/counters.csv ]]; then
            attempt charts part 'Drawing what was counted' draw "$results" '' "$counted" || true
        fi
        if [[ ! $gpu && -s $elsewhere/results.csv ]]; then
            attempt charts part "Drawing an H200's results" draw $elsewhere h200/ 4096 || true
        fi
    fi
    # Builds the pages; one shows this run's results (web/site).
    if has pandoc && has python3 && has esbuild; then
        build_pages() { OWN=$results web/site/build.sh; }
        if attempt pages part 'Writing the pages' build_pages; then
            page=build/site/measurements.html
        fi
    fi
fi
for chart in "$results"/*.svg; do if [[ -e $chart ]]; then charts=$((charts + 1)); fi; done

# --- the summary, one screen
echo
if [[ $gpu ]]; then
    tools/summary.sh "$results/counters.csv" "$counted" "$results/results.csv" measured \
        $elsewhere/results.csv
else
    tools/summary.sh "$results/counters.csv" "$counted" "$results/predicted.csv" predicted \
        $elsewhere/results.csv
    cat <<END

Counted: what sm_90's machine code does; results are checked against float64, hazards and races
on the way. Predicted: by a model of an H200's SM, not measured (sasskit/docs/timing.md).
END
fi
echo
if [[ $gpu ]]; then echo "measurements  $shown/results.csv"; fi
echo "counts        $shown/counters.csv"
if [[ $charts != 0 ]]; then echo "charts        $shown/*.svg, $charts of them"; fi
if [[ $page ]]; then
    echo "pages         $page, for a browser"
elif [[ ! $quick ]]; then
    echo 'pages         not written: they need what tools/setup.sh site installs'
fi
if [[ $gpu ]]; then backend=''; else backend=' --backend sim'; fi
cat <<END
Next:
  read        steps/01_naive/README.md
  change      make build/07_z_order, then build/07_z_order$backend --size 512 (four orders)
  solve       make exercise EX=01c (change PAD in my/01c_one_column_more/kernel.cu)
END
[[ ! $failed ]] || die "failed:$failed ($shown/log.txt has the messages)" 1
