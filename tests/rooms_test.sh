#!/usr/bin/env bash
# The rooms (folders of sources) of common/, sasskit/ and library/ include and call only what
# rooms.txt allows. Within a room no two files need each other. The files of the project stay small.
source "$(dirname "$0")/tap.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# includes FOLDER: prints "FILE INCLUDED" for each include of a file of the project, found as a
# compiler finds it.
includes() {
    (cd "$1" && grep -roE --include=*.[ch] --include=*.cu --include=*.def '^#include "[^"]+"' \
        common sasskit library steps 2>/dev/null) |
        sed 's/:#include "\(.*\)"/ \1/' | while read -r file name; do
        for folder in "${file%/*}" common sasskit common/harness; do
            path=$folder/$name
            [[ -f $1/$path ]] || continue
            while [[ $path == */../* ]]; do # a/b/../c is a/c, a/../b is b
                before=${path%%/../*}
                path=${before%"${before##*/}"}${path#*/../}
            done
            echo "$file $path"
            break
        done
    done
}

# calls: prints, for the built objects, "FILE OTHER" if FILE uses a function that OTHER defines.
calls() {
    find build/obj/common build/obj/sasskit build/obj/library build/obj/steps \
        -name '*.o' 2>/dev/null | sort | while read -r object; do
        file=${object#build/obj/} file=${file%.o} file=${file%.v[34]} file=${file%.base}.c
        [[ ! -f $file ]] || echo "$object"
    done | xargs -r nm -A |
        sed -nE 's,^build/obj/(.*)\.o:[0-9a-f]* *([A-Za-z]) (.*),\2 \3 \1,; s,\.(v[34]|base)$,,;
            s,$,.c,p' |
        awk '$1 ~ /[TDBRVWC]/ { home[$2] = $3 } $1 ~ /[Uwv]/ { uses[++count] = $3 " " $2 }
        END { for (i = 1; i <= count; i++) { split(uses[i], pair, " ")
            if (pair[2] in home && home[pair[2]] != pair[1]) print pair[1], home[pair[2]] } }' |
        sort -u
}

# unnamed: prints the public symbols of objects compiled for one processor (v3, v4, base) that do
# not end in the processor's name. Programs for all processors (PORTABLE=1) link all three objects
# of each such file.
unnamed() {
    find build/obj/sasskit -name '*.v[34].o' -o -name '*.base.o' 2>/dev/null | sort |
        xargs -r nm -A |
        sed -nE 's,^build/obj/(.*)\.(v[34]|base)\.o:[0-9a-f]* [TDBRVWC] (.*),\2 \3 \1.c,p' |
        awk '$2 !~ $1 "$" { print $3 ": " $2 }'
}

# forbidden: reads lines "FILE NEEDED" and prints those that rooms.txt does not allow.
forbidden() {
    awk -v table=rooms.txt '
        function room(file) { sub(/^(common|sasskit)\//, "", file)
            if (file ~ /^(steps|tests)\//) return substr(file, 1, 5)
            return sub(/\/[^\/]*$/, "", file) ? file : "." }
        function step(file) { sub(/^steps\//, "", file); sub(/\/.*/, "", file); return file }
        BEGIN { while ((getline line < table) > 0) { if (line ~ /^#/) continue
            count = split(line, word, " "); known[word[1]] = 1
            for (i = 2; i <= count; i++) allowed[word[1], word[i]] = 1 } }
        { from = room($1); to = room($2); file = $2; sub(/^(common|sasskit)\//, "", file)
          if (!(from in known)) { if (from != ".") print $1 ": its room " from " is not in " table;
          next }
          if (from == to && (from != "steps" || step($1) == step($2))) next
          if (from == "steps" && (("steps/" step($1), to) in allowed)) next
          if (!((from, to) in allowed) && !((from, file) in allowed)) print $1 " needs " $2 }'
}

# circles FOLDER: reads lines "FILE NEEDED" (includes or calls) and prints files of one room that
# need each other. x.c and x.h count as one file if x.h defines inline functions; any other header
# is on its own.
circles() {
    awk -v with_functions="$(cd "$1" && grep -rlE --include=*.h '^(static inline|INLINE) ' common \
        sasskit library steps 2>/dev/null | tr '\n' ' ')" '
        function unit(file) { return file ~ /\.h$/ && !(file in whole) ? file : substr(file, 1,
            length(file) - 2) }
        BEGIN { count = split(with_functions, file, " ");
        for (i = 1; i <= count; i++) whole[file[i]] = 1 }
        $1 ~ /\.[ch]$/ && $2 ~ /\.[ch]$/ { a = unit($1); b = unit($2); from = a; to = b;
        sub(/\/[^\/]*$/, "", from)
          sub(/\/[^\/]*$/, "", to); if (from == to && a != b) print a, b }' |
        tsort 2>&1 >/dev/null | grep -v 'contains a loop' | sed 's/^tsort: //'
}

# nothing NAME TEXT: passes if TEXT is empty.
nothing() { if [[ -z $2 ]]; then pass "$1"; else fail "$1" "$2"; fi; }
found() { if [[ $2 == *"$3"* ]]; then pass "$1"; else fail "$1" "expected: $3" "$2"; fi; }

includes . >"$work/includes"
calls >"$work/calls"
found 'the objects are built' "$(cat "$work/calls")" 'sasskit/lint/lint.c sasskit/isa/latency.c'
nothing 'includes are those of rooms.txt' "$(forbidden <"$work/includes")"
# A call of sass_judges is allowed: the program that links sass.c defines it.
nothing 'calls are those of rooms.txt' "$(grep -E '^(common|sasskit|library)' "$work/calls" |
    grep -vx 'sasskit/programs/sass.c common/judge/judges.c' |
    grep -vE '^(common|sasskit).* (steps|library)/' | forbidden)"
nothing 'no two files of a room need each other' "$(cat "$work/includes" "$work/calls" | circles .)"

# too_heavy TREE RESULTS ONE: reads lines "BYTES FILE". Prints the total outside docs/results if it
# exceeds TREE, and the total of docs/results if it exceeds RESULTS. Also prints each result above
# ONE, and each picture that exists twice.
too_heavy() {
    awk -v tree="$1" -v results="$2" -v one="$3" '
        { file = $2 }
        file ~ /^docs\/results\// { measured += $1;
        if ($1 > one) print file ": " $1 " bytes, " one " at most" }
        file !~ /^docs\/results\// { sum += $1 }
        sub(/\.(svg|png)$/, "", file) && seen[file]++ { print file ": both as SVG and as PNG" }
        END { if (sum > tree) print sum " bytes outside docs/results, " tree " at most"
              if (measured > results)
                  print measured " bytes in docs/results, " results " at most" }'
}
# wide FILE...: prints the lines that have more than 100 characters. Rows of tables are excepted: in
# a .def file a line that is one macro or one initialiser, in a shell script the lines between
# <<'TABLE' and TABLE.
wide() {
    LC_ALL=C.UTF-8 awk 'FNR == 1 { inside = 0 }
        inside { if ($0 == "TABLE") inside = 0; next }
        /<<.TABLE/ { inside = 1 }
        length > 100 && !(FILENAME ~ /\.def$/ && /^( *\{.*\},?|[A-Z]+\(.*\))( *\/\/.*)?$/) {
            print FILENAME ":" FNR ": " $0 }' "$@"
}
# wide_comments FILE...: prints the lines of comments that have more than 100 characters, except
# what tests expect of test kernels.
wide_comments() {
    LC_ALL=C.UTF-8 grep -nHE '^ *(//|#|--|\*) ' "$@" |
        sed -E '/: *(\/\/|#) (run|says|alone|expect|warns): /d' |
        LC_ALL=C.UTF-8 grep -E '^[^:]*:[0-9]+:.{101,}$'
}
if command -v git >/dev/null && git rev-parse --git-dir >/dev/null 2>&1; then
    git ls-files -z | xargs -0 stat -c '%s %n' 2>/dev/null >"$work/weights"
    found 'the files are weighed' "$(cat "$work/weights")" 'docs/house.md'
    nothing 'the sources have at most 8.2 MB, the results 6 MB, no result 700 KB, no chart twice' \
        "$(too_heavy 8200000 6000000 700000 <"$work/weights")"
    mapfile -t sources < <(git ls-files '*.[ch]' '*.cu' '*.lua' '*.awk' rooms.txt)
    nothing 'comments have at most 100 columns' "$(wide_comments "${sources[@]}")"
    mapfile -t sources < <(git ls-files '*.def' '*.sh' '*.py' '*.sql' '*.gp' '*.mk' '*.js' '*.mjs' \
        '*.css' Makefile)
    nothing 'lines have at most 100 columns' "$(wide "${sources[@]}")"
else
    skip 'what the tree weighs' 'no git here'
fi
found 'a heavy tree fails' "$(printf '%s\n' '9 README.md' '2 docs/house.md' | too_heavy 10 9 5)" \
    '11 bytes outside docs/results'
found 'a heavy result fails' "$(echo '9 docs/results/h200/fit.csv' | too_heavy 10 9 5)" \
    'fit.csv: 9 bytes'
found 'heavy results fail' "$(printf '%s\n' '4 docs/results/a.csv' '4 docs/results/b.csv' |
    too_heavy 10 7 5)" '8 bytes in docs/results'
found 'a chart that is there twice fails' "$(printf '%s\n' '1 docs/a.png' '1 docs/a.svg' |
    too_heavy 10 9 5)" 'docs/a: both'

nothing 'public symbols of lane loops name their processor' "$(unnamed)"

# The checks find what they look for.
printf '    // %s\n' "$(printf 'x%.0s' {1..93})" "$(printf 'x%.0s' {1..94})" >"$work/wide.c"
found 'a wide comment fails' "$(wide_comments "$work/wide.c")" 'wide.c:2:'
row=$(printf 'x%.0s' {1..101})
printf '%s\n' "cat <<'TABLE'" "$row" TABLE "$row" >"$work/wide.sh"
printf '%s\n' "ROW($row)" "$row" >"$work/wide.def"
[[ $(wide "$work/wide.sh" "$work/wide.def" | cut -d: -f2 | xargs) == '4 2' ]]
verdict $? 'a wide line fails, and a wide row of a table does not'
mkdir -p "$work/tree/sasskit/isa" "$work/tree/sasskit/lint" "$work/tree/common/harness" \
    "$work/tree/steps/01_naive" "$work/tree/steps/02_shared_tiling"
touch "$work/tree/sasskit/lint/lint.h" "$work/tree/common/harness/csv.h" \
    "$work/tree/steps/01_naive/costs.h"
echo '#include "lint/lint.h"' >"$work/tree/sasskit/isa/decode.c"
echo '#include "csv.h"' >"$work/tree/steps/01_naive/step.c"
echo '#include "../01_naive/costs.h"' >"$work/tree/steps/02_shared_tiling/step.c"
mkdir -p "$work/tree/library/rules"
touch "$work/tree/library/rules/dispatch.h"
echo '#include "../../library/rules/dispatch.h"' >>"$work/tree/steps/02_shared_tiling/step.c"
echo '#include "b.h"' >"$work/tree/sasskit/isa/a.h"
echo '#include "a.h"' >"$work/tree/sasskit/isa/b.h"
includes "$work/tree" >"$work/broken"
found 'a forbidden include fails' "$(forbidden <"$work/broken")" \
    'sasskit/isa/decode.c needs sasskit/lint/lint.h'
found 'a step that includes the harness fails' "$(forbidden <"$work/broken")" \
    'steps/01_naive/step.c needs common/harness/csv.h'
found 'a step of the ladder that includes the library fails' "$(forbidden <"$work/broken")" \
    'steps/02_shared_tiling/step.c needs library/rules/dispatch.h'
found 'a step that includes another fails' "$(forbidden <"$work/broken")" \
    'steps/02_shared_tiling/step.c needs steps/01_naive/costs.h'
found 'a room that is not in the table fails' "$(echo 'common/attic/a.c sasskit/isa/cubin.h' |
    forbidden)" 'its room attic'
found 'a circle of headers fails' "$(circles "$work/tree" <"$work/broken")" sasskit/isa/a
echo 'static inline int format(void) { return 1; }' >"$work/tree/common/harness/csv.h"
echo 'common/harness/matrix.c common/harness/csv.h
common/harness/csv.c common/harness/matrix.c' >"$work/both"
found 'a call that closes a circle of includes fails' "$(circles "$work/tree" <"$work/both")" \
    common/harness/csv
