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
