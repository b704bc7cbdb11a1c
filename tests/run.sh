#!/usr/bin/env bash
# Runs test programs and scripts that print TAP ("ok", "not ok", "# SKIP"), shows what failed or was skipped and how long each took, and
# ends with one line: N passed, N failed, N skipped. Exit status 1 when one failed.
#
#     tests/run.sh PROGRAM...
set -uo pipefail
export CMOCKA_MESSAGE_OUTPUT=TAP
export LSAN_OPTIONS=${LSAN_OPTIONS:-} UBSAN_OPTIONS=print_stacktrace=1
output=$(mktemp)
trap 'rm -f "$output"' EXIT
passed=0 failed=0 skipped=0

for program in "$@"; do
    status=0 began=$SECONDS
    "$program" >"$output" 2>&1 || status=$?
    bad=$(grep -c '^not ok' "$output")
    good=$(grep -c '^ok' "$output")
    skips=$(grep -c '^ok.*# SKIP' "$output")
    # A program that ends badly, or says nothing at all, is a failure even when no case says so.
    broken=0
    if [[ $bad == 0 && ( $status != 0 || $good == 0 ) ]]; then broken=1; fi
    passed=$((passed + good - skips)) failed=$((failed + bad + broken)) skipped=$((skipped + skips))
    echo "$(basename "$program"): $((good - skips)) passed, $((bad + broken)) failed, $skips skipped, $((SECONDS - began)) s"
    if [[ $bad != 0 || $broken == 1 ]]; then
        sed 's/^/    /' "$output"
        [[ $broken == 0 ]] || echo "    exit status $status"
    else
        sed -n 's/^ok.*- \(.*# SKIP\)/    \1/p' "$output"
    fi
done
echo "$passed passed, $failed failed, $skipped skipped"
[[ $failed == 0 ]]
