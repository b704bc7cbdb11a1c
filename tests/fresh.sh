#!/usr/bin/env bash
# Runs the README's two commands on fresh machines: root file systems of Debian 12 and 13 with the
# last commit, where set-up fetches a CUDA toolkit. Some roots use this machine's toolkit, which
# they cannot change, or Debian's. Nothing outside the roots is changed.
#
#     tests/fresh.sh                           an archive as root on 13, a release without CUDA
#                                              on 12, set-up's messages to a user
#     tests/fresh.sh full [SUITE [PART...]]    everything, or: SUITE bookworm or trixie; PART root,
#                                              archive, user, release, distribution, compilers,
#                                              sasskit
#
# TESTS='tests/docs_test.sh ...' in the environment limits what `make test` runs inside; without it
# the short form runs one test and the full form all. Prints TAP, so `tests/run.sh tests/fresh.sh`
# counts it. Packages come through this machine's apt configuration.
# It skips, with the reason, where roots cannot be made: no root rights, mmdebstrap, mounts or
# mirror. Exit status: 0 nothing failed, 1 something failed, 2 wrong usage.
# Only in make test-all.
source "$(dirname "$0")/tap.sh"
PATH=${WHOLE_PATH:-$PATH} # PATH before named.sh, which keeps what set-up's `run` and `test` name

