#!/usr/bin/env bash
# Functions of the shell tests. Each case prints one line, "ok - NAME", "not ok - NAME" or
# "ok - NAME # SKIP WHY". Details of a failure follow on lines that start with "#".
export LC_ALL=C # fixes the sort order and decimal points
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1

pass() { echo "ok - $1"; }
fail() { echo "not ok - $1"; shift; printf '%s\n' "$@" | sed 's/^/# /'; }
# verdict STATUS NAME DETAIL...: the case NAME passes if STATUS, an exit status, is 0. DETAIL
# explains a failure.
verdict() { if [[ $1 == 0 ]]; then pass "$2"; else fail "${@:2}"; fi; }
skip() { echo "ok - $1 # SKIP $2"; }

# joined: prints its input with broken lines joined; a continued line begins with four spaces.
joined() { sed -e ':next' -e 'N' -e '$!b next' -e 's/\n    / /g'; }

# needs NAME PROGRAM...: true if all programs exist; otherwise skips NAME and names the missing one.
needs() {
    local program
    for program in "${@:2}"; do
        command -v "$program" >/dev/null || {
            skip "$1" "needs $program"
            return 1
        }
    done
}

# needs_nvcc NAME: true if there is nvcc; otherwise skips NAME.
needs_nvcc() { [[ ${NVCC:-} ]] || { skip "$1" 'needs nvcc'; return 1; }; }

# needs_built NAME FILE...: true if make has built all files; otherwise skips NAME.
needs_built() {
    local file
    for file in "${@:2}"; do [[ -s $file ]] || {
        skip "$1" "needs $file, which make builds"
        return 1
    }; done
}

# said_is NAME STATUS TEXT GOT SAID COMMAND...: passes if GOT, the command's exit status, is STATUS
# and SAID, its output, contains TEXT.
said_is() {
    if [[ $4 != "$2" ]]; then
        fail "$1" "${*:6}" "exit status $4, expected $2" "$5"
    elif [[ $5 != *"$3"* ]]; then
        fail "$1" "${*:6}" "expected to read: $3" "$5"
    else
        pass "$1"
    fi
}

# case_is NAME STATUS TEXT COMMAND...: runs the command; passes if its exit status is STATUS and its
# output contains TEXT.
case_is() {
    local said got=0
    said=$("${@:4}" 2>&1) || got=$?
    said_is "$1" "$2" "$3" "$got" "$said" "${@:4}"
}

# one_line_is NAME STATUS TEXT COMMAND...: like case_is, but the output must be exactly one line.
one_line_is() {
    local said got=0
    said=$("${@:4}" 2>&1) || got=$?
    if [[ $(wc -l <<<"$said") != 1 ]]; then
        fail "$1" "${*:4}" "expected one line" "$said"
    else
        said_is "$1" "$2" "$3" "$got" "$said" "${@:4}"
    fi
}

# names NAME STATUS VALUE... -- COMMAND...: runs the command. Passes if its exit status is STATUS
# and each VALUE is a word of the last line on stderr. (A VALUE is an option with its argument, a
# file, a number or a choice.) If STATUS is 2, that line must be all the output, because a mistake
# is found before any work. Uses the folder $work.
names() {
    local name=$1 status=$2 got=0 missing='' values=() last
    shift 2
    while [[ $1 != -- ]]; do values+=("$1"); shift; done
    shift
    "$@" >"$work/out" 2>"$work/err" || got=$?
    last=$(tail -n 1 "$work/err")
    for value in "${values[@]}"; do
        [[ " $last " =~ [^[:alnum:]_]"$value"[^[:alnum:]_] ]] || missing+=" '$value'"
    done
    if [[ $got != "$status" ]]; then
        fail "$name" "$*" "exit status $got, expected $status" "$(cat "$work/out" "$work/err")"
    elif [[ $missing ]]; then
        fail "$name" "$*" "does not name$missing" "$last"
    elif [[ $status == 2 && (-s $work/out || $(wc -l <"$work/err") != 1) ]]; then
        fail "$name" "$*" 'expected one line on stderr and no other output' \
            "$(cat "$work/out" "$work/err")"
    else
        pass "$name"
    fi
}

# cubin FILE OPTION... SOURCE: compiles SOURCE with nvcc to FILE, as PTX if FILE ends in .ptx. Skips
# the work if the source, the headers beside it, the options and nvcc are unchanged.
cubin() {
    local file=$1 source=${*: -1} how
    export version_of_nvcc=${version_of_nvcc:-$("$NVCC" --version | tail -n 1)}
    how=$(
        echo "$version_of_nvcc"
        echo "${@:2}"
        cat "$source" "$(dirname "$source")"/*.h 2>/dev/null | cksum
    )
    [[ -s $file && $(cat "$file.how" 2>/dev/null) == "$how" ]] && return
    rm -f "$file" "$file.how"
    "$NVCC" "-${file##*.}" -o "$file" "${@:2}" && echo "$how" >"$file.how"
}

# together SOURCE...: prints one source that includes them all, for nvcc -I., because nvcc spends
# most of its time on headers. Each SOURCE gets a namespace of its own; its macros are undefined
# after it.
together() {
    local source
    awk '/^#include "/ { folder = FILENAME; sub(/[^\/]*$/, "", folder); sub(/"/, "\"" folder) }
        /^#include/ && !seen[$0]++' "$@"
    for source; do
        printf '// %s\nnamespace in_%s {\n#include "%s"\n}\n' "$(cksum <"$source")" \
            "$(basename "${source%.*}")" "$source"
        sed -n 's/^#define \([A-Za-z_0-9]*\).*/#undef \1/p' "$source"
    done
}

# EXHAUSTIVE=1 (make test-all) takes whole sets. Otherwise draw() takes a part, by SEED (default:
# the date).
seed=${SEED:-$(date +%Y%m%d)}
# draw COUNT [WHICH]: prints COUNT of the input's lines, in order; all of them if EXHAUSTIVE is set.
# Draws with different words WHICH are independent.
draw() {
    if [[ ${EXHAUSTIVE:-} ]]; then cat; return; fi
    awk -v seed="$seed" -v which="$(cksum <<<"${2:-}")" -v wanted="$1" '
        function next_one() { state = state * 16807 % 2147483647; return state / 2147483647 }
        { line[NR] = $0 }
        END {
            state = (seed + which) % 2147483646 + 1
            for (i = 0; i < 9; i++) next_one()
            for (i = 1; i <= NR; i++) if (next_one() * (NR - i + 1) < wanted) { print line[i];
            wanted-- }
        }'
}

# of_13_0 NAME: true if nvcc is 13.0; otherwise skips NAME. Expected counts and registers are those
# of code that nvcc 13.0 compiles; other versions compile other code, which is right, too.
of_13_0() {
    if [[ ! ${release_of_nvcc:-} ]]; then
        release_of_nvcc=$(tools/nvcc.sh release 2>/dev/null)
        export release_of_nvcc=${release_of_nvcc:-none}
    fi
    [[ $release_of_nvcc == 13.0 ]] || {
        skip "$1" "of nvcc 13.0, this is $release_of_nvcc"
        return 1
    }
}
