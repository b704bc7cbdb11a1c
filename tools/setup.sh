#!/usr/bin/env bash
# Finds what is missing on this machine. As root on Debian or Ubuntu it installs the missing
# packages from the distribution. If there is no CUDA toolkit, tools/toolkit.py makes one in
# build/toolkit, unless TOOLKIT=no is set.
#
#     tools/setup.sh run        for run_all.sh: compilers, make, CUDA toolkit, Python, gnuplot,
#                               OpenBLAS
#     tools/setup.sh test       for `make test`: also cmocka, clang-format, cmark-gfm, pyflakes
#     tools/setup.sh fresh      for tests/fresh.sh: also mmdebstrap
#     tools/setup.sh site       for `make site` and its tests: also pandoc, clang for WebAssembly,
#                               node, browsers
#     tools/setup.sh lines      prints the lines that install all of `run` and `test` on Debian,
#                               Ubuntu, Fedora, Arch and with conda
#     tools/setup.sh packages   prints the packages of `run` and `test`
#     tools/setup.sh commands   prints the commands that packages bring
#
# If nothing is missing, it prints nothing and needs no network. Where it may not install, it prints
# the line to run. A release (tools/release.sh) has compiled kernels and needs neither nvcc nor a
# C++ compiler.
# Exit status: 0 go on (useful programs may be missing; they are named), 1 a needed program is
# missing, 2 wrong usage, 130 stopped.
# shellcheck disable=SC2317 # the has_... functions are called by name, from the rows of wanted
set -euo pipefail
export LC_ALL=C
PATH=$PATH:/usr/sbin:/sbin

mode=${1:-}
cd "$(dirname "${BASH_SOURCE[0]}")/.."
[[ $# == 1 && $mode =~ ^(run|test|fresh|site|lines|packages|commands)$ ]] ||
    {
        echo "tools/setup.sh: expected one argument, run, test, fresh, site, lines, packages or" \
            "commands" >&2
        exit 2
    }
source tools/elapsed.sh

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
exec {people}>&2 # a trap may run while stderr is redirected
stop() {
    printf '\nStopped. Run the same command again to go on.\n' >&"$people"
    exit 130
}
trap stop INT TERM

has_command() { command -v "$1" >/dev/null; }
has_file() { [[ -e $1 ]]; }
has_header() {
    printf '#include <%s>\n' stdarg.h stddef.h stdint.h setjmp.h "$1" | cc -E - >/dev/null 2>&1
}
has_library() { ldconfig -p 2>/dev/null | grep "$1" >/dev/null; }
has_openmp() {
    echo 'int main(void) { return 0; }' | cc -fopenmp -x c - -o "$work/openmp" 2>/dev/null
}
has_pyflakes() { has_command pyflakes3 || has_command pyflakes; }
has_debian_keys() { has_file /usr/share/keyrings/debian-archive-keyring.gpg; }
has_wasm_runtime() {
    ls /usr/lib/llvm-*/lib/clang/*/lib/wasi/libclang_rt.builtins-wasm32.a >/dev/null 2>&1
}
compiles_kernels() { [[ ! -d prebuilt ]]; }
has_cplusplus() {
    ! compiles_kernels || { has_command gcc && [[ $(gcc -print-prog-name=cc1plus) == */* ]]; }
}
has_nvcc() { ! compiles_kernels || tools/nvcc.sh >/dev/null 2>&1; }
# True if cuBLAS is where common/backend/cublas.c looks for it, or if there is no GPU to use it.
has_baseline() {
    local folder
    ! has_command nvidia-smi || ! nvidia-smi -L >/dev/null 2>&1 ||
        has_library 'libcublas\.so\.1[23]' && return
    for folder in ${LD_LIBRARY_PATH:+${LD_LIBRARY_PATH//:/ }} \
        "${CUDA_HOME:-/usr/local/cuda}/lib64" /usr/local/cuda/lib64 build/cublas/lib; do
        ! compgen -G "$folder/libcublas.so.1[23]" >/dev/null || return 0
    done
    return 1
}
declined() { [[ ${TOOLKIT:-} == no ]]; }
has_python() {
    has_nvcc || declined || {
        has_command python3 && python3 -c 'import ssl, zipfile, configparser' 2>/dev/null
    }
}
has_certificates() {
    has_nvcc || declined || [[ -s ${SSL_CERT_FILE:-} ]] ||
        compgen -G '/etc/ssl/certs/*' >/dev/null || compgen -G '/etc/pki/tls/certs/*' >/dev/null
}

# wanted: prints one row per program: when it is used, whether it is needed, its package, its
# purpose, and the function that returns 0 if it is there.
wanted() {
    cat <<'ROWS'
run|needed|gcc|the C compiler|has_command cc
run|needed|libc6-dev|the C library's headers|has_header stdio.h
run|needed|g++|the C++ compiler, which nvcc uses|has_cplusplus
run|needed|make|make|has_command make
run|needed|python3|Python, which fetches a CUDA toolkit|has_python
run|needed|ca-certificates|certificates, for fetching a CUDA toolkit|has_certificates
run|useful|gcc|OpenMP|has_openmp
run|useful|libopenblas0|a fast float64 reference|has_library libopenblas.so.0
run|useful|python3|the charts and the tables of results|has_command python3
run|useful|gnuplot-nox|the charts|has_command gnuplot
run|useful|patch|the keys of the exercises|has_command patch
test|useful|libcmocka-dev|the unit tests, which need cmocka|has_header cmocka.h
test|useful|clang-format|the test of the code's layout|has_command clang-format
test|useful|cmark-gfm|the test of the rendered pages|has_command cmark-gfm
test|useful|pyflakes3|the test of the Python programs|has_pyflakes
fresh|useful|mmdebstrap|empty roots of Debian|has_command mmdebstrap
fresh|useful|debian-archive-keyring|Debian's keys|has_debian_keys
site|useful|pandoc|the pages for a browser|has_command pandoc
site|useful|esbuild|the pages for a browser|has_command esbuild
site|useful|clang|kernels that run in the pages|has_command clang
site|useful|lld|kernels that run in the pages|has_command wasm-ld
site|useful|binaryen|smaller modules for them|has_command wasm-opt
site|useful|wasi-libc|kernels that run in the pages|has_file /usr/include/wasm32-wasi/stdio.h
site|useful|libclang-rt-dev-wasm32|kernels that run in the pages|has_wasm_runtime
site|useful|nodejs|the tests of the pages|has_command node
site|useful|node-typescript|the test of the pages' types|has_command tsc
site|useful|chromium|the tests of the pages in Chromium|has_command chromium
site|useful|firefox-esr|the tests of the pages in Firefox|has_command firefox-esr
site|useful|webkit2gtk-driver|the tests of the pages in WebKit|has_command WebKitWebDriver
site|useful|xvfb|the tests of the pages in WebKit|has_command Xvfb
ROWS
}

# other_names: prints for packages of Debian the names on Fedora, Arch and conda-forge. A "-" means
# that there is no such package, or that programs outside conda do not find what it installs.
other_names() {
    cat <<'ROWS'
libc6-dev glibc-devel glibc -
g++ gcc-c++ gcc gxx
python3 python3 python python
libopenblas0 openblas-serial openblas -
gnuplot-nox gnuplot gnuplot gnuplot
libcmocka-dev libcmocka-devel cmocka cmocka
clang-format clang-tools-extra clang clang-format
cmark-gfm - - -
pyflakes3 python3-pyflakes python-pyflakes pyflakes
ROWS
}

# line_for MANAGER PACKAGE...: prints MANAGER's command that installs these packages, which have
# Debian's names here.
line_for() {
    local column=0 command='sudo apt-get update; sudo apt-get install' row package packages=()
    local -A name=() seen=()
    case $1 in
        dnf) column=1 command='sudo dnf install' ;;
        pacman) column=2 command='sudo pacman -S --needed' ;;
        conda) column=3 command='conda install -c conda-forge' ;;
    esac
    while read -ra row; do name[${row[0]}]=${row[column]}; done < <(other_names)
    for package in "${@:2}"; do
        package=${name[$package]:-$package}
        [[ $package == - || ${seen[$package]:-} ]] || packages+=("$package")
        seen[$package]=yes
    done
    echo "$command ${packages[*]}"
}

