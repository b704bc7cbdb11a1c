#!/usr/bin/env bash
# Files and functions that comments and pages name exist. A room's README names each of its files.
# No two headers define a type of the same name.
source "$(dirname "$0")/tap.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if ! git rev-parse --git-dir >/dev/null 2>&1; then skip 'names' 'no git here'; exit 0; fi
git ls-files >"$work/files"

# comments FILE...: prints "FILE:LINE:TEXT" for C comments, and for a page's lines outside fenced
# code.
comments() {
    awk 'FNR == 1 { fenced = 0 } FILENAME ~ /\.md$/ { if (/^```/) fenced = !fenced;
            else if (!fenced) print FILENAME ":" FNR ":" $0; next }
        match($0, /(^|[^:"])\/\/.*/) { print FILENAME ":" FNR ":" substr($0, RSTART) }' "$@"
}

# missing_files LIST: reads lines "FILE:LINE:TEXT" and prints the files that TEXT names but LIST
# lacks. It skips patterns, placeholders (FILE.sass, one letter), headers of CUDA and C, and file
# names in examples of other projects.
missing_files() {
    awk -v list="$1" '
        BEGIN { split("cuda.h cublasLt.h math.h stdio.h stdlib.h string.h time.h sgemm.cu", other,
            " "); for (i in other) all[other[i]] = 1
            while ((getline file < list) > 0) { all[file] = 1;
            while (sub(/^[^\/]*\//, "", file)) all[file] = 1; all[file] = 1 } }
        { where = $0; sub(/^[^:]*:[0-9]*:/, "", $0);
        where = substr(where, 1, length(where) - length($0))
          while (match($0, "[A-Za-z_0-9.*{},/-]*[A-Za-z_0-9][.](c|h|def|cu|awk|sh|sql|mk|sass)" \
              "([^A-Za-z_0-9(]|$)")) {
              name = substr($0, RSTART, RLENGTH); before = substr($0, RSTART - 1, 1);
              $0 = substr($0, RSTART + RLENGTH)
              sub(/[^A-Za-z_0-9]$/, "", name); sub(/^(\.\.?\/)*/, "", name); sub(/^[-,]+/, "", name)
              if (name ~ /[*{}]|^[A-Z]+[.\/]|^[a-z]\.|gemm\/sgemm.cu|^build\/|^\/|^my\// ||
                  name in all || before ~ /[<$>]/) continue
              print where " " name } }'
}

# missing_functions CODE: reads lines "FILE:LINE:TEXT"; prints each NAME() that is not a word of
# CODE.
missing_functions() {
    awk -v list="$1" 'BEGIN { while ((getline word < list) > 0) all[word] = 1 }
        { where = $0; sub(/^[^:]*:[0-9]*:/, "", $0);
        where = substr(where, 1, length(where) - length($0))
          while (match($0, /[A-Za-z_0-9]+\(\)/)) {
              name = substr($0, RSTART, RLENGTH - 2); $0 = substr($0, RSTART + RLENGTH)
              if (name ~ /^[a-z_0-9]+$/ && !(name in all)) print where " " name "()" } }'
}

# missing_words CODE: like missing_functions, for names in backticks that contain an underscore.
missing_words() {
    awk -v list="$1" 'BEGIN { while ((getline word < list) > 0) all[word] = 1 }
        { where = $0; sub(/^[^:]*:[0-9]*:/, "", $0);
        where = substr(where, 1, length(where) - length($0))
          while (match($0, /`[a-z]+_[a-z_0-9]*`/)) {
              name = substr($0, RSTART + 1, RLENGTH - 2); $0 = substr($0, RSTART + RLENGTH)
              if (!(name in all)) print where " " name } }'
}

# unnamed FOLDER README: prints FOLDER's sources whose name (without extension) README does not
# have.
unnamed() {
    local file name
    for file in "$1"/*.[ch] "$1"/*.def; do
        [[ -e $file ]] || continue
        name=$(basename "${file%.*}")
        grep -qE "(^|[^A-Za-z_0-9])$name([^A-Za-z_0-9]|$)" "$2" || echo "$2: $(basename "$file")"
    done
}

# defined_twice FILE...: prints the types that more than one file defines, and where.
defined_twice() {
    grep -HoE '^(struct|enum|union) [a-z_0-9]+ \{' "$@" | awk -F: '
        { where[$2] = where[$2] " " $1; count[$2]++ }
        END { for (type in count) if (count[type] > 1) { sub(/ \{/, "", type) ;
        print type ":" where[type " {"] } }' | sort
}

nothing() { if [[ -z $2 ]]; then pass "$1"; else fail "$1" "$2"; fi; }

mapfile -t sources < <(grep -E \
    '^(common|sasskit|library|steps|tests|web|exercises)/.*\.([ch]|cu|def)$' "$work/files")
mapfile -t pages < <(grep -E '^(docs|common|sasskit|library)/.*\.md$|^steps/[^/]*/program\.md$' \
    "$work/files")
# The words that can be called: code without comments, and scripts.
{
    sed 's,//.*,,' "${sources[@]}"
    cat tests/[!n]*.sh tools/*.sh web/*/*.js web/*/*.mk mk/*.mk
} 2>/dev/null | grep -oE '[A-Za-z_][A-Za-z_0-9]*' | sort -u >"$work/words"

comments "${sources[@]}" "${pages[@]}" >"$work/comments"
nothing 'files that comments and pages name exist' \
    "$(missing_files "$work/files" <"$work/comments")"
nothing 'functions that they name exist' "$(missing_functions "$work/words" <"$work/comments")"
nothing 'names in backticks exist in docs/house.md and in the READMEs of rooms' \
    "$(grep -E '^(docs/house|(common|sasskit|library)/.*README)\.md:' "$work/comments" |
        missing_words "$work/words")"
for folder in common/{backend,harness,judge} sasskit/{base,isa,asm,lint,reuse,model,tune} \
    sasskit/sim/{machine,ops,checks,counts,run,programs} library library/{rules,shapes} \
    web/engine; do
    readme=$folder/README.md
    [[ -e $readme ]] || readme=$(dirname "$folder")/README.md
    nothing "$readme names every file of $folder" "$(unnamed "$folder" "$readme")"
done

# The headers that programs include. Device code is left out, since each kernel is compiled alone.
mapfile -t headers < <(grep -E '^(common|sasskit|steps/(00_machine|14_several_gpus))/.*\.h$' \
    "$work/files" | grep -vE '^sasskit/tests/')
nothing 'no two headers define a type of one name' "$(defined_twice "${headers[@]}")"

# The checks find what they look for.
printf 'struct %s {\n' one two >"$work/a.h"
printf 'struct %s {\n' two three >"$work/b.h"
[[ $(defined_twice "$work/a.h" "$work/b.h") == "struct two: $work/a.h $work/b.h" ]] &&
    pass 'a type that is defined twice is found' || fail 'a type that is defined twice is found' \
    "$(defined_twice "$work/a.h" "$work/b.h")"
printf '%s\n' 'a.c:3:// as in nowhere.h, and (lint.h)' >"$work/wrong"
[[ $(missing_files "$work/files" <"$work/wrong") == 'a.c:3: nowhere.h' ]] &&
    pass 'a missing file is found' ||
    fail 'a missing file is found' "$(missing_files "$work/files" <"$work/wrong")"
printf '%s\n' 'a.md:3:`add_no_sizes` and `banks_load`' >"$work/wrong"
[[ $(missing_words "$work/words" <"$work/wrong") == 'a.md:3: add_no_sizes' ]]
verdict $? 'a missing name is found'
printf '%s\n' 'a.c:3:// add_no_sizes() and banks_load()' >"$work/wrong"
[[ $(missing_functions "$work/words" <"$work/wrong") == 'a.c:3: add_no_sizes()' ]] &&
    pass 'a missing function is found' ||
    fail 'a missing function is found' "$(missing_functions "$work/words" <"$work/wrong")"
