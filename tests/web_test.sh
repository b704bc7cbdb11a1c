#!/usr/bin/env bash
# The browser edition's programs: WebAssembly gives what the native programs give, with relaxed SIMD
# if node has it.
# Only in make test-all.
source "$(dirname "$0")/tap.sh"
PATH=${WHOLE_PATH:-$PATH} # the whole PATH: named.sh left only the packages of `run` and `test`

needs 'browser edition' node wasm-ld || exit 0
[[ -e /usr/include/wasm32-wasi/stdio.h ]] || {
    skip 'browser edition' 'wasi-libc is not installed'
    exit
}
ls /usr/lib/llvm-*/lib/clang/*/lib/wasi/libclang_rt.builtins-wasm32.a >/dev/null 2>&1 || {
    skip "browser edition" "libclang-rt-dev-wasm32 is not installed"
    exit
}

if ! said=$(make -s build/web/engine.js build/web/sass.js 2>&1); then
    fail 'build/web/engine.js is built' "$(tail -n 20 <<<"$said")"
    exit
fi
pass 'build/web/engine.js is built'
relaxed=--experimental-wasm-relaxed-simd # newer engines lack the option, not the feature
node $relaxed -e 0 2>/dev/null || relaxed=
timeout 600 node $relaxed tests/web/same.js
timeout 600 node $relaxed tests/web/cards.mjs

# The interactive boxes of the built pages, tried in browsers.
needs 'the boxes of the pages' pandoc python3 esbuild || exit 0
browsers=()
if needs 'the boxes in Chromium' chromium; then browsers+=(chromium); fi
if needs 'the boxes in Firefox' firefox-esr; then browsers+=(firefox); fi
if needs 'the boxes in WebKit' WebKitWebDriver && {
    [[ ${DISPLAY:-} ]] || needs 'the boxes in WebKit' Xvfb
}; then
    browsers+=(webkit)
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if said=$(make -s build/web/kernels/exercises.js 2>&1 &&
    TREE=../../ web/site/build.sh "$work/site" 2>&1); then
    # The bytes that a first visit loads before its first answer: lesson 01's page, its scripts and
    # its style sheet, each packed by gzip.
    first=$(cd "$work/site" &&
        for file in 01_naive.html $(grep -oE '(script src|stylesheet" href)="[^"]+"' 01_naive.html |
        sed 's/.*="//; s/"$//'); do
            gzip -9c "$file" | wc -c
        done | awk '{ sum += $1 } END { print sum }')
    if ((first > 100000 && first <= 400000)); then
        pass "the first page: $first bytes, packed"
    else
        fail 'the first page is at most 400,000 bytes' "$first"
    fi
    for late in sass editor; do # loaded with the first edit
        [[ -e $work/site/$late.js ]] || continue
        bytes=$(gzip -9c "$work/site/$late.js" | wc -c)
        most=200000
        if [[ $late == sass ]]; then most=120000; fi # sass.js has no simulator
        if ((bytes <= most)); then
            pass "$late.js, loaded when it is first used: $bytes bytes, packed"
        else
            fail "$late.js is at most $most bytes" "$bytes"
        fi
    done
    timeout 1500 node tests/web/boxes.js "$work/site" "${browsers[@]}"
else
    fail 'the site is built with its engine' "$(tail -n 20 <<<"$said")"
fi
