#!/usr/bin/env bash
# What the shell tests share: each case prints one line, "ok NAME", "not ok NAME" or "ok NAME # SKIP WHY", and what went
# wrong on lines that start with "#".
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1

pass() { echo "ok - $1"; }
fail() { echo "not ok - $1"; shift; printf '%s\n' "$@" | sed 's/^/# /'; }
skip() { echo "ok - $1 # SKIP $2"; }

# case_is NAME STATUS TEXT COMMAND...: the command ends with this status and says TEXT (a part of its output).
case_is() {
    local name=$1 status=$2 text=$3 said got=0
    shift 3
    said=$("$@" 2>&1) || got=$?
    if [[ $got != "$status" ]]; then
        fail "$name" "$*" "exit status $got, expected $status" "$said"
    elif [[ $said != *"$text"* ]]; then
        fail "$name" "$*" "expected to read: $text" "$said"
    else
        pass "$name"
    fi
}

# one_line_is: the same, and the output is one line.
one_line_is() {
    local name=$1 said
    said=$("${@:4}" 2>&1)
    if [[ $(wc -l <<<"$said") != 1 ]]; then
        fail "$name" "${*:4}" "expected one line" "$said"
    else
        case_is "$@"
    fi
}
