#!/usr/bin/env bash
# Packs an archive that works without nvcc and CUDA's headers: the sources, and the built kernels
# for sm_90.
#
#     tools/release.sh      after `make`; writes build/sgemm-COMMIT.tar.gz
#
# Exit status: 0 written, 1 something failed, 2 wrong usage or nothing built.
set -euo pipefail
export LC_ALL=C

cd "$(dirname "${BASH_SOURCE[0]}")/.."
source tools/put.sh
[[ $# == 0 ]] || die "expected no argument"
[[ -d build/cubin/sm_90 ]] || die "no kernels for sm_90 in build/cubin; run make first"
name=sgemm-$(tools/commit.sh)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/$name"

# Lists the sources: the files that git tracks; without git, all files outside the folders of built
# and measured files.
sources() {
    if [[ -e .git ]] && command -v git >/dev/null && git ls-files -z 2>/dev/null; then return; fi
    find . \( -name .git -o -path ./build -o -path ./results -o -path ./my -o -path ./profile -o \
        -path ./prebuilt \) -prune -o -type f -print0
}
sources | xargs -0 cp --parents -t "$work/$name"
echo "${name#sgemm-}" >"$work/$name/tools/commit.txt"

# A kernel has three files: machine code, nvcc's log with the registers, the checksum of its
# sources.
mkdir "$work/$name/prebuilt"
(cd build && find cubin/sm_90 -name '*.sum' | while read -r sum; do
    cp --parents "${sum%.sum}".{cubin,log,sum} "$work/$name/prebuilt"
done)
tar -C "$work" -czf "build/$name.tar.gz.new" "$name" || die "cannot write build/$name.tar.gz" 1
mv "build/$name.tar.gz.new" "build/$name.tar.gz"
echo "build/$name.tar.gz: $(find "$work/$name/prebuilt" -name '*.cubin' |
    wc -l) kernels, $(du -h "build/$name.tar.gz" | cut -f1)B"
