#!/usr/bin/env bash
# No source, message or page uses a word that docs/glossary.md retires: the words in quotes in the
# last column of its tables and in its last paragraph. Capitals, and s or ed at a word's end, make
# no difference.
source "$(dirname "$0")/tap.sh"

retired() { # FILE: prints its retired words, one per line
    awk -F'|' '/^\|/ { print $(NF - 1) } /^Words for which/ { inside = 1 } inside' "$1" |
        grep -oE '"[^"]+"' | tr -d '"' | sort -u
}
# uses WORD FILE...: prints FILE:LINE:TEXT of each use of WORD.
uses() { grep -inHE -- "(^|[^a-z])${1// /[ _]}(s|ed)?([^a-z]|$)" "${@:2}"; }

mapfile -t words < <(retired docs/glossary.md)
mapfile -t files < <(find README.md Makefile mk common sasskit library steps web/page web/engine \
    exercises tools plots docs tests/*_test.sh \
    \( -name '*.[ch]' -o -name '*.cu' -o -name '*.cuh' -o -name '*.def' -o -name '*.sh' -o \
    -name '*.py' -o -name '*.js' -o -name '*.mk' \
    -o -name '*.md' -o -name '*.sass' -o -name Makefile \) ! -path docs/glossary.md ! \
    -path tests/glossary_test.sh)
for word in "${words[@]}"; do
    found=$(uses "$word" "${files[@]}" | head -n 20)
    [[ ! $found ]]
    verdict $? "\"$word\" is not used" "$found"
done

sample=$(mktemp)
trap 'rm -f "$sample"' EXIT
printf '// Warps are told of it.\nint stand_still;\n// A retold offer.\n' >"$sample"
found=$(for word in "${words[@]}"; do uses "$word" "$sample"; done | wc -l)
if [[ $found == 1 && ${#words[@]} -gt 5 ]]; then
    pass 'a retired word is found, and a part of another word is not'
else
    fail 'a retired word is found' "$found of 1, ${#words[@]} words"
fi
