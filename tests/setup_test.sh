#!/usr/bin/env bash
# Set-up (tools/setup.sh) names what is missing; for a user without administrator rights it prints
# one line to run. Compiler warnings are errors only on request. The test leaves programs off PATH,
# so that set-up finds them missing.
source "$(dirname "$0")/tap.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

stub() { # NAME LINE...
    rm -f "$work/bin/$1"
    printf '%s\n' '#!/bin/sh' "${@:2}" >"$work/bin/$1"
    chmod +x "$work/bin/$1"
    changed+=("$1")
}

# without NAME...: gives the user, who has no administrator rights, a PATH of $work/bin with all
# programs for which set-up looks, except these. First it undoes the changes of earlier calls, which
# are listed in `changed`; only stub() and without() may change the folder.
IFS=: read -ra folders <<<"$PATH"
mkdir "$work/bin" "$work/all"
for folder in "${folders[@]}"; do cp -sn "$folder"/* "$work/all/" 2>/dev/null; done
cp -P "$work/all"/* "$work/bin/"
changed=()
without() {
    local name
    (cd "$work/bin" && rm -f -- "${changed[@]}")
    for name in "${changed[@]}"; do
        [[ ! -L $work/all/$name ]] || cp -P "$work/all/$name" "$work/bin/"
    done
    changed=()
    for name in $(tools/setup.sh commands); do
        [[ -e $work/bin/$name ]] || stub "$name" 'exit 0'
    done
    (cd "$work/bin" && rm -f -- "$@")
    changed+=("$@")
    stub id 'echo 1000'
    stub apt-get 'echo "apt-get was called" >&2; exit 1'
    stub ldconfig 'echo libopenblas.so.0; echo libcublas.so.13'
}
# without_header TEXT: makes `cc` fail if its source or its arguments contain TEXT.
without_header() {
    stub cc 'text=$(cat)' "case \"\$* \$text\" in *$1*) exit 1 ;; esac" \
        'printf "%s\n" "$text" | exec gcc "$@"'
}
set_up() {
    env -u 'BASH_FUNC_command_not_found_handle%%' PATH="$work/bin" NVCC="$NVCC" tools/setup.sh "$@"
}
one_line_to_run() { [[ $(set_up "$@" 2>/dev/null | grep -c 'sudo apt-get install') == 1 ]]; }

without
said=$(set_up run 2>&1) && [[ ! $said =~ gnuplot|compiler|apt-get\ was ]]
verdict $? 'installed programs are not named as missing' "$said"
without gnuplot
case_is 'without gnuplot: goes on' 0 'going on without the charts (package gnuplot-nox)' set_up run
case_is 'without gnuplot: the line to run' 0 '; sudo apt-get install gnuplot-nox' set_up run
without gcc cc c++ g++ make gnuplot
case_is 'without a compiler: stops' 1 'the C compiler: missing, and needed (package gcc)' set_up run
case_is 'without a compiler: one line for all' 0 '' one_line_to_run run
without
stub gcc "case \$1 in -print-prog-name=cc1plus) echo cc1plus ;; *) exec $(command -v \
    gcc) \"\$@\" ;; esac"
if [[ -d prebuilt ]]; then # a release compiles no kernel
    case_is 'without a C++ compiler: goes on' 0 '' set_up run
else
    case_is 'without a C++ compiler: stops' 1 \
        'the C++ compiler, which nvcc uses: missing, and needed (package g++)' set_up run
fi
without
without_header cmocka.h
case_is 'without cmocka: the unit tests are left out' 0 \
    'going on without the unit tests, which need cmocka (package libcmocka-dev)' set_up test
no_unit_test() {
    make -n run-tests NVCC="$NVCC" CC="$work/bin/cc" | grep 'tests/run.sh' | grep -v build/asan
}
case_is 'without cmocka: the scripts run' 0 tests/setup_test.sh no_unit_test
without
stub cc 'case " $* " in *" -fopenmp "*) exit 1 ;; esac' "exec $(command -v gcc) \"\$@\""
case_is 'without OpenMP: goes on' 0 'going on without OpenMP' set_up run
without pandoc
case_is 'without pandoc: run_all goes on' 0 '' set_up run
case_is 'without pandoc: the line to run for the pages' 0 'sudo apt-get install' set_up site
case_is 'wrong usage' 2 'expected one argument, run, test, fresh, site' set_up
case_is 'lines for other systems' 0 $'\nFedora:         sudo dnf install ' make -s install-deps
case_is 'each with its own names' 0 ' glibc cmocka openblas make patch python-pyflakes python' \
    tools/setup.sh lines
without gnuplot
rm "$work/bin/apt-get"
stub dnf 'exit 1'
case_is 'without gnuplot on Fedora: the line to run' 0 \
    'missing; install with: sudo dnf install gnuplot' set_up run

# Without a network, set-up names the network as the cause and does not try packages one by one.
without gnuplot python3 patch
stub id 'echo 0'
stub apt-get 'echo "$*" >>"${0%/*}/../apt.log"
    case "$*" in *update*) echo "Err:1 http://deb.debian.org Could not resolve" ;; esac; exit 100'
case_is 'without a network: the cause, and useful things may be missing' 0 'Could not resolve' \
    set_up run
[[ $(grep -c install "$work/apt.log") -le 2 ]]
verdict $? 'without a network: no package one by one' "$(cat "$work/apt.log")"
without gnuplot make
stub id 'echo 0'
stub apt-get 'echo "Err:1 http://deb.debian.org Could not resolve"; exit 100'
case_is 'without a network: the cause, and what is needed stops' 1 'Could not resolve' set_up run
without make gnuplot
said=$(set_up run 2>&1)
[[ $said == *'needed (package make)'* && $said != *'going on'* ]]
verdict $? 'what stops does not go on' "$said"

# nvcc refuses compilers and C libraries that are newer than it knows, unless special options are
# set. nvcc.sh finds these options, or says that none helps.
copy_of_tools() {
    rm -rf "$work/place"
    mkdir -p "$work/place"
    cp -r tools "$work/place/"
}
flags_of() {
    copy_of_tools
    "$work/place/tools/nvcc.sh" flags "$@"
}
stub picky 'case "$*" in *-allow-unsupported-compiler*-U_GNU_SOURCE*|*--version*) exit 0 ;; esac' \
    'echo "error -- unsupported GNU version!"; exit 1'
stub broken 'echo "$*" >>"${0%/*}/../nvcc.log"
    echo "#error -- unsupported GNU version! gcc versions later than 15"; exit 1'
case_is 'a compiler that nvcc does not know: the options' 0 \
    '-allow-unsupported-compiler -U_GNU_SOURCE' flags_of "$work/bin/picky"
case_is 'they are kept' 0 '-allow-unsupported-compiler' tail -n 1 "$work/place/build/nvcc.flags"
one_line_is 'a compiler that nothing helps: one sentence' 1 'unsupported GNU version' flags_of \
    "$work/bin/broken"
if [[ -d prebuilt || ! -e /usr/include/x86_64-linux-gnu/bits/mathcalls.h ]]; then
    skip 'the C library of glibc 2.42' 'no nvcc or other headers'
else # declares rsqrt in a copy of this machine's header
    mkdir -p "$work/glibc/bits"
    cp /usr/include/math.h "$work/glibc/"
    cp /usr/include/x86_64-linux-gnu/bits/mathcalls.h "$work/glibc/bits/"
    printf '%s\n' '' '#if __GLIBC_USE (IEC_60559_FUNCS_EXT_C2X)' \
        '__MATHCALL (rsqrt,, (_Mdouble_ __x));' '#endif' >>"$work/glibc/bits/mathcalls.h"
    nvcc=$(command -v "$NVCC")
    # The copied nvcc.sh changes its folder, so nvcc needs an absolute path
    if [[ $nvcc != /* ]]; then nvcc=$PWD/$nvcc; fi
    flags_with_header() { NVCC_PREPEND_FLAGS=-I"$work/glibc" flags_of "$nvcc"; }
    # Some versions of nvcc accept this header without options
    echo '__global__ void one(float *x) { x[threadIdx.x] = 1.0f; }' >"$work/one.cu"
    if "$nvcc" -std=c++17 -I"$work/glibc" -cubin -arch=sm_90 -o "$work/one.cubin" \
        "$work/one.cu" 2>/dev/null; then
        skip 'the C library of glibc 2.42: the options' 'this nvcc takes that header as it is'
    else
        case_is 'the C library of glibc 2.42: the options' 0 '-U_GNU_SOURCE' flags_with_header
    fi
    mkdir "$work/newer"
    cp -r Makefile mk common sasskit library exercises web tools steps tests "$work/newer/"
    case_is 'the C library of glibc 2.42: a kernel' 0 '' env NVCC_PREPEND_FLAGS=-I"$work/glibc" \
        make -s -j2 -C "$work/newer" NVCC="$nvcc" build/cubin/sm_90/01_naive/coalesced.cubin
    case_is 'nvcc by its name in build/' 0 '' env NVCC_PREPEND_FLAGS=-I"$work/glibc" NVCC="$nvcc" \
        "$work/newer/build/nvcc" -cubin -arch=sm_90 -o "$work/a.cubin" steps/01_naive/kernel.cu
fi

unknown=$(sed -n '/^other_names/,/^}/s/^\([a-z0-9+-]*\) [^ ]* [^ ]* [^ ]*$/\1/p' tools/setup.sh |
    grep -vxF "$(tools/setup.sh packages)")
[[ ! $unknown ]]
verdict $? 'no name without a package' "$unknown"
case_is 'make test sets up first' 0 'tools/setup.sh test' make -n test

# A source that makes the compiler warn.
mkdir -p "$work/tree/sasskit/isa"
cp -r Makefile mk common sasskit library exercises web tools steps tests "$work/tree/"
echo 'static int nobody_uses_this;' >>"$work/tree/sasskit/isa/lines.c"
object=build/obj/sasskit/isa/lines.o
case_is 'a warning is no error by default' 0 'nobody_uses_this' make -s -C "$work/tree" STRICT= \
    $object
rm "$work/tree/$object"
case_is 'a warning is an error in the checks' 2 'nobody_uses_this' make -s -C \
    "$work/tree" STRICT=1 $object

# The system headers that the project's sources include belong to packages that set-up names or to
# their dependencies. The compiler's own headers, and headers that dpkg does not know, are left out.
grep -rhoE --include=*.[ch] '^ *# *include <[^>]+>' common sasskit library steps tests exercises \
    --exclude-dir=fuzz --exclude-dir=corpus |
    grep -vE '<(cuda|immintrin)' | sort -u >"$work/all.c"
"$CC" -D_GNU_SOURCE -E -M -MG "$work/all.c" | tr -s ' \\' '\n' | grep '^/usr/include/' |
    xargs realpath | xargs dpkg-query -S 2>/dev/null |
    sed -n 's/: \/.*//p' | tr -s ', ' '\n' | sed 's/:.*//' | sort -u >"$work/owners"