form=${1:-short} suites=${2:-bookworm trixie}
[[ $form == short && $# -le 1 || $form == full ]] &&
    [[ " bookworm trixie bookworm " == *" $suites "* ]] ||
    {
        echo 'tests/fresh.sh: expected nothing, or full [bookworm|trixie [PART...]]' >&2
        exit 2
    }
parts=${*:3}
parts=${parts:-root archive user release distribution compilers sasskit}
tests=${TESTS:-}
if [[ $form == short ]]; then tests=${tests:-tests/hand_test.sh tests/setup_test.sh}; fi
declare -A debian=([bookworm]='Debian 12' [trixie]='Debian 13')
declare -A compilers=([bookworm]='gcc-12 clang-14 clang-15 clang-16'
    [trixie]='gcc-13 gcc-14 clang-17 clang-18 clang-19')

# --- roots
nothing() { skip "fresh machines" "$1"; exit 0; }
[[ $(id -u) == 0 ]] || nothing 'empty roots can be made by root only'
tools/setup.sh fresh >/dev/null 2>&1
command -v mmdebstrap >/dev/null || nothing 'mmdebstrap is not installed'
unshare --mount --propagation private mount -t tmpfs none /mnt 2>/dev/null ||
    nothing 'file systems cannot be mounted here'
nvcc=$(tools/nvcc.sh) && toolkit=$(realpath -- "$(tools/nvcc.sh top "$nvcc")") || toolkit=
work=$(mktemp -d) failures=0
trap 'rm -rf --one-file-system "$work"' EXIT

# make_base SUITE: makes the empty root $work/SUITE.tar with this machine's mirror and proxy.
make_base() {
    local mirror
    mkdir -p "$work/packages-$1"
    apt-config dump | grep -iE '^Acquire::(http|https|Check|Retries|Force)' >"$work/apt.conf"
    # shellcheck disable=SC2016 # the format is apt's
    mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Origin: Debian' \
        'Label: Debian' 2>/dev/null | head -n 1)
    mmdebstrap --quiet --variant=apt --aptopt="$work/apt.conf" "$1" "$work/$1.tar" \
        ${mirror:+"$mirror"} >"$work/base.log" 2>&1 ||
        nothing "no root of $1: $(tail -n 1 "$work/base.log")"
}

# Settings that let set-up reach PyPI through this machine.
certificates=${SSL_CERT_FILE:-/etc/ssl/certs/ca-certificates.crt}
way=(PIP_INDEX_URL="${PIP_INDEX_URL:-}" https_proxy="${https_proxy:-}")
if [[ -e $certificates ]]; then way+=(SSL_CERT_FILE=/etc/ssl/this-machine.crt); fi

# new_root NAME SUITE: unpacks a root and adds a user without administrator rights.
new_root() {
    root=$work/$1 suite=$2 where="${debian[$2]}, ${1#*-}"
    mkdir "$root"
    tar -C "$root" -xpf "$work/$2.tar"
    cp -L /etc/resolv.conf "$root/etc/"
    echo 'student:x:1000:1000::/home/student:/bin/bash' >>"$root/etc/passwd"
    echo 'student:x:1000:' >>"$root/etc/group"
    mkdir -p "$root/home/student" "$root/usr/local/cuda" "$root/etc/ssl"
    cp -L "$certificates" "$root/etc/ssl/this-machine.crt" 2>/dev/null
}
end_root() { rm -rf --one-file-system "$root"; }

# inside USER COMMAND: runs COMMAND with bash in the root, in the project's folder if it exists.
# Mounts last as long as the command.
cuda=
inside() {
    # shellcheck disable=SC2016 # the inner shell expands it
    unshare --mount --propagation private bash \
        -c 'root=$1 user=$2 command=$3 cuda=$4 packages=$5; shift 5
        mount -t proc proc "$root/proc" &&
            mount --bind "$packages" "$root/var/cache/apt/archives" || exit 1
        if [[ $cuda ]]; then
            mount --bind "$cuda" "$root/usr/local/cuda" &&
                mount -o remount,bind,ro "$root/usr/local/cuda" || exit 1
        fi
        home=/root; if [[ $user != root ]]; then home=/home/$user; fi
        exec chroot --userspec="$user" "$root" env -i HOME="$home" USER="$user" LANG=C.UTF-8 \
            "$@" PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin \
            bash -c "cd \$HOME/sgemm 2>/dev/null || cd; $command"' \
        _ "$root" "$1" "$2" "$cuda" "$work/packages-$suite" "${way[@]}" </dev/null
}
add() {
    inside root "apt-get update &&
        DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $*" \
        >"$work/log" 2>&1
}

# expect NAME USER STATUS TEXT COMMAND: checks the exit status and a part of the output, which stays
# in $work/said.
expect() {
    local got=0 began=$SECONDS
    inside "$2" "$5" >"$work/said" 2>&1 || got=$?
    if [[ $got == "$3" && $(<"$work/said") == *"$4"* ]]; then
        pass "$where: $1 ($((SECONDS - began)) s)"
    else
        fail "$where: $1" "$5" "exit status $got, expected $3, and to read: $4" \
            "$(grep -A 12 'not ok' "$work/said" | head -n 80)" "$(tail -n 20 "$work/said")"
        failures=$((failures + 1))
    fi
}
told() { # NAME: passes if the last command's output has exactly one line with apt-get install
    local lines
    lines=$(grep -c 'sudo apt-get install' "$work/said")
    if [[ $lines == 1 ]]; then pass "$where: $1"; else
        fail "$where: $1" "$lines lines to run"
        failures=$((failures + 1))
    fi
}
follow() {
    inside root "$(sed -n \
        's/sudo //g; s/apt-get install/& -y --no-install-recommends/;
        s/^missing; install with: //p' "$work/said")" >"$work/log" 2>&1
}

make_test() { # NAME USER OPTION...: runs make test and prints its counts and skips
    expect "$1" "$2" 0 ' 0 failed' "make test ${*:3} ${tests:+TESTS='$tests'}"
    sed -n '/# SKIP/p; $p' "$work/said" | sed 's/^ */# /'
}

clone() { # USER
    local home=$root/root
    if [[ $1 != root ]]; then home=$root/home/$1; fi
    git clone -q --no-hardlinks . "$home/sgemm" && {
        [[ $1 == root ]] || chown -R 1000:1000 "$root/home/$1"
    }
}

# --- what people do
root() { # SUITE: a clone, as root, with this machine's toolkit
    local cuda=$toolkit
    new_root "$1-root" "$1"
    add git
    clone root
    expect 'a clone: run_all.sh' root 0 'make exercise EX=01c' './run_all.sh --quick'
    expect 'the second run finds nothing missing' root 1 '' 'tools/setup.sh run | grep .'
    make_test 'make test' root STRICT=1
    end_root
}

archive() { # SUITE: an archive without git. Leaves the release in $work.
    new_root "$1-archive" "$1"
    add make
    mkdir "$root/root/sgemm"
    git archive HEAD | tar -C "$root/root/sgemm" -xf -
    make_test 'make test by itself' root
    expect 'the archive knows its commit' root 0 "$(git rev-parse --short HEAD)" 'tools/commit.sh'
    expect 'run_all.sh' root 0 'make exercise EX=01c' './run_all.sh --quick'
    expect 'make release' root 0 ' kernels' 'make release'
    cp "$root"/root/sgemm/build/sgemm-*.tar.gz "$work/release.tar.gz"
    end_root
}

# A user without administrator rights gets one line to run; after it both commands work. In the full
# form each optional program is then removed in turn.
user() { # SUITE
    local taken
    new_root "$1-user" "$1"
    add git
    clone student
    expect 'run_all.sh where everything is missing' student 1 \
        'the C compiler: missing, and needed' './run_all.sh --quick'
    told 'is told one line'
    [[ $form == full ]] || { end_root; return; }
    follow
    expect 'with that, run_all.sh' student 0 'make exercise EX=01c' './run_all.sh --quick'
    expect 'make test without cmocka' student 0 'going on without the unit tests' \
        'make test TESTS=tests/usage_test.sh'
    told 'is told one line for it'
    add libcmocka-dev
    make_test 'make test without clang-format' student
    for taken in gnuplot-nox python3 'libopenblas0*'; do
        inside root "apt-get purge -y '$taken' && apt-get autoremove -y" >"$work/log" 2>&1
        expect "without $taken" student 0 'going on without' \
            "./run_all.sh --quick --fresh '${taken%%[0-9]*}'"
    done
    inside root 'rm -f /usr/lib/gcc/*/*/libgomp.*'
    expect 'without OpenMP and all of these' student 0 'going on without OpenMP' \
        'rm -rf build/obj; ./run_all.sh --quick none'
    end_root
}

release() { # SUITE: a release without CUDA, for a user who runs the printed line
    [[ -e $work/release.tar.gz ]] || { skip "${debian[$1]}: release" 'none was made'; return; }
    new_root "$1-release" "$1"
    mkdir "$root/home/student/sgemm"
    tar -C "$root/home/student/sgemm" --strip-components=1 -xzf "$work/release.tar.gz"
    chown -R 1000:1000 "$root/home/student"
    expect 'run_all.sh where everything is missing' student 1 \
        'the C compiler: missing, and needed' './run_all.sh --quick'
    told 'is told one line'
    follow
    expect 'gcc alone, no g++, no nvcc' student 1 '' 'command -v g++ nvcc'
    expect 'run_all.sh' student 0 'make exercise EX=01c' './run_all.sh --quick'
    expect 'the kernels that the quick run leaves out' student 0 '' \
        'make build/07_z_order build/00_machine'
    expect 'counts' student 0 'z_order' \
        'build/ladder --step 07 --size 128 --counters counts.csv && cat counts.csv'
    expect 'machine code as text' student 0 'FFMA' \
        'build/sass dis build/cubin/sm_90/07_z_order/z_order.cubin'
    expect 'lint' student 0 '0 hazards' \
        'build/sass lint build/cubin/sm_90/08_double_buffer/wide.cubin'
    expect 'a kernel in machine code' student 0 '' \
        'build/sass asm steps/09_reuse_sass/hand.sass -D TN=8 -D WARPS_N=4 -o my.cubin'
    expect 'reuse' student 0 '' \
        'build/sass reuse build/cubin/sm_90/08_double_buffer/wide.cubin -o w.cubin'
    expect 'the microbenchmarks' student 0 '' 'build/00_machine --backend sim'
    expect 'the GPU is said to be out of reach' student 77 'built without the CUDA toolkit' \
        'build/ladder --backend gpu --step 01 --size 8'
    make_test 'make test of what a release has' student
    expect 'an edited kernel is not passed over' student 2 'there is no nvcc to compile it' \
        'echo >>steps/07_z_order/kernel.cu; make'
    end_root
}

# Debian's toolkit: another version than 13.0 is used; one that is too old is replaced by a fetched
# one.
distribution() { # SUITE
    new_root "$1-distribution" "$1"
    inside root "sed -i 's/\\bmain\$/main contrib non-free/
        s/^Components: main\$/& contrib non-free/' \
        /etc/apt/sources.list /etc/apt/sources.list.d/*" >"$work/log" 2>&1
    add git make nvidia-cuda-toolkit
    clone root
    expect 'run_all.sh' root 0 'make exercise EX=01c' './run_all.sh --quick'
    expect 'the GPU backend is built' root 0 '' 'test -x build/gpurun'
    make_test 'make test' root
    end_root
}

compilers() { # SUITE: compiles common, sasskit, steps, tests (no fuzzers) with Debian's compilers
    local cuda=$toolkit cc \
        flags='-std=c11 -D_GNU_SOURCE -Wall -Wextra -Wpedantic -Wno-unused-parameter -Werror -O3'
    flags+=' -Icommon -Isasskit -Icommon/harness -Ibuild -Itests -Isasskit/tests'
    flags+=' -isystem /usr/local/cuda/include'
    new_root "$1-compilers" "$1"
    # shellcheck disable=SC2086 # one package a word
    add git make g++ libc6-dev libcmocka-dev ${compilers[$1]} # g++ is for nvcc
    clone root
    inside root 'mkdir build && echo "#define COMMIT \"here\"" >build/commit.h'
    for cc in ${compilers[$1]}; do
        case $cc in gcc*) openmp=-fopenmp ;; *) openmp=-Wno-unknown-pragmas ;; esac
        expect "$cc" root 0 'all compiled' \
            "find common sasskit steps tests -name '*.c' ! -path '*/fuzz/*' -print0 |
            xargs -0 -n 1 -P \$(nproc) $cc $flags $openmp -c -o /dev/null && echo all compiled"
    done
    expect "$cc builds the programs" root 0 '01_naive' \
        "make -s -j\$(nproc) STRICT=1 CC=$cc build/ladder && build/ladder --list"
    end_root
}

