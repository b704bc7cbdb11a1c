#!/usr/bin/env bash
# Names stale rows of a results folder: rows, the newest of their measurement, whose machine code
# differs from that of the kernels built now. Run `make` first.
#
#     tools/stale.sh [RESULTS_DIR]     default: docs/results/h200
#     tools/stale.sh --library         prints the hash of libsgemm's machine code, as its rows have
#                                      it
#
# A row has the hash of its code in the column `code_hash` (ladder --list --codes). Rows without one
# are of older editions and are skipped. Exit status: 0 no row is stale, 1 some are, 2 wrong usage.
set -euo pipefail
export LC_ALL=C
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source tools/put.sh
dir=${1:-docs/results/h200}
[[ $# -le 1 && ( $dir == --library || -d $dir ) ]] || die "expected a results folder or --library"
[[ -x build/ladder && -x build/sass ]] || die "build/ladder or build/sass is missing; run make first" 1
codes=$(build/ladder --list --codes)
library=$({
    grep -E '^(1[03]_|shapes )' <<<"$codes"
    for kernel in copy tensor; do
        if [[ -s build/cubin/sm_90/library/$kernel.cubin ]]; then build/sass dis "build/cubin/sm_90/library/$kernel.cubin" | grep -v '^//'; fi
    done
} | cksum | awk '{ printf "%08x", $1 }')
if [[ $dir == --library ]]; then echo "$library"; exit; fi
stale=0
for file in "$dir"/*.csv; do
    head -n 1 "$file" | tr , '\n' | grep -qx code_hash || continue
    tools/rows.py "$file" | awk -F, -v codes="$codes" -v library="$library" -v file="$file" '
        NR == FNR && NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i
            n = split(codes, line, "\n"); for (i = 1; i <= n; i++) { split(line[i], word, " "); of[word[1], word[2]] = word[3]; known[word[3]] }
            next }
        $at["code_hash"] == "" { next }
        !("variant" in at) { key = "all rows"; good[key] = $at["code_hash"] == library; said[key] = $at["code_hash"] ", built is " library; next }
        {
            variant = $at["variant"]; sub(/:.*/, "", variant)
            key = $at["step"] "/" $at["variant"] " at " $at["m"] "x" $at["n"] "x" $at["k"] ", " $at["mode"] ", " $at["inputs"]
            own = of[$at["step"], variant]; fine = 1
            n = split($at["code_hash"], part, "+")
            for (i = 1; i <= n; i++) fine = fine && part[i] in known
            if (own != "") fine = fine && part[1] == own
            good[key] = fine; said[key] = $at["code_hash"] ", built is " (own == "" ? "another" : own)
        }
        END { for (key in good) if (!good[key]) { print file ": " key ": " said[key]; bad = 1 }; exit bad }' || stale=1
done
exit $stale