missing() { # prints the rows of missing programs
    local when need package purpose question
    while IFS='|' read -r when need package purpose question; do
        [[ $when == run || $when == "$mode" ]] || continue
        $question || echo "$need|$package|$purpose"
    done < <(wanted)
}

# apt-get with short time limits, so that without a network it fails in seconds, not minutes.
apt() {
    DEBIAN_FRONTEND=noninteractive apt-get -o Acquire::Retries=1 -o Acquire::http::Timeout=15 \
        -o Acquire::https::Timeout=15 "$@"
}
apt_install() { apt install -y --no-install-recommends "$@" >"$work/log" 2>&1; }

install() { # packages
    local ticking
    echo "installing: $*"
    exec {ticking}> >(elapsed '   ')
    fetch_packages "$@" {ticking}>&- || true
    exec {ticking}>&-
    wait $! 2>/dev/null || true
    if [[ -s $work/wrong ]]; then cat "$work/wrong" >&2; fi
}

# fetch_packages PACKAGE...: installs as many of them as it can; writes errors to $work/wrong.
fetch_packages() {
    local package why
    apt_install "$@" && return
    # The lists of packages may be old. Without a network neither new lists nor packages can be
    # fetched.
    if ! apt update >"$work/log" 2>&1 ||
        grep -qE '^(W|E): (Failed to fetch|Some index files failed)' "$work/log"; then
        why=$(grep -m 1 -E '^(W|E): Failed to fetch' "$work/log" ||
            grep -m 1 -E '^(Err|E|W):' "$work/log")
        if ! apt_install "$@"; then
            echo "tools/setup.sh: no packages can be fetched (apt-get update: ${why:-it failed}):" \
                "connect this machine to the network," \
                "or give it a mirror in /etc/apt, and run this again" >>"$work/wrong"
            return
        fi
    fi
    apt_install "$@" && return
    # One by one, so that a package that this distribution lacks does not prevent the others.
    for package in "$@"; do
        apt_install "$package" ||
            echo "tools/setup.sh: apt-get could not install $package: $(tail -n 1 "$work/log")" \
                >>"$work/wrong"
    done
}

