#!/usr/bin/env bash
# Runs the steps' kernels under compute-sanitizer on a GPU. Run `make` first.
#
#     tools/sanitize.sh                 runs all four tools of compute-sanitizer side by side
#     tools/sanitize.sh initcheck ...   only these: memcheck, racecheck, initcheck, synccheck
#
# Every kernel runs two shapes, and those of its trials (small odd problems) that take at most 0.5
# GB, because a tool tracks each byte. Prints one line per tool; if the
# tool fails, up to 40 lines of its output follow.
# Environment: STEPS chooses the steps (default all,10,11,12,13,shapes). VARIANTS chooses the
# variants; default: the last ones and, if STEPS is not set, step 13's `mended`. SECONDS_EACH is a
# tool's time limit (default 600).
# Exit status: 0 no reports, 1 reports or the time limit, 2 wrong usage, 77 no GPU or no
# compute-sanitizer.
set -uo pipefail
export LC_ALL=C
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1
tools=("$@")
[[ $# -gt 0 ]] || tools=(memcheck racecheck initcheck synccheck)
for tool in "${tools[@]}"; do
    [[ $tool =~ ^(mem|race|init|sync)check$ ]] ||
        {
            echo "$0: '$tool': expected memcheck, racecheck, initcheck or synccheck" >&2
            exit 2
        }
done
sanitizer=$(command -v compute-sanitizer ||
    ls "${CUDA_HOME:-/usr/local/cuda}/bin/compute-sanitizer" 2>/dev/null) ||
    {
        echo 'tools/sanitize.sh: compute-sanitizer is not installed' >&2
        exit 77
    }
build/ladder --backend gpu --step 01 --size 1 --check only >/dev/null 2>&1
[[ $? != 77 ]] || { echo 'tools/sanitize.sh: no GPU here' >&2; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

variants=last
[[ ${STEPS:-} ]] || variants=last,mended # step 13's last variant has no kernel of its own
run_tool() {                             # TOOL
    timeout -s INT "${SECONDS_EACH:-600}" "$sanitizer" --tool "$1" --error-exitcode 3 build/ladder \
        --backend gpu --memory 1 \
        --step "${STEPS:-all,10,11,12,13,shapes}" --variant "${VARIANTS:-$variants}" \
        --baseline off --check only \
        --size 256 --shape 257x131x77 --pad 0,1 --beta 0,0.5 >"$work/$1" 2>&1
    echo $? >"$work/$1.status"
}
for tool in "${tools[@]}"; do run_tool "$tool" & done
wait

failed=0
for tool in "${tools[@]}"; do
    status=$(<"$work/$tool.status")
    summary=$(sed -n 's/^========= .*SUMMARY: //p' "$work/$tool" | tail -n 1)
    mapfile -t checks < <(sed -nE \
        's/^([0-9]{2}_[^ ]*|shapes) +[^ ]+ +([0-9]+) +[^ ]+ +[^ ]+ *$/\2/p' "$work/$tool")
    total=0
    for count in "${checks[@]}"; do ((total += count)) || true; done
    echo "$tool: ${summary:-no summary: it ran out of time} (${#checks[@]} kernels," \
        "$total checks, exit status $status)"
    [[ $status == 0 ]] || { failed=1; grep -v '^========= *$' "$work/$tool" | head -n 40; }
done
exit $failed