# sasskit with gcc and make alone, and its programs installed elsewhere. The build takes at most
# 40 s of CPU time, 20 s on two idle cores.
sasskit() { # SUITE
    new_root "$1-sasskit" "$1"
    add gcc libc6-dev make
    mkdir "$root/root/sgemm"
    git archive HEAD | tar -C "$root/root/sgemm" -xf -
    expect 'gcc and make, no g++, no nvcc, no Python' root 1 '' 'command -v g++ nvcc python3'
    expect 'make sasskit' root 0 processor \
        'TIMEFORMAT="%U s of a processor"; time make -s -j$(nproc) sasskit'
    if awk '/ s of a processor$/ { good = $1 <= 40 } END { exit !good }' "$work/said"; then
        pass "$where: make sasskit: $(tail -n 1 "$work/said")"
    else
        fail "$where: make sasskit takes at most 40 s of a processor" "$(tail -n 1 "$work/said")"
        failures=$((failures + 1))
    fi
    expect 'its tests' root 0 ', 0 failed, ' 'make -s test-sasskit'
    expect 'it knows no cuBLAS and no NCCL' root 1 0 'strings build/sass | grep -ciE "cublas|nccl"'
    expect 'it is installed' root 0 /opt/kit/bin \
        'make -s install-sasskit PREFIX=/opt/kit && mv ~/sgemm ~/away'
    expect 'it works in any folder' root 0 'saxpy: 0 hazards' \
        'mkdir /tmp/here && cd /tmp/here &&
        /opt/kit/bin/sass asm ~/away/sasskit/tests/assembler/saxpy.sass -o a.cubin &&
        /opt/kit/bin/sass lint a.cubin && /opt/kit/bin/simrun a.cubin --grid 4 --block 256 \
            --arg i32:1000 --arg f32:2 --arg f32[1000]:random:1 --arg f32[1000]:random:2 --time'
    end_root
}

# --- which
for suite in $suites; do make_base "$suite"; done
if [[ $form == short ]]; then
    archive trixie
    release bookworm
    user bookworm
else
    for suite in $suites; do
        for part in $parts; do $part "$suite"; done
    done
fi
[[ $failures == 0 ]]
