#!/usr/bin/env bash
# Prints the commit of these sources: git's in a clone; what git wrote into commit.txt when it packed an archive; or "unknown".
# Another repository around an unpacked archive does not count.
#
#     tools/commit.sh         the commit that is checked out
#     tools/commit.sh code    the last one that changed what is built or measures; results and documents that were committed since do
#                             not count. Rows of results carry it.
#
# Either with -dirty behind it if there are changes that were not committed, `code` if they concern it.
set -euo pipefail
export LC_ALL=C
tools=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cd "$tools/.."
if command -v git >/dev/null && up=$(git rev-parse --show-cdup 2>/dev/null) && [[ ! $up ]]; then
    if [[ ${1:-} == code ]]; then
        measured=(Makefile mk common library sasskit steps tools ':(exclude)*.md')
        commit=$(git log -1 --format=%h -- "${measured[@]}")
        git diff --quiet HEAD -- "${measured[@]}" || commit+=-dirty
        echo "${commit:-unknown}"
    else
        git describe --always --dirty
    fi
else
    sed 's/^\$.*/unknown/' tools/commit.txt
fi
