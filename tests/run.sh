#!/usr/bin/env bash
# Runs test programs and scripts that print TAP ("ok", "not ok", "# SKIP") in parallel, longest
# first (tests/longest.txt). Prints failures, skips and times, the longest tests, and a last line: N
# passed, N failed, N skipped. Exit status 1 if a test failed. Results are printed in the order of
# starting, which is always the same.
#
#     tests/run.sh [-j JOBS] PROGRAM...     JOBS in parallel (default: the number of cores)
#
# A script with a line `# Alone: WHY` in its head runs after the others, by itself. SEED in the
# environment seeds the random draws of tests/tap.sh (default: the date).
set -uo pipefail
export LC_ALL=C
export CMOCKA_MESSAGE_OUTPUT=TAP
# A waiting thread leaves its core to other programs
export OMP_WAIT_POLICY=${OMP_WAIT_POLICY:-passive}
export LSAN_OPTIONS=${LSAN_OPTIONS:-} UBSAN_OPTIONS=print_stacktrace=1
export SEED=${SEED:-$(date +%Y%m%d)}
cores=$(nproc) jobs=$(nproc)
if [[ ${1:-} == -j* ]]; then
    jobs=${1#-j}
    shift
    if [[ ! $jobs ]]; then
        jobs=${1:-}
        shift
    fi
fi
[[ $SEED =~ ^[0-9]{1,9}$ ]] || {
    echo "tests/run.sh: SEED=$SEED: expected a number of at most nine digits" >&2
    exit 2
}
[[ $jobs =~ ^[1-9][0-9]{0,3}$ ]] || {
    echo "tests/run.sh: -j $jobs: expected a number from 1 to 9999" >&2
    exit 2
}
for program in "$@"; do
    [[ -x $program ]] && continue
    found=$(find tests sasskit/tests -name "*${program##*/}*_test.sh" | sort | head -n 1)
    echo "tests/run.sh: TESTS: '$program' is not a test; expected a file such as" \
        "${found:-tests/docs_test.sh}" >&2
    exit 2
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'trap "" TERM; kill 0; exit 130' INT TERM # background programs do not receive Ctrl-C
passed=0 failed=0 skipped=0
source "$(dirname "$0")/../tools/elapsed.sh"

# run_one NUMBER PROGRAM: writes its output, exit status and times (wall, user, system) to files.
run_one() {
    local status=0 TIMEFORMAT='%0R %U %S'
    { time "$2" >"$work/$1.out" 2>&1 </dev/null {ticking}>&-; } 2>"$work/$1.time" || status=$?
    echo "$status" >"$work/$1.status.new"
    mv "$work/$1.status.new" "$work/$1.status"
}

report() { # NUMBER PROGRAM: prints its line, and its output if it failed
    local output=$work/$1.out status bad good skips broken=0 wall=0 user=0 system=0
    # A program without a status was killed together with its run_one
    status=$(cat "$work/$1.status" 2>/dev/null || echo 137)
    # The times are the last line: Bash may print a signal's name before them
    read -r wall user system < <(tail -n 1 "$work/$1.time" 2>/dev/null)
    bad=$(grep -ac '^not ok' "$output")
    good=$(grep -ac '^ok' "$output")
    skips=$(grep -ac '^ok.*# SKIP' "$output")
    # A program that ends with an error or prints nothing has failed, even without a failed case.
    if [[ $bad == 0 && ( $status != 0 || $good == 0 ) ]]; then broken=1; fi
    passed=$((passed + good - skips)) failed=$((failed + bad + broken)) skipped=$((skipped + skips))
    if [[ -t 1 ]]; then printf '\r\033[K'; fi
    echo "$(basename "$2"): $((good - skips)) passed, $((bad + broken)) failed," \
        "$skips skipped, ${wall:=0} s"
    awk -v name="$(basename "$2")" -v wall="$wall" -v user="$user" -v sys="$system" \
        'BEGIN { print wall, user + sys, name }' >>"$work/seconds"
    if [[ $bad != 0 || $broken == 1 ]]; then
        sed 's/^/    /' "$output"
        [[ $broken == 0 ]] || echo "    exit status $status"
    else
        sed -n 's/^ok.*- \(.*# SKIP\)/    \1/p' "$output"
    fi
}

# Longest first, then programs that the list does not name, in the given order; `Alone` scripts
# last.
mapfile -t programs < <(for program in "$@"; do
    place=$(grep -nxF -- "$(basename "$program")" "$(dirname "$0")/longest.txt" | head -n 1)
    place=${place%%:*}
    if head -n 12 "$program" 2>/dev/null | grep -aq '^# Alone: '; then place=9999; fi
    printf '%s\t%s\n' "${place:-999}" "$program"
done | sort -s -n -k 1,1)

# Programs that run in parallel share the cores: OpenMP in each gets an equal share.
share=$((cores > jobs ? cores / jobs : 1)) begun=0 shown=0
ended() { compgen -G "$work/*.status" | wc -l; }
show() { # prints finished programs in order, up to the first that still runs
    for ((; shown < begun; shown++)); do
        [[ -e $work/$shown.status ]] || return 0
        report "$shown" "${programs[shown]#*$'\t'}"
    done
}
# room JOBS: waits until fewer than JOBS programs run. (wait returns 127 if none is left.)
room() {
    while ((begun - $(ended) >= $1)); do
        wait -n
        [[ $? != 127 ]] || break
        show
    done
}
# Prints how many programs have ended. Results are printed in the order of starting, so the longest
# tests hold up the others' lines.
how_far() { echo "$(ended) of ${#programs[@]} ended, "; }
exec {ticking}> >(elapsed '   ' how_far)
for entry in "${programs[@]}"; do
    program=${entry#*$'\t'}
    if [[ ${entry%%$'\t'*} == 9999 ]]; then
        room 1
        run_one "$begun" "$program"
    else
        room "$jobs"
        OMP_NUM_THREADS=${OMP_NUM_THREADS:-$share} run_one "$begun" "$program" &
    fi
    begun=$((begun + 1))
done
room 1
exec {ticking}>&-
for ((; shown < begun; shown++)); do report "$shown" "${programs[shown]#*$'\t'}"; done
if ((begun > 1)); then
    echo "longest, in seconds (of a processor): $(sort -k 1,1nr -k 2,2nr "$work/seconds" |
        head -n 8 |
        awk '{ printf "%s%s %d (%d)", (NR > 1 ? ", " : ""), $3, $1, $2 }')"
    awk -v wall="$SECONDS" -v seed="$SEED" '{ cpu += $2 }
        END { printf "%d s, %d s of processors; what was drawn: SEED=%s\n", wall, cpu, seed }' \
        "$work/seconds"
fi
echo "$passed passed, $failed failed, $skipped skipped"
[[ $failed == 0 ]]
