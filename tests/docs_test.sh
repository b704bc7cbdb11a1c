#!/usr/bin/env bash
# The measured figures in the text are those of the CSV files.
source "$(dirname "$0")/tap.sh"
if ! command -v sqlite3 >/dev/null; then
    skip 'measured figures' 'sqlite3 is not installed'
elif said=$(tools/docs.sh --check 2>&1); then
    pass 'measured figures'
else
    fail 'measured figures' "$said"
fi

# With another folder, as docs/your_chip.md says: what it does not have is no error, and reads "?".
if ! command -v sqlite3 >/dev/null; then
    skip "another chip's figures" 'sqlite3 is not installed'
elif said=$(RESULTS=docs/results/h100 tools/docs.sh --check 2>&1 | grep -v 'figures differ from docs/results/h100'); then
    fail "another chip's figures" "$said"
else
    pass "another chip's figures"
fi

