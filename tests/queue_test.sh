#!/usr/bin/env bash
# `tools/latency/measure.py queue` measures how many reads a register bank can queue. It must find
# the right number on two models, whose banks queue one read and two reads.
source "$(dirname "$0")/tap.sh"
one_line_is() { # NAME STATUS COMMAND...
    local name=$1 expected=$2 status=0 said
    said=$("${@:3}" 2>&1) || status=$?
    [[ $status == "$expected" && $(wc -l <<<"$said") == 1 ]]
    verdict $? "$name" "status $status: $said"
}
one_line_is 'queue, no number' 2 tools/latency/measure.py queue model x
one_line_is 'atomics, another word' 2 tools/latency/measure.py atomics cpu
for reads in 1 2; do
    said=$(tools/latency/measure.py queue model $reads 2>&1) || true
    if awk -v reads=$reads \
        '/^root/ { near = $(reads == 1 ? 6 : 9) + 0; far = $(reads == 1 ? 9 : 6) + 0;
                good = near < 0.03 && far > 0.2 } END { exit !good }' <<<"$said"; then
        pass "banks that are $reads behind"
    else
        fail "banks that are $reads behind" "$(tail -n 3 <<<"$said")"
    fi
done
