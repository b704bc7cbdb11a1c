#!/usr/bin/env bash
# Runs the commands whose output pages show, and writes or compares the outputs.
#
#     tools/console.sh [PAGE...]            writes the outputs into the pages; default: all pages
#     tools/console.sh --check [PAGE...]    changes nothing; names each command with another output
#
# Commands are in blocks ```console. A line `$ COMMAND` runs in the project's root. The lines up to
# the next command are its output on both streams.
# Exit status: 0 success, 1 a different output or a failed command, 2 wrong usage.
set -euo pipefail
export LC_ALL=C
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source tools/put.sh

check=
if [[ ${1:-} == --check ]]; then check=yes; shift; fi
pages=("$@")
[[ $# != 0 ]] || pages=(README.md steps/*/*.md library/*/*.md docs/*.md sasskit/docs/*.md)
for page in "${pages[@]}"; do [[ -s $page ]] || die "$page: no such page; usage: tools/console.sh [--check] [PAGE...]"; done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Prints the commands of a page in order; with `out`, the page with the outputs $out/1, $out/2, ...
walk='/^```/ { inside = !inside && $0 == "```console"; filled = 0 }
      inside && /^\$ / { n++; if (!out) print substr($0, 3); else { print; while ((getline line < (out "/" n)) > 0) print line }; filled = 1; next }
      out && !(inside && filled) { print }'
printed() { # COMMAND: what it prints, and its exit status
    local status=0
    timeout 120 bash -o pipefail -c "$1" >"$work/said" 2>&1 || status=$?
    [[ $status != 141 ]] || status=0 # SIGPIPE: `head` had what it wanted and left
    cat "$work/said"
    return $status
}

status=0
for page in "${pages[@]}"; do
    rm -f "$work"/[0-9]*
    number=0
    while IFS= read -r command; do
        number=$((number + 1))
        if ! printed "$command" >"$work/$number"; then
            echo "$page: \`$command\` failed: $(tail -n 1 "$work/$number")" >&2
            status=1
        fi
    done < <(awk "$walk" "$page")
    awk -v out="$work" "$walk" "$page" >"$work/page"
    cmp -s "$work/page" "$page" && continue
    if [[ $check ]]; then
        echo "$page: a command prints something else than the page shows (tools/console.sh $page writes it anew):" >&2
        diff "$page" "$work/page" | head -n 10 >&2 || true
        status=1
    elif [[ $status == 0 ]]; then
        put "$work/page" "$page"
        echo "$page"
    fi
done
exit $status
