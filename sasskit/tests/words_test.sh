#!/usr/bin/env bash
# Words that programs print must be explained on a page: kinds of reports, types of JSON lines and
# stall reasons. The lists of words come from the code's tables. Each must equal the list on its
# page.
source "$(dirname "$0")/../../tests/tap.sh"

# differences PRINTED EXPLAINED: prints the lines that are in only one of the two lists.
differences() {
    local printed explained
    printed=$(sort -u <<<"$1") explained=$(sort -u <<<"$2")
    comm -23 <(echo "$printed") <(echo "$explained") | sed 's/^/printed, not explained: /'
    comm -13 <(echo "$printed") <(echo "$explained") | sed 's/^/explained, never printed: /'
}
# same NAME PRINTED EXPLAINED: passes if both lists have the same entries, at least two.
same() {
    local found
    found=$(differences "$2" "$3")
    [[ ! $found && $(sort -u <<<"$2" | wc -l) -ge 2 ]]
    verdict $? "$1" "${found:-a list is empty}"
}
# first_column PAGE HEAD: prints the first column of the table in which that column is headed HEAD,
# without backticks.
first_column() {
    awk -F'|' -v head="$2" '!/^\|/ { inside = 0; rows = 0; next }
        { first = $2; gsub(/^ +| +$|`/, "", first) }
        inside && first !~ /^-+$/ { gsub(/, /, "\n", first); print first }
        rows++ == 0 && first == head { inside = 1 }' "$1"
}
# ticked: prints the words of its input that stand in backticks, one per line.
ticked() { grep -oE '`[^`]+`' | tr -d '`'; }

json=sasskit/docs/json.md
kinds=$({
    grep -oE '\[REPORT_[A-Z_]+\] = \{"[a-z-]+"' sasskit/sim/checks/report.c
    grep -oE 'begin_finding\("[a-z-]+"' sasskit/sim/programs/*.c
    grep -oE '\? "[a-z-]+"$' sasskit/sim/counts/notes.c
} | grep -oE '"[a-z-]+"' | tr -d '"')
same 'kinds of reports of the simulator' "$kinds" "$(first_column $json kind)"

kinds=$(grep -ohE '\bto_json\(.*"[a-z-]+", SEVERITY_' sasskit/lint/*.c | grep -oE '"[a-z-]+"' |
    tr -d '"')
same 'kinds of reports of lint' "$kinds" "$(awk -v RS= '/`bank-conflict`/' $json | ticked |
    grep -v '^sass')"

types=$(grep -rhoE --include='*.c' 'channel_line\("[a-z]+"' sasskit common steps |
    grep -oE '"[a-z]+"' | tr -d '"')
same 'types of JSON lines' "$types" \
    "$(grep -E '^\| `type` \| .*`report`' $json | ticked | grep -vx type)"

reasons=$(grep -oE 'STATE\(SM_[A-Z_]+, "[a-z_]+"' sasskit/model/states.c |
    sed 's/.*"\(.*\)"/\1/; s/_/ /g' | grep -vx selected)
same 'stall reasons' "$reasons" "$(first_column docs/profiling.md stall)"

# differences must find a word that is missing on either side.
found=$(differences $'race\nhazard' $'race\nlane')
[[ $(wc -l <<<"$found") == 2 && $found == *hazard*lane* ]]
verdict $? 'missing words are found' "$found"
