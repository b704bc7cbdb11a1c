#!/usr/bin/env bash
# Prints the commit of these sources: in a clone git's, in an archive the one that git wrote into
# commit.txt, otherwise "unknown". It ignores a repository that merely contains the unpacked
# archive.
#
#     tools/commit.sh         the commit that is checked out
#     tools/commit.sh code    the last commit that changed programs or measurements, and not just
#                             results or documents; rows of results name this commit
#
# Uncommitted changes add -dirty; `code` ignores uncommitted results and documents.
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
