#!/usr/bin/env bash
# The host sources of common, sasskit, steps and tests compile without a warning under clang (`make
# test` draws 80, `make test-all` takes all). All sources are formatted. No Python program in
# library or tools uses an undefined name.
source "$(dirname "$0")/tap.sh"
flags=(-std=c11 -D_GNU_SOURCE -Wall -Wextra -Wpedantic -Wno-unused-parameter -Werror -fsyntax-only
    -Icommon -Isasskit -Icommon/harness -Ibuild -Ilibrary -Itests -Isasskit/tests
    -Wno-unknown-pragmas -isystem "$CUDA/include")

if needs 'clang' clang; then
    for file in $(find common sasskit library steps tests -name "*.c" ! -path "*/fuzz/*" | sort |
        draw 80 sources); do
        said=$(clang "${flags[@]}" "$file" 2>&1)
        verdict $? "clang: $file" "$said"
    done
fi
formatter=$(command -v clang-format-14 || command -v clang-format)
if [[ ! $formatter ]]; then
    skip 'format' 'needs clang-format'
elif ! "$formatter" --version | grep -q 'version 14\.'; then
    skip 'format' "the layout is that of clang-format 14, here is $("$formatter" --version)"
elif said=$(make -s format-check 2>&1); then
    pass 'format'
else
    fail 'format' "$(head -20 <<<"$said")"
fi

pyflakes=$(command -v pyflakes3 || command -v pyflakes)
if [[ ! $pyflakes ]]; then
    skip 'names in Python' 'needs pyflakes'
elif said=$(find library plots sasskit tools -name '*.py' -exec "$pyflakes" {} + 2>&1); then
    pass 'names in Python'
else
    fail 'names in Python' "$said"
fi
