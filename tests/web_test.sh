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
timeout 600 node --experimental-wasm-relaxed-simd tests/web/same.js
