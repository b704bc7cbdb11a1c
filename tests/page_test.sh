#!/usr/bin/env bash
# The JavaScript modules of the browser edition, without a browser: their results and their types.
source "$(dirname "$0")/tap.sh"
PATH=${WHOLE_PATH:-$PATH} # PATH before named.sh, which keeps what set-up's `run` and `test` name

if needs 'the modules of the pages' node; then node tests/page/units.mjs; fi
if needs 'the types of the modules' tsc; then
    case_is 'the types of the modules' 0 '' tsc -p web/page
    # tsc reads a tag only at the beginning of a line, or of its comment
    case_is 'no comment in one line hides its types from tsc' 1 '' \
        grep -rnE '/\*\* [^@*]+ @(param|returns|type) ' web/page --include=*.js
fi
if needs 'the modules are bundled' esbuild; then
    for module in site/main charts boxes motions inspect payoff exercise_page editor; do
        case_is "web/page/$module.js is bundled" 0 '' esbuild "web/page/$module.js" --bundle \
            --external:codemirror --format=esm --log-level=warning --outfile=/dev/null
    done
fi
if [[ -x build/oxlint/oxlint ]]; then
    case_is 'the linter: no function over 60 lines, no circle of imports, no likely mistakes' 0 '' \
        build/oxlint/oxlint --quiet -c web/page/.oxlintrc.json web/page
else
    skip 'the linter of the modules' 'build/oxlint is not there (python3 tools/toolkit.py oxlint)'
fi
