#!/usr/bin/env bash
# Finds the CUDA toolkit, and what its nvcc needs on this machine.
#
#     tools/nvcc.sh              prints the path of nvcc: $NVCC, or the first one of CUDA 12 or
#                                newer on PATH, in $CUDA_HOME, /usr/local/cuda, the newest
#                                /usr/local/cuda-* or build/toolkit
#     tools/nvcc.sh release      prints its version, for example 13.0
#     tools/nvcc.sh top NVCC     prints the folder whose include/ has this nvcc's cuda.h, if any
#     tools/nvcc.sh flags NVCC   prints the options that this nvcc needs to accept a host compiler
#                                and C library newer than itself, if any. It compiles a kernel to
#                                find out, and keeps the answer in build/nvcc.flags.
#
# Exit status: 0 success (also if `top` or `flags` prints nothing), 1 there is no nvcc or it cannot
# compile here, 2 every nvcc found is too old.
set -u
export LC_ALL=C
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1

# top NVCC: asks nvcc itself for the folder, because an nvcc may be a script that calls another
# nvcc, and because distributions spread the toolkit over /usr.
top() {
    local folder
    while read -r folder; do
        [[ -e $folder/include/cuda.h ]] || continue
        [[ $folder != /* ]] || folder=$(realpath "$folder")
        echo "${folder%/bin/..}"
        return
    done < <(
        "$1" -dryrun -x cu /dev/null 2>&1 |
            sed -nE 's/^#\$ TOP=//p; /^#\$ INCLUDES=/{ s/"? "?-I/\n/g; s,/include"? *$,,Mg; p; }'
        echo /usr
    )
}

# Prints the first line of the host compiler's --version, or nothing if it is not installed.
host_compiler() {
    local compiler=${NVCC_CCBIN:-g++}
    ! command -v "$compiler" >/dev/null || "$compiler" --version 2>/dev/null | head -n 1
}

# surroundings NVCC: prints everything on which nvcc's success depends: its file, its settings, the
# host compiler and the C library's header.
surroundings() {
    echo "$1 $(stat -L -c '%s %Y' "$1" /usr/include/math.h 2>/dev/null | xargs)" \
        "$(host_compiler) ${NVCC_CCBIN:-} ${NVCC_PREPEND_FLAGS:-} ${NVCC_APPEND_FLAGS:-}"
}

# flags NVCC: tries to compile without options, then with two. nvcc 13.0 refuses gcc 16 without
# -allow-unsupported-compiler. -U_GNU_SOURCE hides glibc 2.42's rsqrt, which differs from that in
# nvcc's headers: glibc declares it only with _GNU_SOURCE.
flags() {
    local known=build/nvcc.flags here options work wrong \
        newer='-allow-unsupported-compiler -U_GNU_SOURCE'
    export NVCC_APPEND_FLAGS=${NVCC_APPEND_FLAGS:-}
    NVCC_APPEND_FLAGS=${NVCC_APPEND_FLAGS/$newer/} # an outer make may have set them
    here=$(surroundings "$1")
    if [[ -f $known && $(head -n 1 "$known") == "$here" ]]; then
        tail -n +2 "$known"
        return 0
    fi
    work=$(mktemp -d) || return 1
    echo '__global__ void one(float *x) { x[threadIdx.x] = 1.0f; }' >"$work/one.cu"
    for options in '' "$newer"; do
        # shellcheck disable=SC2086 # one option per word
        "$1" -std=c++17 -cubin -arch=sm_90 $options -o "$work/one.cubin" \
            "$work/one.cu" >"$work/log" 2>&1 || continue
        rm -rf "$work"
        {
            mkdir -p build && printf '%s\n%s\n' "$here" "$options" >"$known.$$" &&
                mv "$known.$$" "$known"
        } 2>/dev/null
        echo "$options"
        return 0
    done
    wrong=$(grep -m 1 -iE 'error|unsupported|not found|no such' "$work/log" ||
        head -n 1 "$work/log")
    rm -rf "$work"
    echo "$1 (CUDA $(release_of "$1")) compiles no kernel with this machine's $(host_compiler)" \
        "and C library (\"${wrong:0:160}\"): install an older g++, for example g++-14, and set" \
        "NVCC_CCBIN=g++-14" >&2
    return 1
}

release_of() { "$1" --version 2>/dev/null | sed -n 's/.*release \([0-9.]*\),.*/\1/p'; }
if [[ ${1:-} == top ]]; then top "$2"; exit 0; fi
if [[ ${1:-} == flags ]]; then flags "$2"; exit; fi
old=
newest=$(printf '%s\n' /usr/local/cuda-*/bin/nvcc | sort -V | tail -n 1)
places=(nvcc "${CUDA_HOME:-}/bin/nvcc" /usr/local/cuda/bin/nvcc "$newest" build/toolkit/bin/nvcc)
if [[ ${NVCC:-} ]]; then places=("$NVCC"); fi
for path in "${places[@]}"; do
    path=$(command -v "$path") || continue
    # nvcc looks for its parts beside the path by which it is called, so a link is resolved first.
    if [[ -L $path && $(realpath "$path") == */nvcc ]]; then path=$(realpath "$path"); fi
    release=$(release_of "$path")
    if [[ ${release%%.*} -ge 12 ]]; then
        if [[ ${1:-} == release ]]; then echo "$release"; else echo "$path"; fi
        exit 0
    fi
    old=${old:-"$path is of CUDA ${release:-unknown}"}
done
[[ ! $old ]] || { echo "$old; 12 or newer is needed" >&2; exit 2; }
exit 1