# agreed QUESTION: asks at a terminal; the answer is yes after a minute, or without a terminal.
agreed() {
    local answer=
    [[ -t 0 && -t 1 ]] || return 0
    read -r -t 60 -p "$1 [Y/n, yes after a minute] " answer || echo
    [[ $answer != [nN]* ]]
}

# Makes a CUDA toolkit in build/toolkit, unless a needed program is missing. Fails if that was
# declined or went wrong.
get_nvcc() {
    local old rc=0
    old=$(tools/nvcc.sh 2>&1) || true
    if ! declined && [[ $status != 0 ]]; then return 0; fi # reported already
    if ! declined; then
        echo "${old:-no CUDA toolkit}: nvcc 13.0 is fetched into build/toolkit" \
            "(105 MB from PyPI, 270 MB on disk)"
        echo "under NVIDIA's licence, https://docs.nvidia.com/cuda/eula; TOOLKIT=no declines"
        agreed 'Accept the licence and fetch it?' || TOOLKIT=no
    fi
    if declined; then
        echo "tools/setup.sh: ${old:-no nvcc on PATH or in /usr/local/cuda*/bin}: install" \
            "the CUDA toolkit, 12 or 13," \
            "from https://developer.nvidia.com/cuda-downloads; without it \`make sasskit\` builds" \
            "the assembler and the simulator," \
            "and \`make exercises\` lists the exercises that need no nvcc" >&2
        return 1
    fi
    python3 tools/toolkit.py toolkit || rc=$?
    case $rc in
        0) ;;
        130) stop ;;
        *) echo "tools/setup.sh: kernels are compiled by a CUDA toolkit: remove the cause and run" \
            "this again, or install one, 12 or 13," \
            "from https://developer.nvidia.com/cuda-downloads" >&2 ;;
    esac
    return $rc
}

packages() { wanted | sed -nE 's/^(run|test)\|[a-z]*\|([^|]*).*/\2/p' | sort -u; }
case $mode in
    packages) packages; exit ;;
    lines)
        for name in 'Debian, Ubuntu: apt' 'Fedora: dnf' 'Arch: pacman' 'conda: conda'; do
            # shellcheck disable=SC2046 # one package a word
            printf '%-16s%s\n' "${name% *}" "$(line_for "${name##* }" $(packages))"
        done
        exit ;;
    commands) wanted | sed -n 's/.*|has_command //p' | sort -u; exit ;;
esac
rows=$(missing)
if [[ $rows ]]; then
    mapfile -t packages < <(cut -d'|' -f2 <<<"$rows" | sort -u)
    if has_command apt-get && [[ $(id -u) == 0 ]]; then
        install "${packages[@]}"
        rows=$(missing)
    else
        manager=
        for name in pacman dnf apt-get; do if has_command $name; then manager=$name; fi; done
        if [[ $manager ]]; then
            echo "missing; install with: $(line_for "$manager" "${packages[@]}")"
        else
            echo "missing; install with this system's package manager (Debian's names):" \
                "${packages[*]}"
        fi
    fi
fi

# A missing needed program is an error, status 1. Missing useful programs are named only if no
# needed program is missing.
status=0
while IFS='|' read -r need package purpose; do
    [[ $need == needed ]] || continue
    echo "tools/setup.sh: $purpose: missing, and needed (package $package)" >&2
    status=1
done <<<"$rows"
if [[ $status == 0 ]]; then
    sed -nE 's/^useful\|([^|]*)\|(.*)/going on without \2 (package \1)/p' <<<"$rows"
fi
if [[ $mode == site ]]; then
    python3 tools/toolkit.py codemirror ||
        echo "going on without the editor of the pages (CodeMirror): machine code is plain text"
    python3 tools/toolkit.py axe || echo "going on without the test of accessibility (axe-core)"
    python3 tools/toolkit.py oxlint ||
        echo "going on without the linter of the pages' scripts (oxlint)"
fi
if ! has_nvcc; then get_nvcc || status=1; fi
# Compiles one kernel, so that an nvcc that rejects this machine's compiler or C library is reported
# now and not during the build.
if [[ $status == 0 ]] && compiles_kernels && nvcc=$(tools/nvcc.sh); then
    tools/nvcc.sh flags "$nvcc" >/dev/null || status=1
fi
if [[ $mode == run ]] && ! has_baseline; then
    echo "going on without cuBLAS, the baseline on a GPU: python3 tools/toolkit.py cublas" \
        "fetches it (420 MB, under NVIDIA's licence)"
fi
exit $status
