#!/usr/bin/env bash
# nbclient runs docs/colab.ipynb to its end on the simulator, in a clone of the committed sources:
# the first lesson counts, the chart is drawn, and the transpose's read takes 32 wavefronts.
# Only in make test-all: it fetches nbclient from PyPI and builds a lesson.
source "$(dirname "$0")/tap.sh"
PATH=${WHOLE_PATH:-$PATH} # the whole PATH: git and venv are in no row of tools/setup.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
needs 'the notebook' git python3 || exit 0
if ! {
    python3 -m venv "$work/venv" && "$work/venv/bin/pip" -q install nbclient ipykernel
} >"$work/said" 2>&1; then
    skip 'the notebook' "nbclient cannot be had: $(tail -n 1 "$work/said")"
    exit 0
fi
git clone -q . "$work/clone" 2>/dev/null || {
    skip 'the notebook' 'these sources are no git repository'
    exit 0
}
case_is 'the notebook runs completely' 0 'seconds' timeout 1200 "$work/venv/bin/python" - \
    docs/colab.ipynb "$work/clone" "$work/ran.ipynb" <<'END'
import sys, time
import nbformat
from nbclient import NotebookClient
book = nbformat.read(sys.argv[1], 4)
start = time.time()
NotebookClient(book, timeout=1000, resources={'metadata': {'path': sys.argv[2]}}).execute()
print(f'{time.time() - start:.0f} seconds')
nbformat.write(book, sys.argv[3])
END
outputs() { python3 -c 'import json, sys
for cell in json.load(open(sys.argv[1]))["cells"]:
    for out in cell.get("outputs", []): print("".join(out.get("text", "")), *out.get("data", {}))' \
        "$work/ran.ipynb"
}
outputs >"$work/outputs"
for row in 'the chart is drawn;image/svg' \
    "sectors per request;'uncoalesced': 16.5, 'coalesced': 2.5" \
    'a column of the tile takes 32 wavefronts;32.00  *31.00 .*LDS'; do
    if grep -q -- "${row#*;}" "$work/outputs"; then
        pass "${row%%;*}"
    else
        fail "${row%%;*}" "$(head -c 4000 "$work/outputs")"
    fi
done
