#!/usr/bin/env bash
# One word for one thing: no page has what the last column of the table in docs/writing.md looks for.
source "$(dirname "$0")/tap.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The table's rows, "INSTEAD<tab>PATTERN"; its \| is a | of the pattern.
awk '/^## / { inside = $0 == "## One word for one thing" }
     inside && /^\| .*`.*` \|$/ { gsub(/\\\|/, "\001"); split($0, cell, /\|/); gsub(/^ *`|` *$/, "", cell[4]); gsub(/^ | $/, "", cell[2])
         gsub(/\001/, "|", cell[4]); print cell[2] "\t" cell[4] }' docs/writing.md >"$work/patterns"
# running FILE...: "FILE:LINE: TEXT" of running text and of tables that are written by hand, without code.
running() {
    awk 'FNR == 1 { fenced = inside = 0 }
         /^ *(> )?```/ { fenced = !fenced; next }
         /^<!-- table:/ { inside = 1 } /^<!-- end table/ { inside = 0 }
         fenced || inside { next }
         { gsub(/`[^`]*`/, "`"); print FILENAME ":" FNR ": " $0 }' "$@"
}
find README.md docs steps exercises common sasskit web -name '*.md' -print0 | xargs -0 awk 'FNR == 1 { print FILENAME }' >"$work/pages"
mapfile -t pages <"$work/pages"
running "${pages[@]}" >"$work/text"
printf '%s\n' 'It takes 2 wavefronts a load. Who adds them waits.' '```' 'one CTA' '```' 'A `CTA`.' >"$work/sample.md"
running "$work/sample.md" >"$work/sample"
found=0
while IFS=$'\t' read -r instead pattern; do
    said=$(grep -E -- "$pattern" "$work/text")
    if [[ ! $said ]]; then pass "\"$instead\""; else fail "\"$instead\"" "${said:0:2000}"; fi
    ! grep -qE -- "$pattern" "$work/sample" || found=$((found + 1))
done <"$work/patterns"
if ((found == 2)); then pass 'a rate with "a" and "who adds" are found, code is left out'; else fail 'a rate with "a" and "who adds" are found' "$found of 2"; fi
