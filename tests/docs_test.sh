#!/usr/bin/env bash
# The measured figures in the text are those of the CSV files.
source "$(dirname "$0")/tap.sh"
if [[ ! -x tools/docs.sh ]]; then
    skip 'measured figures' 'no tools/docs.sh'
elif said=$(tools/docs.sh --check 2>&1); then
    pass 'measured figures'
else
    fail 'measured figures' "$said"
fi
