#!/usr/bin/env bash
# What runs programs in a page, under node alone; the pages themselves are web_test.sh's and site_test.sh's.
source "$(dirname "$0")/tap.sh"
PATH=${WHOLE_PATH:-$PATH} # node comes with what the site needs (tests/named.sh)
needs 'what runs programs in a page' node || exit 0
timeout 60 node tests/web/runner.js
