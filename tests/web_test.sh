#!/usr/bin/env bash
# The browser edition's programs: WebAssembly gives what the native programs give, with and without relaxed SIMD.
source "$(dirname "$0")/tap.sh"

for tool in node wasm-ld; do
    command -v "$tool" >/dev/null || { skip 'browser edition' "$tool is not installed"; exit; }
done
[[ -e /usr/include/wasm32-wasi/stdio.h ]] || { skip 'browser edition' 'wasi-libc is not installed'; exit; }
ls /usr/lib/llvm-*/lib/clang/*/lib/wasi/libclang_rt.builtins-wasm32.a >/dev/null 2>&1 || { skip "browser edition" "libclang-rt-dev-wasm32 is not installed"; exit; }

if ! said=$(make -s build/web/engine.js 2>&1); then
    fail 'build/web/engine.js is built' "$(tail -n 20 <<<"$said")"
    exit
fi
pass 'build/web/engine.js is built'
relaxed=--experimental-wasm-relaxed-simd # newer ones know no such option: they have it
node $relaxed -e 0 2>/dev/null || relaxed=
timeout 600 node $relaxed tests/web/same.js

# The boxes of the built pages, in a browser.
for tool in pandoc sqlite3 chromium; do
    command -v "$tool" >/dev/null || { skip 'the boxes of the pages' "$tool is not installed"; exit; }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if said=$(make -s build/web/kernels.js 2>&1 && web/site/build.sh "$work/site" 2>&1); then
    timeout 900 node tests/web/boxes.js "$work/site"
else
    fail 'the site is built with its engine' "$(tail -n 20 <<<"$said")"
fi
