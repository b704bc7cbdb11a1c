#!/usr/bin/env bash
# Runs the reference BLAS's level-3 test program (Debian's libblas-test) with libsgemm on the
# simulator as its SGEMM: every transposition, alpha and beta on 17,496 small problems, and wrong
# arguments.
# Only in make test-all.
source "$(dirname "$0")/tap.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
program=${XBLAT3S:-$(ls /usr/lib/*/blas/xblat3s 2>/dev/null | head -n 1)}
if [[ ! -x $program ]]; then
    skip 'the reference BLAS tests SGEMM' 'needs xblat3s, of the package libblas-test'
    exit 0
fi

# Compiles the sources of build/fast/test_library again, as a shared library: the objects of that
# program are not position-independent.
make -s build/fast/test_library >/dev/null 2>&1
sources=$(find common/backend/{sim,backend,error,no_gpu,cublas}.c common/harness/launch_gemm.c \
    sasskit/base sasskit/sim sasskit/model sasskit/isa \
    library/{handle,choose,run,kernels,passing,refuse}.c steps/1[03]_*/step.c tests/sim_device.c \
    tests/blas_shim.c -name '*.c' ! -path '*/programs/*')
# shellcheck disable=SC2086 # a list
if ! ${CC:-cc} -O2 -std=c11 -D_GNU_SOURCE -fPIC -shared -fvisibility=hidden -DSGEMM_BUILD -Icommon \
    -Isasskit -Icommon/harness -Ibuild -Ilibrary -Itests \
    -o "$work/shim.so" $sources build/library/images.o -fopenmp -ldl -lm \
    -pthread >"$work/log" 2>&1; then
    fail 'the reference BLAS tests SGEMM: the shim' "$(tail -n 5 "$work/log")"
    exit 0
fi
sed -E 's/^(S[A-Z0-9]+ +)T /\1F /; s/^(SGEMM +)F /\1T /' "$(dirname "$program")/sblat3.in" \
    >"$work/in"
for method in ${METHODS:-1 2}; do # 1: FP32, 2: tensor cores
    (cd "$work" && SHIM_METHOD=$method LD_PRELOAD=$work/shim.so "$program" <in >"said$method" 2>&1)
    said=$(cat "$work/sblat3.out" "$work/said$method" 2>/dev/null)
    if [[ $said == *'SGEMM  PASSED THE TESTS OF ERROR-EXITS'* &&
        $said == *'SGEMM  PASSED THE COMPUTATIONAL TESTS ( 17496 CALLS)'* ]]; then
        pass "the reference BLAS tests SGEMM, method $method"
    else
        fail "the reference BLAS tests SGEMM, method $method" "$(tail -n 8 <<<"$said")"
    fi
    rm -f "$work/sblat3.out"
done
