#!/usr/bin/env bash
# Everything in one go: set up, build, check, measure, draw. A few minutes on a machine with a GPU.
#
#     ./run_all.sh [--quick] [--fresh] [DIRECTORY]
#
#     --quick      N = 1024 and 2048 and only the last variant of each step: about a minute
#     --fresh      forget what an earlier run measured in DIRECTORY
#     DIRECTORY    where results and charts go; results if not given
#
# It can be stopped with Ctrl-C and run again: sizes measured before with the same programs are not measured again. Without
# a GPU it builds everything, has the simulator count where it is built in, and draws the H200 results kept in docs/.
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

if [[ $fresh ]]; then rm -rf "$results/results.csv" "$results/counters.csv" "$results/measured"; fi
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

draw_into=$results
if [[ ! $gpu ]]; then
    rc=0
    build/ladder --backend sim --step all --variant last --size 64 --check on --counters "$results/counters.csv" || rc=$?
    [[ $rc == 0 || $rc == 77 || $rc == 2 ]] || failed="$failed simulator"
    if [[ $rc == 0 ]]; then counted=yes; fi
    draw_into=$results/h200
    rm -rf "$draw_into"
    if [[ -s docs/results/h200/results.csv ]]; then
        mkdir -p "$draw_into"
        cp docs/results/h200/*.csv "$draw_into/"
    fi
fi

if [[ -s $draw_into/results.csv ]]; then
    say "Drawing"
    charts=$(plots/draw.sh "$draw_into") || charts=
    say "The ladder"
    awk -f plots/newest.awk "$draw_into/results.csv" | awk -v size=4096 -f tools/ladder.awk
fi

say "Done"
if [[ $gpu ]]; then
    echo "measurements: $results/results.csv"
else
    echo "No GPU was found here: every program and kernel was built, and nothing could be timed."
    if [[ ${counted:-} ]]; then
        echo "The simulator ran each step's last variant at N = 64, checked it and counted: $results/counters.csv"
    fi
    if [[ -s $draw_into/results.csv ]]; then echo "The table and the charts show the H200 results that come with the project."; fi
fi
if [[ ${charts:-} ]]; then
    echo "charts:"
    grep '\.png$' <<<"$charts" | sed 's/^/    /'
fi
[[ ! $failed ]] || die "failed:$failed (messages above)" 1
