#!/usr/bin/env bash
# Where the CUDA toolkit is.
#
#     tools/nvcc.sh            nvcc: $NVCC; else that on PATH, in $CUDA_HOME, /usr/local/cuda, the newest /usr/local/cuda-*, build/toolkit
#     tools/nvcc.sh release    its version, 13.0
#     tools/nvcc.sh top NVCC   the folder whose include/ has this nvcc's cuda.h; nothing where it has none
#
# One older than CUDA 12 is passed over. Exit status: 0 found (and for `top` nothing is an answer), 1 there is no nvcc, 2 all are too old.
set -u
export LC_ALL=C
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1

# The nvcc on PATH may be a script that calls another, and a distribution spreads its toolkit over /usr; so nvcc itself is asked.
top() { # NVCC
    local folder
    while read -r folder; do
        [[ -e $folder/include/cuda.h ]] || continue
        [[ $folder != /* ]] || folder=$(realpath "$folder")
        echo "${folder%/bin/..}"
        return
    done < <("$1" -dryrun -x cu /dev/null 2>&1 | sed -nE 's/^#\$ TOP=//p; /^#\$ INCLUDES=/{ s/"? "?-I/\n/g; s,/include"? *$,,Mg; p; }'; echo /usr)
}

if [[ ${1:-} == top ]]; then top "$2"; exit 0; fi
release_of() { "$1" --version 2>/dev/null | sed -n 's/.*release \([0-9.]*\),.*/\1/p'; }
old=
newest=$(printf '%s\n' /usr/local/cuda-*/bin/nvcc | sort -V | tail -n 1)
places=(nvcc "${CUDA_HOME:-}/bin/nvcc" /usr/local/cuda/bin/nvcc "$newest" build/toolkit/bin/nvcc)
if [[ ${NVCC:-} ]]; then places=("$NVCC"); fi
for path in "${places[@]}"; do
    path=$(command -v "$path") || continue
    if [[ -L $path && $(realpath "$path") == */nvcc ]]; then path=$(realpath "$path"); fi # beside a link nvcc finds nothing that it calls
    release=$(release_of "$path")
    if [[ ${release%%.*} -ge 12 ]]; then
        if [[ ${1:-} == release ]]; then echo "$release"; else echo "$path"; fi
        exit 0
    fi
    old=${old:-"$path is of CUDA ${release:-unknown}"}
done
[[ ! $old ]] || { echo "$old; 12 or newer is needed" >&2; exit 2; }
exit 1
