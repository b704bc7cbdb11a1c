#!/usr/bin/env bash
# An unpacked archive reports its commit, and a release contains the right files. (tests/fresh.sh
# checks that a release runs without CUDA.)
# Only in make test-all.
source "$(dirname "$0")/tap.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

if command -v git >/dev/null && commit=$(git rev-parse --short HEAD 2>/dev/null) &&
    [[ -e .git ]]; then
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

if [[ ! -d build/cubin/sm_90 || -d prebuilt ]]; then
    skip 'release' "$(if [[ -d prebuilt ]]; then echo 'this is one'; else echo \
        'no kernels for sm_90'; fi)"
    exit
fi
case_is 'make release' 0 ' kernels' tools/release.sh
name=sgemm-$(tools/commit.sh)
tar -tzf "build/$name.tar.gz" >"$work/list"
case_is 'has the sources' 0 "$name/steps/01_naive/kernel.cu" cat "$work/list"
sums=$(cd build && find cubin/sm_90 -name '*.sum' | sort)
packed=$(sed -n "s,^$name/prebuilt/\(.*\.sum\)$,\1,p" "$work/list" | sort)
[[ $sums && $sums == "$packed" ]]
verdict $? 'has every kernel that nvcc made' "$packed"
grep -q "^$name/build/" "$work/list" && fail 'has nothing else of the build' ||
    pass 'has nothing else of the build'
mkdir "$work/bin"
printf '#!/bin/sh\nexit 127\n' >"$work/bin/git"
chmod +x "$work/bin/git"
# An unpacked archive knows its commit without git.
without=sgemm-$(PATH="$work/bin:$PATH" tools/commit.sh)
case_is 'make release without git' 0 "build/$without.tar.gz" env PATH="$work/bin:$PATH" \
    tools/release.sh
tar -tzf "build/$without.tar.gz" | sed -n "s,^$without/\(.*[^/]\)$,\1,p" | sort >"$work/without"
sed -n "s,^$name/\(.*[^/]\)$,\1,p" "$work/list" | sort >"$work/with"
said=$(comm -23 "$work/with" "$work/without") && [[ ! $said && -s $work/with ]] &&
    ! grep -E '^(\.git/|\.git$|build/|results/)' "$work/without" >"$work/more"
verdict $? 'has the same files' "$said" "$(cat "$work/more")"
if [[ $without != "$name" ]]; then rm "build/$without.tar.gz"; fi
case_is 'wrong usage' 2 'expected no argument' tools/release.sh here

# A folder without write permission is reported. BUILD=DIR builds in a copy, which knows its commit.
quiet_make() { make --no-print-directory "$@"; }
case_is 'BUILD=DIR' 0 "done in $work/a copy: cd there to go on" quiet_make BUILD="$work/a copy" \
    build/obj/sasskit/base/file.o
[[ -s "$work/a copy/build/obj/sasskit/base/file.o" && -x "$work/a copy/run_all.sh" &&
    $(cat "$work/a copy/tools/commit.txt") == "$(tools/commit.sh)" ]] &&
    pass 'has the program, the sources and the commit' ||
    fail 'has the program, the sources and the commit' "$(ls "$work/a copy")"
case_is 'BUILD=. is refused' 2 'is or holds these sources' quiet_make BUILD=.
case_is 'a BUILD that cannot be made' 2 "BUILD=/proc/none: cannot be written" \
    quiet_make BUILD=/proc/none
as_nobody() { # its PATH has no folder that only root may read
    local who=()
    if [[ $(id -u) == 0 ]]; then who=(setpriv --reuid=65534 --regid=65534 --clear-groups); fi
    "${who[@]}" env PATH=/usr/bin:/bin "$@"
}
mkdir "$work/fixed"
tar -cf - --exclude=./build --exclude=./docs --exclude=./.git . | tar -xf - -C "$work/fixed"
chmod -R a+rX,a-w "$work/fixed"
chmod a+rx "$work"
one_line_is 'a folder that cannot be written' 2 \
    "fixed cannot be written: \`make BUILD=DIR\` builds in a copy of it" as_nobody make -C \
    "$work/fixed" --no-print-directory
one_line_is 'nor run' 1 'DIR/run_all.sh runs there' as_nobody "$work/fixed/run_all.sh"
chmod -R u+w "$work/fixed"