if [[ ! -s $work/owners ]]; then
    skip 'headers are of named packages' 'dpkg does not know whose they are'
elif strangers=$(grep -vxFf <(tests/named.sh --packages) "$work/owners"); then
    fail 'headers are of named packages' "$strangers"
else
    pass 'headers are of named packages'
fi

# Fetches a toolkit in a copy of the tools. An index on this machine has a small wheel in place of
# NVIDIA's.
needs 'a toolkit of our own' python3 g++ || exit 0
tools=$work/own/tools own=$work/own/build/toolkit
mkdir -p "$tools" "$work/index/nvidia-cuda-nvcc"
cp tools/*.* "$tools"
python3 - "$work/index/nvidia-cuda-nvcc" "$tools/toolkit.txt" <<'PYTHON'
import hashlib, pathlib, platform, sys, zipfile
folder = pathlib.Path(sys.argv[1])
name = f"nvidia_cuda_nvcc-13.0.88-py3-none-manylinux_2_17_{platform.machine()}.whl"
with zipfile.ZipFile(folder / name, "w") as wheel:
    program = zipfile.ZipInfo("nvidia/cu13/bin/nvcc")
    program.external_attr = 0o755 << 16
    wheel.writestr(program, "#!/bin/sh\necho 'release 13.0, '\n")
    wheel.writestr("nvidia/cu13/include/cuda.h", "")
(folder / "index.html").write_text(f'<a href="{name}#sha256=0">other</a>')
digest = hashlib.sha256((folder / name).read_bytes()).hexdigest()
pathlib.Path(sys.argv[2]).write_text(f"{digest}  {name}\n")
PYTHON
python3 -u - "$work/index" >"$work/port" 2>/dev/null <<'PYTHON' &
import functools, http.server, sys
handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=sys.argv[1])
server = http.server.HTTPServer(("127.0.0.1", 0), handler)
print(server.server_port)
server.serve_forever()
PYTHON
server=$!
trap 'kill $server; rm -rf "$work"' EXIT
until [[ -s $work/port ]]; do
    kill -0 $server || break
    sleep 0.1
done
own_tool() { (
    unset CUDA_HOME
    no_proxy='*' PIP_INDEX_URL=http://user:secret@127.0.0.1:$(<"$work/port") "$@"
); }
# This index uses HTTP, so any file of certificates does; set-up requires one that is not empty
none() {
    PATH=$work/bin NVCC=$work/none SSL_CERT_FILE=$tools/setup.sh own_tool "$tools/setup.sh" run
}
in_vain() { ! none >/dev/null 2>&1 && [[ ! -e $own ]]; }
twice() {
    own_tool python3 "$tools/toolkit.py" toolkit &
    own_tool python3 "$tools/toolkit.py" toolkit && wait $!
}

without
stub old_nvcc 'echo "Cuda compilation tools, release 11.8, V11.8.89"'
case_is 'an old nvcc: told in one line, without a toolkit' 1 \
    '/old_nvcc is of CUDA 11.8; 12 or newer is needed' \
    env NVCC="$work/bin/old_nvcc" TOOLKIT=no tools/setup.sh run
TOOLKIT=no one_line_is 'a toolkit declined' 1 \
    'no nvcc on PATH or in /usr/local/cuda*/bin: install the CUDA toolkit' none
cp "$tools/toolkit.txt" "$work/right.txt"
sed -i 's/^./g/' "$tools/toolkit.txt"
case_is 'a wheel that is not the one: told' 1 'is not the file that tools/toolkit.txt names' none
case_is 'a wheel that is not the one: no toolkit' 0 '' in_vain
cp "$work/right.txt" "$tools/toolkit.txt"
case_is 'two set-ups at once make one toolkit' 0 '' twice
case_is 'the fetched toolkit has an nvcc' 0 'release 13.0' "$own/bin/nvcc"
rm -rf "$own" "$own.part"; mkdir "$own.part"; touch "$own.part/half"
case_is 'set-up says what it fetches, and by what licence' 0 "under NVIDIA's licence" none
case_is 'a half-fetched toolkit is removed' 0 toolkit ls "$work/own/build"
case_is 'the toolkit beside it stays complete' 0 '' test -e "$own/include/cuda.h"
