#!/usr/bin/env bash
# Everything in one go: set up, build, check, measure (or count, without a GPU), draw. A few minutes.
#
#     ./run_all.sh [--quick] [--fresh] [DIRECTORY]
#
#     --quick      N = 1024 and 2048 (without a GPU 256) and only the last variant of each step: about a minute
#     --fresh      forget what an earlier run measured in DIRECTORY
#     DIRECTORY    where results and charts go; results if not given
#
# It can be stopped with Ctrl-C and run again: sizes measured before with the same programs are not measured again. Without
# a GPU the simulator runs each step's machine code, checks it and counts: about a minute on two cores. It takes no times.
# Exit status: 0 what can be had here was done, 1 something failed, 2 wrong usage, 130 stopped.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

usage() { sed -n '2,/^[^#]/{s/^# \{0,1\}//p;}' run_all.sh; }
say() { printf '\n== %s\n' "$1"; }
die() {
    echo "run_all.sh: $1" >&2
    exit "${2:-2}"
}

results='' quick='' fresh=''
for argument in "$@"; do
    case $argument in
        --quick) quick=yes ;;
        --fresh) fresh=yes ;;
        -h | --help) usage; exit 0 ;;
        -*) die "unknown option '$argument'; ./run_all.sh --help lists them" ;;
        *) [[ -z $results ]] || die "more than one directory: '$results' and '$argument'"; results=$argument ;;
    esac
done
results=${results:-results}
[[ ! -e $results || -d $results ]] || die "'$results' is not a directory; name another"
mkdir -p "$results" 2>/dev/null || die "cannot make the directory '$results'; name another"
[[ -w $results ]] || die "cannot write into '$results'; name another"

stop() {
    printf '\nStopped. What was measured is in %s; run ./run_all.sh again to go on.\n' "$results"
    exit 130
}
trap stop INT TERM

say "Setting up"
tools/setup.sh run

say "Building"
make -s -j"$(nproc)" || die "the build failed; its message is above" 1
echo "build/ladder, one program a step, $(find build/cubin -name '*.cubin' | wc -l) kernels"

if [[ $fresh ]]; then rm -rf "$results"/{results,counters,machine}.csv "$results/measured"; fi
mkdir -p "$results/measured"
if [[ $quick ]]; then sizes=(1024 2048) only=(--variant last); else sizes=(256 512 1024 2048 4096 4097) only=(); fi

# measure SIZE: one run of the ladder, each kernel checked before it is timed. Remembered by the programs' checksum.
programs=$(find build/cubin -name '*.cubin' | sort | xargs cat build/ladder | cksum | tr ' ' -)
measure() {
    local mark=$results/measured/$1$quick-$programs rc=0
    if [[ -e $mark && -s $results/results.csv ]]; then
        echo "N = $1 was measured before"
        return 0
    fi
    build/ladder --backend gpu --step all "${only[@]}" --size "$1" --csv "$results/results.csv" || rc=$?
    [[ $rc != 0 ]] || : >"$mark"
    return $rc
}

# count WHAT OPTION...: one run of the ladder on the simulator, remembered in the same way.
count() {
    local mark=$results/measured/sim-$1-$programs rc=0
    if [[ -e $mark && -s $results/counters.csv ]]; then
        echo "$1 was counted before"
        return 0
    fi
    build/ladder --backend sim --step all "${@:2}" || rc=$?
    [[ $rc != 0 ]] || : >"$mark"
    return $rc
}

# What the machine can do (step 00): measured once for these programs; without a GPU its probes are checked.
probe_machine() {
    local mark=$results/measured/machine-$programs rc=0
    if [[ -e $mark ]]; then return 0; fi
    build/00_machine --backend "$1" --csv "$results/machine.csv" >"$results/measured/machine.txt" || rc=$?
    tail -n 1 "$results/measured/machine.txt"
    [[ $rc != 0 ]] || : >"$mark"
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
if [[ $gpu ]]; then probe_machine gpu || rc=$?; else probe_machine sim || rc=$?; fi
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

# draw DIRECTORY SIZE: adds to `charts` what could be drawn. Set-up has said what is missing for charts and tables.
charts=
has() { command -v "$1" >/dev/null; }
draw() {
    local drawn
    has gnuplot && has sqlite3 || return 0
    if drawn=$(plots/draw.sh "$1" "$2"); then charts+=$drawn$'\n'; else failed="$failed charts"; fi
}
if has gnuplot && has sqlite3; then say "Drawing"; fi
if [[ $gpu ]]; then
    if [[ -s $results/results.csv ]]; then draw "$results" 4096; fi
    times=$results/results.csv
else
    if [[ -s $results/counters.csv ]]; then draw "$results" "$counted"; fi
    rm -rf "$results/h200"
    if [[ -s docs/results/h200/results.csv ]]; then
        mkdir -p "$results/h200"
        cp docs/results/h200/*.csv "$results/h200/"
        draw "$results/h200" 4096
    fi
    times=$results/h200/results.csv
fi

if [[ ! $gpu && -s $results/counters.csv ]] && has sqlite3; then
    say "Counted here, by the simulator"
    tools/query.sh --plain "select line from bounds_text where n = '$counted'" "$results"
fi
if [[ -s $times ]] && has sqlite3; then
    if [[ $gpu ]]; then say "The ladder"; else say "Measured elsewhere: the results that come with the project"; fi
    tools/query.sh --plain "select line from ladder_text
        where n = (select n from ladder where square order by n = 4096 desc, n desc)" "$(dirname "$times")"
fi

say "Done"
if [[ $gpu ]]; then
    echo "measurements: $results/results.csv"
else
    cat <<END
No GPU was found here.
Counted: what each step's sm_90 machine code does, instruction by instruction, on the simulator; results checked against
    float64, hazards, races and addresses checked on the way. Counts: $results/counters.csv
Not measured: any time. A bound is the least time that one part of an H200 would need; the real one is longer. Caches, memory
    latency and waiting are not simulated (docs/simulator.md).
END
fi
if [[ $charts ]]; then
    echo "charts:"
    grep '\.png$' <<<"$charts" | sed 's/^/    /'
fi
[[ ! $failed ]] || die "failed:$failed (messages above)" 1
