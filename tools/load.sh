#!/usr/bin/env bash
# Makes a database of a results folder's CSV files, to be asked by sqlite3 and thrown away.
#
#     tools/load.sh RESULTS_DIR WORK      writes WORK/data.db; WORK is a temporary folder of the caller's
#
# The tables are those of schema.sql, the views those of views.sql. A file that is missing leaves its table empty; a row that is
# cut short is left out, which is said. Exit status: 0 well, 1 a file is not what its name says, 2 wrong usage or no sqlite3.
set -euo pipefail
export LC_ALL=C

tools=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$tools/put.sh"
[[ $# == 2 ]] || die "usage: tools/load.sh RESULTS_DIR WORK"
dir=$1 work=$2
[[ -d $dir ]] || die "no folder '$dir'"
command -v sqlite3 >/dev/null || die "sqlite3 is missing; run tools/setup.sh run, or: apt-get install sqlite3"

# import FILE TABLE: commands that fill TABLE with the rows of FILE, by the names of its header; they complain of missing columns.
import() {
    local cut='' header
    if [[ $(tail -c 1 "$1" | tr '\0' 0) ]]; then cut=yes; fi
    awk -v cut=$cut -v name="${1//\\/\\\\}" -f "$tools/rows.awk" <"$1" >"$work/$2.csv" ||
        die "no copy of '$1' in '$work': is there space?" 1
    IFS= read -r header <"$work/$2.csv" || true
    header=${header#$'\xef\xbb\xbf'}
    [[ $header =~ ^[A-Za-z_][A-Za-z_0-9,]*$ ]] || die "$1:1: expected a header, the columns' names with commas between them" 1
    cat <<END
create table raw("${header//,/\" text, \"}" text);
.import --csv --skip 1 $2.csv raw
select '$2: no column "' || name || '" in line 1' from pragma_table_info('$2')
    where dflt_value is null and name not in (select name from pragma_table_info('raw'));
.once insert.sql
select printf('insert into $2(%s) select %s from raw order by rowid;', group_concat(printf('"%w"', name)),
    group_concat(printf('nullif("%w", '''')', name)))
from (select name from pragma_table_info('$2') intersect select name from pragma_table_info('raw'));
.read insert.sql
drop table raw;
END
}

{
    echo 'pragma journal_mode = memory; pragma synchronous = off;'
    cat "$tools/schema.sql"
    for table in results checks errors sample order_times counters machine lint strip copies traffic clusters gpus_safe timeline links validation stalls predicted_machine strassen rewritten search library training training_calls; do
        file=$dir/$table.csv
        if [[ $table == order_times ]]; then file=$dir/order.csv; fi
        if [[ -s $file ]]; then import "$file" $table; fi
    done
    import "$tools/../docs/results/h200/machine.csv" reference
    import "$tools/../docs/results/h200/results.csv" reference_results
    for table in results machine validation; do
        file=$tools/../docs/results/h100/$table.csv
        if [[ -s $file ]]; then import "$file" h100_$table; fi
    done
    cat "$tools/views.sql"
} >"$work/load.sql"
said=$(cd "$work" && sqlite3 -batch -bail -init /dev/null data.db <load.sql 2>&1) && [[ $said == memory ]] ||
    die "'$dir': $(sed 1d <<<"$said" | head -n 1)" 1
