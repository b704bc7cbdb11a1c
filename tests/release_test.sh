#!/usr/bin/env bash
# What an archive says of itself and what a release contains. That a release runs without CUDA is tests/fresh.sh's business.
# Only in make test-all.
source "$(dirname "$0")/tap.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

if commit=$(git rev-parse --short HEAD 2>/dev/null) && [[ -e .git ]]; then
    mkdir "$work/archive"
    git archive HEAD | tar -C "$work/archive" -xf -
    case_is 'an archive knows its commit' 0 "$commit" "$work/archive/tools/commit.sh"
    git -C "$work" init -q
    case_is 'in a folder of another repository, too' 0 "$commit" "$work/archive/tools/commit.sh"
    mkdir -p "$work/copy/tools"
    cp tools/commit.sh tools/commit.txt "$work/copy/tools/"
    case_is 'a copy knows none' 0 'unknown' "$work/copy/tools/commit.sh"
else
    skip 'commits of archives' 'this is no clone'
fi

if [[ ! -d build/cubin/sm_90 ]]; then
    skip 'release' 'no kernels for sm_90'
    exit
fi
case_is 'make release' 0 ' kernels' tools/release.sh
name=sgemm-$(tools/commit.sh)
tar -tzf "build/$name.tar.gz" >"$work/list"
case_is 'has the sources' 0 "$name/steps/01_naive/kernel.cu" cat "$work/list"
sums=$(cd build && find cubin/sm_90 -name '*.sum' | sort)
packed=$(sed -n "s,^$name/prebuilt/\(.*\.sum\)$,\1,p" "$work/list" | sort)
[[ $sums && $sums == "$packed" ]] && pass 'has every kernel that nvcc made' || fail 'has every kernel that nvcc made' "$packed"
grep -q "^$name/build/" "$work/list" && fail 'has nothing else of the build' || pass 'has nothing else of the build'
case_is 'wrong usage' 2 'expected no argument' tools/release.sh here
