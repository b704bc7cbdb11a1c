#!/usr/bin/env bash
# Prints the commit of these sources: in a clone git's, in an archive the one that git wrote into
# commit.txt, otherwise "unknown". A repository around an unpacked archive is ignored.
#
#     tools/commit.sh         the commit that is checked out
#     tools/commit.sh code    the last commit that changed programs or measurements, not counting
#                             commits of results and documents alone; rows of results name it
#
# Uncommitted changes add -dirty; `code` ignores those of results and documents.
set -euo pipefail
export LC_ALL=C
tools=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cd "$tools/.."
if command -v git >/dev/null && up=$(git rev-parse --show-cdup 2>/dev/null) && [[ ! $up ]]; then
    if [[ ${1:-} == code ]]; then
        measured=(Makefile mk common library sasskit steps tools ':(exclude)*.md'
            ':(exclude)sasskit/tests')
        commit=$(git log -1 --format=%h -- "${measured[@]}")
        git diff --quiet HEAD -- "${measured[@]}" || commit+=-dirty
        echo "${commit:-unknown}"
    else
        git describe --always --dirty
    fi
else
    sed 's/^\$.*/unknown/' tools/commit.txt
fi
