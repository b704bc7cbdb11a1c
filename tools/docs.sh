#!/usr/bin/env bash
# Writes the measured tables and figures into the Markdown files, from CSV alone, so that no figure is typed by hand.
#
#     tools/docs.sh            rewrite README.md and the pages of steps, library, docs and exercises/*/answer.md where they differ from the CSV
#     tools/docs.sh --check    change nothing; name each file that differs and exit with status 1
#
# What is between two markers is replaced, outside fenced code: a table between lines <!-- table: NAME ARGUMENTS --> and
# <!-- end table -->, a figure in a sentence between <!-- value: WHAT --> and <!-- end -->. docs/writing.md lists both; tables.sql is
# where they are worked out. The CSV files are those of $RESULTS, docs/results/h200 if not set; a figure that these do not have is an
# error, one that another folder does not have reads "?". Exit status: 0 well, 1 a file differs or cannot be written, 2 wrong usage or marker.
set -euo pipefail
export LC_ALL=C

tools=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cd "$tools/.."
source tools/put.sh
check=
case "${1:-}" in
    '') ;;
    --check) check=yes ;;
    *) die "unknown argument '$1'; usage: tools/docs.sh [--check]" ;;
esac
results=${RESULTS:-docs/results/h200}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
shopt -s nullglob
files=()
for file in README.md steps/*/*.md library/*.md library/*/*.md docs/*.md docs/notes/*.md exercises/*/answer.md; do
    if [[ -s $file ]]; then files+=("$file"); fi
done

tools/load.sh "$results" "$work"
ask() { sqlite3 -batch -bail -init /dev/null -tabs "$work/data.db"; }
ask <tools/tables.sql
ask >"$work/usage.txt" <<'END'
select substr(view.name, 7) || ifnull(' ' || group_concat(part.name, ' ') filter (where part.name glob '[A-Z]*' and part.name = upper(part.name)
    and part.name not glob '*:*' or part.name glob '[[]*'), '')
from sqlite_master as view, pragma_table_info(view.name) as part where view.name glob 'table_*' group by view.name;
END
awk -v pass=ask -v usage="$work/usage.txt" -v figures=docs/figures.txt -f tools/cells.awk -f tools/docs.awk "${files[@]}" >"$work/questions.sql"
ask <"$work/questions.sql" >"$work/answers"
mkdir "$work/texts"
awk -v pass=write -v figures=docs/figures.txt -v answers="$work/answers" -v out="$work/texts" -v complete="$([[ $results -ef docs/results/h200 ]] && echo yes)" -f tools/cells.awk -f tools/docs.awk "${files[@]}"

status=0
for i in "${!files[@]}"; do
    cmp -s "$work/texts/$((i + 1))" "${files[i]}" && continue
    if [[ $check ]]; then
        echo "${files[i]}: its measured figures differ from $results; run 'make docs'" >&2
        status=1
    else
        put "$work/texts/$((i + 1))" "${files[i]}"
        echo "${files[i]}"
    fi
done
exit $status
