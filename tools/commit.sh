#!/usr/bin/env bash
# Prints the commit of these sources: git's in a clone; what git wrote into commit.txt when it packed an archive; or "unknown".
# Another repository around an unpacked archive does not count.
set -euo pipefail
export LC_ALL=C
tools=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cd "$tools/.."
if command -v git >/dev/null && up=$(git rev-parse --show-cdup 2>/dev/null) && [[ ! $up ]]; then
    git describe --always --dirty
else
    sed 's/^\$.*/unknown/' tools/commit.txt
fi
