# The properties of this machine: CUDA's compiler and headers, GPUs, abilities of the C compiler,
# free space on the disk.
$(if $(filter-out help,$(or $(MAKECMDGOALS),all)),$(if $(shell test -w build || \
    { test ! -e build && test -w .; } && echo yes),,\
  $(error $(CURDIR) cannot be written: `make BUILD=DIR` builds in a copy of it, and \
  DIR/run_all.sh runs there)))
FREE_MB := $(shell df -Pk . $(wildcard build) 2>/dev/null | awk 'NR > 1 && $$4 < 30720 && \
    !said++ { print int($$4 / 1024) " MB" }')
$(if $(filter-out help clean,$(or $(MAKECMDGOALS),all)),$(if $(FREE_MB),$(error the disk is full: \
    $(FREE_MB) are free in $(CURDIR), \
  and a whole build takes about 460 MB (900 MB with the tests); make room, or \
  `make BUILD=DIR` on another disk)))

NVCC    := $(shell NVCC='$(NVCC)' tools/nvcc.sh)
CUDA    := $(if $(NVCC),$(shell tools/nvcc.sh top $(NVCC)))
CUDA_GOALS := $(filter-out $(KIT_GOALS),$(or $(MAKECMDGOALS),all))
# Options that nvcc needs for host compilers and C libraries newer than itself; tools/nvcc.sh finds
# them by compiling one kernel. Recipes get them by NVCC_APPEND_FLAGS; build/nvcc (kernels.mk) is
# nvcc with these options, for tests.
NVCC_OPTIONS := $(if $(NVCC),$(if $(CUDA_GOALS),$(strip $(shell tools/nvcc.sh flags $(NVCC)))))
NVCC_WORKS   := $(if $(NVCC),$(if $(CUDA_GOALS),$(filter 0,$(.SHELLSTATUS)),0),0)
export NVCC_APPEND_FLAGS := $(strip $(filter-out $(NVCC_OPTIONS),$(NVCC_APPEND_FLAGS)) \
    $(NVCC_OPTIONS))
COMMIT  ?= $(shell tools/commit.sh code)

# Kernels are compiled for sm_90 and for the GPUs of this machine. `make ARCH="sm_80 sm_86"` chooses
# others.
ifeq ($(origin ARCH),undefined)
ARCH    := $(if $(CUDA_GOALS),$(shell tools/arch.sh '$(NVCC)'),sm_90)
else
KNOWN   := $(if $(NVCC),$(shell $(NVCC) --list-gpu-code),sm_90)
$(if $(filter-out $(KNOWN),$(ARCH)),$(error ARCH=$(ARCH): expected one or more of $(KNOWN), which \
  $(or $(NVCC),a release) has: CUDA 12 compiles for older GPUs, a newer toolkit for newer ones))
endif

# -g1 gives line numbers for profilers and sanitizers. -g also describes variables, for a debugger
# (make CFLAGS='-O1 -g'), but gcc then takes 1.5 times as long. Files with loops over lanes or
# matrices are compiled with -O3 (FASTER), unless CFLAGS is given. The other files are as fast with
# -O2, which takes gcc a sixth less time than -O3.
CFLAGS   ?= -O2 -g1
FASTER   := $(if $(filter file,$(origin CFLAGS)),-O3)
# A function in a table may have parameters that it does not use.
# STRICT=1 makes warnings errors, for the project's own tests. It is not the default because a newer
# compiler may have new warnings.
WARNINGS := -std=c11 -D_GNU_SOURCE -Wall -Wextra -Wpedantic -Wno-unused-parameter \
    $(if $(STRICT),-Werror)
# A compiler that cannot link OpenMP builds programs with one thread.
OPENMP   := $(or $(shell out=$$(mktemp) && echo 'int main(void) { return 0; }' | \
    $(CC) -fopenmp -x c - -o $$out 2>/dev/null && \
              echo -fopenmp; rm -f $$out),-Wno-unknown-pragmas)
LIBS     := -ldl -lm -pthread $(OPENMP)
# Programs also look for cuBLAS in build/cublas/lib, where tools/toolkit.py puts it.
RPATH    := -Wl,-rpath,'$$ORIGIN/cublas/lib'

# Without the toolkit's headers the GPU backend is replaced by one that reports this, and `sass
# tune` cannot judge by runs on a GPU.
NO_GPU   := $(if $(wildcard $(CUDA)/include/cuda.h),no_gpu,gpu driver cublas cublaslt nvml)
GPU      := $(if $(filter no_gpu,$(NO_GPU)),common/backend/driver.c common/backend/error.c)
JUDGES   := $(if $(GPU),$(wildcard common/judge/*.c) $(GPU),sasskit/programs/judges.c)
