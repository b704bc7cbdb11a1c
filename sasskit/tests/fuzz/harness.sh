# Functions for the scripts that fuzz, which source it from the project's root. Requires clang and
# its fuzzer runtime; without them the script ends with status 77.
export LC_ALL=C
here=build/fuzz
clang=$(command -v clang || command -v clang-14)
mkdir -p "$here"

echo 'int LLVMFuzzerTestOneInput(const unsigned char *b, unsigned long n) {
    return b && n > 3 ? 0 : 0; }' >"$here/probe.c"
if [[ -z $clang ]] || ! "$clang" -fsanitize=fuzzer,address,undefined "$here/probe.c" \
    -o "$here/probe" 2>/dev/null; then
    echo 'fuzz: skipped: clang with the fuzzer runtime is missing' \
        '(apt-get install clang libclang-rt-14-dev)' >&2
    exit 77
fi

# fuzz RUNS LONGEST HARNESS FILE...: compiles HARNESS, the path of a source fuzz_NAME.c, and the
# FILEs. Runs the program RUNS times on inputs of at most LONGEST bytes, starting from those in
# build/fuzz/NAME. A failing input is left as build/fuzz/crash-NAME-* and ends the script with
# status 1.
fuzz() {
    local runs=$1 longest=$2 name=${3##*/fuzz_}
    name=${name%.c}
    "$clang" -std=c11 -D_GNU_SOURCE -g -O2 -fsanitize=fuzzer,address,undefined \
        -fno-sanitize-recover=undefined -Wall -Werror -Wno-unknown-pragmas \
        -Wno-unused-function -Wno-unused-but-set-variable -Icommon -Isasskit -Icommon/harness \
        -Ibuild -o "$here/fuzz_$name" "${@:3}" -lm || exit 1
    echo "fuzz: $name, $runs executions"
    "$here/fuzz_$name" -runs="$runs" -max_len="$longest" -timeout=60 -rss_limit_mb=4096 \
        -print_final_stats=1 \
        -artifact_prefix="$here/crash-$name-" "$here/$name" >"$here/$name.log" 2>&1 || {
        tail -40 "$here/$name.log"
        exit 1
    }
    grep -E 'Done|average_exec' "$here/$name.log"
}
