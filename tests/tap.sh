#!/usr/bin/env bash
# What the shell tests share: each case prints one line, "ok NAME", "not ok NAME" or "ok NAME # SKIP WHY", and what went
# wrong on lines that start with "#".
export LC_ALL=C # one order of names, decimal points
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1

pass() { echo "ok - $1"; }
fail() { echo "not ok - $1"; shift; printf '%s\n' "$@" | sed 's/^/# /'; }
skip() { echo "ok - $1 # SKIP $2"; }

# needs NAME PROGRAM...: true where these are; otherwise NAME is skipped, for the first that is not.
needs() {
    local program
    for program in "${@:2}"; do command -v "$program" >/dev/null || { skip "$1" "needs $program"; return 1; }; done
}

# said_is NAME STATUS TEXT GOT SAID COMMAND...: the command ended with this status and said TEXT (a part of its output).
said_is() {
    if [[ $4 != "$2" ]]; then
        fail "$1" "${*:6}" "exit status $4, expected $2" "$5"
    elif [[ $5 != *"$3"* ]]; then
        fail "$1" "${*:6}" "expected to read: $3" "$5"
    else
        pass "$1"
    fi
}

# case_is NAME STATUS TEXT COMMAND...: runs the command, of which this is so.
case_is() {
    local said got=0
    said=$("${@:4}" 2>&1) || got=$?
    said_is "$1" "$2" "$3" "$got" "$said" "${@:4}"
}

# one_line_is: the same, and the output is one line.
one_line_is() {
    local said got=0
    said=$("${@:4}" 2>&1) || got=$?
    if [[ $(wc -l <<<"$said") != 1 ]]; then
        fail "$1" "${*:4}" "expected one line" "$said"
    else
        said_is "$1" "$2" "$3" "$got" "$said" "${@:4}"
    fi
}

# cubin FILE OPTION... SOURCE: compiled by nvcc, to PTX where FILE is called so; not again while the source, the headers beside it, the
# options and nvcc are the same.
cubin() {
    local file=$1 source=${*: -1} how
    how=$("$NVCC" --version | tail -n 1; echo "${@:2}"; cat "$source" "$(dirname "$source")"/*.h 2>/dev/null | cksum)
    [[ -s $file && $(cat "$file.how" 2>/dev/null) == "$how" ]] && return
    rm -f "$file" "$file.how"
    "$NVCC" "-${file##*.}" -o "$file" "${@:2}" && echo "$how" >"$file.how"
}

# together SOURCE...: one source of them all, for nvcc -I.: most of nvcc's time goes into headers, which are read once then. Each
# source is in a namespace of its own, and its macros end with it.
together() {
    local source
    awk '/^#include "/ { folder = FILENAME; sub(/[^\/]*$/, "", folder); sub(/"/, "\"" folder) } /^#include/ && !seen[$0]++' "$@"
    for source; do
        printf '// %s\nnamespace in_%s {\n#include "%s"\n}\n' "$(cksum <"$source")" "$(basename "${source%.*}")" "$source"
        sed -n 's/^#define \([A-Za-z_0-9]*\).*/#undef \1/p' "$source"
    done
}

# EXHAUSTIVE=1 (make test-all) takes whole sets where else a part is drawn: by SEED, the day's where none is given.
seed=${SEED:-$(date +%Y%m%d)}
# draw COUNT [WHICH]: so many of the lines of standard input, in their order; all of them when EXHAUSTIVE. WHICH, a word, tells one draw
# of a day from another.
draw() {
    if [[ ${EXHAUSTIVE:-} ]]; then cat; return; fi
    awk -v seed="$seed" -v which="$(cksum <<<"${2:-}")" -v wanted="$1" '
        function next_one() { state = state * 16807 % 2147483647; return state / 2147483647 }
        { line[NR] = $0 }
        END {
            state = (seed + which) % 2147483646 + 1
            for (i = 0; i < 9; i++) next_one()
            for (i = 1; i <= NR; i++) if (next_one() * (NR - i + 1) < wanted) { print line[i]; wanted-- }
        }'
}

# What is counted in compiled code, and which registers it takes, is nvcc 13.0's; code of another version is other code, and right too.
# of_13_0 NAME: true with 13.0; with another version NAME is skipped.
of_13_0() {
    local release
    release=$(tools/nvcc.sh release 2>/dev/null)
    [[ $release == 13.0 ]] || { skip "$1" "of nvcc 13.0, this is ${release:-none}"; return 1; }
}
