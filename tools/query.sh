#!/usr/bin/env bash
# Asks a results folder's CSV files a question in SQL.
#
#     tools/query.sh [--plain] 'select ...' [RESULTS_DIR]      docs/results/h200 if not given
#
# The tables are the files (tools/schema.sql: results, counters, machine, ...), the views are what the charts and the lessons ask
# (tools/views.sql: newest, timed, ladder, figure, bound, ...). `.tables` and `.schema ladder` list them, as in sqlite3. --plain
# prints rows without headings and frame, fields with | between. Exit status: 0 answered, 1 not, 2 wrong usage.
set -euo pipefail
export LC_ALL=C
tools=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$tools/put.sh"

form=(-header -column)
if [[ ${1:-} == --plain ]]; then
    form=(-list)
    shift
fi
[[ $# -ge 1 && $# -le 2 && $1 != -* ]] || die "usage: tools/query.sh [--plain] 'select ...' [RESULTS_DIR]"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$tools/load.sh" "${2:-$tools/../docs/results/h200}" "$work"
sqlite3 -batch -bail -init /dev/null -readonly "${form[@]}" "$work/data.db" "$1" || exit 1
