#!/usr/bin/env bash
# The rooms of common/ and library/ include and call only what common/rooms.txt allows, and within a room no two files need each other. The tree stays light.
source "$(dirname "$0")/tap.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# includes FOLDER: "FILE INCLUDED" for each include of a file of ours, both from FOLDER, as the compiler would find it.
includes() {
    (cd "$1" && grep -roE --include=*.[ch] --include=*.cu --include=*.def '^#include "[^"]+"' common library steps 2>/dev/null) |
        sed 's/:#include "\(.*\)"/ \1/' | while read -r file name; do
        for folder in "$(dirname "$file")" common common/harness; do
            [[ -f $1/$folder/$name ]] || continue
            echo "$file $(realpath -m --relative-to="$1" "$1/$folder/$name")"
            break
        done
    done
}

# calls: "FILE DEFINES_WHAT_IT_USES" of the built objects, one copy of the lane loops.
calls() {
    find build/obj/common build/obj/library build/obj/steps -name '*.o' ! -name '*.v[34].o' 2>/dev/null | sort | while read -r object; do
        file=${object#build/obj/} file=${file%.o}.c
        [[ ! -f $file ]] || nm "$object" | sed -n "s,^[0-9a-f]* *\([A-Za-z]\) \(.*\),\1 \2 $file,p"
    done | awk '$1 ~ /[TDBRVWC]/ { home[$2] = $3 } $1 ~ /[Uwv]/ { uses[++count] = $3 " " $2 }
        END { for (i = 1; i <= count; i++) { split(uses[i], pair, " ")
            if (pair[2] in home && home[pair[2]] != pair[1]) print pair[1], home[pair[2]] } }' | sort -u
}

# forbidden: of lines "FILE NEEDED", those that the table does not allow.
forbidden() {
    awk -v table=common/rooms.txt '
        function room(file) { sub(/^common\//, "", file)
            if (file ~ /^steps\//) return "steps"
            return sub(/\/[^\/]*$/, "", file) ? file : "." }
        function step(file) { sub(/^steps\//, "", file); sub(/\/.*/, "", file); return file }
        BEGIN { while ((getline line < table) > 0) { if (line ~ /^#/) continue
            count = split(line, word, " "); known[word[1]] = 1
            for (i = 2; i <= count; i++) allowed[word[1], word[i]] = 1 } }
        { from = room($1); to = room($2); file = $2; sub(/^common\//, "", file)
          if (!(from in known)) { if (from != ".") print $1 ": its room " from " is not in " table; next }
          if (from == to && (from != "steps" || step($1) == step($2))) next
          if (from == "steps" && (("steps/" step($1), to) in allowed)) next
          if (!((from, to) in allowed) && !((from, file) in allowed)) print $1 " needs " $2 }'
}

# circles FOLDER: of lines "FILE NEEDED", by includes or by calls, the files of one room that need each other. x.c and x.h are one where
# x.h has functions; a header that only declares stands for itself.
circles() {
    awk -v with_functions="$(cd "$1" && grep -rlE --include=*.h '^(static inline|INLINE) ' common library steps 2>/dev/null | tr '\n' ' ')" '
        function unit(file) { return file ~ /\.h$/ && !(file in whole) ? file : substr(file, 1, length(file) - 2) }
        BEGIN { count = split(with_functions, file, " "); for (i = 1; i <= count; i++) whole[file[i]] = 1 }
        $1 ~ /\.[ch]$/ && $2 ~ /\.[ch]$/ { a = unit($1); b = unit($2); from = a; to = b; sub(/\/[^\/]*$/, "", from)
          sub(/\/[^\/]*$/, "", to); if (from == to && a != b) print a, b }' |
        tsort 2>&1 >/dev/null | grep -v 'contains a loop' | sed 's/^tsort: //'
}

# nothing NAME TEXT: no line was found.
nothing() { if [[ -z $2 ]]; then pass "$1"; else fail "$1" "$2"; fi; }
found() { if [[ $2 == *"$3"* ]]; then pass "$1"; else fail "$1" "expected: $3" "$2"; fi; }

includes . >"$work/includes"
calls >"$work/calls"
found 'the objects are built' "$(cat "$work/calls")" 'common/sass/lint/lint.c common/sass/isa/latency.c'
nothing 'includes are those of common/rooms.txt' "$(forbidden <"$work/includes")"
nothing 'calls are those of common/rooms.txt' "$(grep -E '^(common|library)' "$work/calls" | grep -vE '^common.* (steps|library)/' | forbidden)"
nothing 'no two files of a room need each other' "$(cat "$work/includes" "$work/calls" | circles .)"

# too_heavy BYTES MOST: of lines "BYTES FILE", the sum if it is above BYTES, files of docs/results above MOST, and pictures that are there twice.
too_heavy() {
    awk -v limit="$1" -v most="$2" '
        { sum += $1; file = $2 }
        file ~ /^docs\/results\// && $1 > most { print file ": " $1 " bytes, " most " at most" }
        sub(/\.(svg|png)$/, "", file) && seen[file]++ { print file ": both as SVG and as PNG" }
        END { if (sum > limit) print sum " bytes in all, " limit " at most" }'
}
if command -v git >/dev/null && git rev-parse --git-dir >/dev/null 2>&1; then
    git ls-files -z | xargs -0 stat -c '%s %n' 2>/dev/null >"$work/weights"
    found 'the files are weighed' "$(cat "$work/weights")" 'docs/house.md'
    nothing 'the tree has at most 12 MB, no result more than 700 KB, no chart twice' "$(too_heavy 12000000 700000 <"$work/weights")"
else
    skip 'what the tree weighs' 'no git here'
fi
found 'a heavy tree fails' "$(printf '%s\n' '9 README.md' '2 docs/house.md' | too_heavy 10 5)" '11 bytes in all'
found 'a heavy result fails' "$(echo '9 docs/results/h200/fit.csv' | too_heavy 10 5)" 'fit.csv: 9 bytes'
found 'a chart that is there twice fails' "$(printf '%s\n' '1 docs/a.png' '1 docs/a.svg' | too_heavy 10 5)" 'docs/a: both'

# The checks see what they are for.
mkdir -p "$work/tree/common/sass/isa" "$work/tree/common/sass/lint" "$work/tree/common/harness" "$work/tree/steps/01_naive" "$work/tree/steps/02_shared_tiling"
touch "$work/tree/common/sass/lint/lint.h" "$work/tree/common/harness/csv.h" "$work/tree/steps/01_naive/costs.h"
echo '#include "sass/lint/lint.h"' >"$work/tree/common/sass/isa/decode.c"
echo '#include "csv.h"' >"$work/tree/steps/01_naive/step.c"
echo '#include "../01_naive/costs.h"' >"$work/tree/steps/02_shared_tiling/step.c"
mkdir -p "$work/tree/library/rules"
touch "$work/tree/library/rules/dispatch.h"
echo '#include "../../library/rules/dispatch.h"' >>"$work/tree/steps/02_shared_tiling/step.c"
echo '#include "b.h"' >"$work/tree/common/sass/isa/a.h"
echo '#include "a.h"' >"$work/tree/common/sass/isa/b.h"
includes "$work/tree" >"$work/broken"
found 'a forbidden include fails' "$(forbidden <"$work/broken")" 'common/sass/isa/decode.c needs common/sass/lint/lint.h'
found 'a step that includes the harness fails' "$(forbidden <"$work/broken")" 'steps/01_naive/step.c needs common/harness/csv.h'
found 'a step of the ladder that includes the library fails' "$(forbidden <"$work/broken")" 'steps/02_shared_tiling/step.c needs library/rules/dispatch.h'
found 'a step that includes another fails' "$(forbidden <"$work/broken")" 'steps/02_shared_tiling/step.c needs steps/01_naive/costs.h'
found 'a room that is not in the table fails' "$(echo 'common/attic/a.c common/sass/isa/sass.h' | forbidden)" 'its room attic'
found 'a circle of headers fails' "$(circles "$work/tree" <"$work/broken")" common/sass/isa/a
echo 'static inline int format(void) { return 1; }' >"$work/tree/common/harness/csv.h"
echo 'common/harness/matrix.c common/harness/csv.h
common/harness/csv.c common/harness/matrix.c' >"$work/both"
found 'a call that closes a circle of includes fails' "$(circles "$work/tree" <"$work/both")" common/harness/csv
