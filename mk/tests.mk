# The tests: unit tests (test_*.c) and scripts (*_test.sh) in tests/ and sasskit/tests. The rules of
# sasskit's tests are in sasskit/tests/tests.mk.
# Unit tests are built with sanitizers in build/asan. Those that compute for seconds (HEAVY) are
# built without sanitizers in build/fast; `make test-all` builds them with sanitizers, too.
HEAVY        := test_check test_intercept test_library test_order
ALL_UNITS    := \
    $(filter-out $(if $(filter no_gpu,$(NO_GPU)),test_intercept), \
    $(patsubst tests/%.c,%,$(wildcard tests/test_*.c)))
UNIT_TESTS   := \
    $(addprefix build/asan/,$(filter-out $(if $(EXHAUSTIVE),,$(HEAVY) $(KIT_HEAVY)),$(ALL_UNITS) \
    $(KIT_UNITS))) \
                  $(patsubst %,build/fast/%,$(HEAVY) $(KIT_HEAVY))
# Tests that are left out: without nvcc, as in a release, scripts that need nvcc or CUDA's headers;
# without cmocka, which tools/setup.sh reports, all unit tests.
LEFT_OUT     := \
    $(if $(filter run-tests,$(MAKECMDGOALS)),$(if $(NVCC),,$(shell grep -lE \
    'NVCC|build/fake' tests/*_test.sh)) \
                  $(if $(HAS_CMOCKA),,$(UNIT_TESTS)))
TEST_HELPERS := $(patsubst %.c,build/asan/%.o,$(filter-out tests/test_%.c tests/fake_cuda.c \
    tests/fake_nccl.c tests/fake_cublas.c tests/fake_cudart.c \
    tests/blas_shim.c,$(wildcard tests/*.c)) sasskit/tests/helpers.c)

build/asan/%.o: %.c | build/commit.h
	@mkdir -p $(@D)
	$(call task,cc $< (sanitized))
	$(Q)$(CC) $(WARNINGS) -g1 $(SANITIZE) $(OPENMP) $(INCLUDES) -Itests -Isasskit/tests -MMD \
	  -MP -c $< -o $@

$(filter build/obj/tests/%,$(TEST_HELPERS:build/asan/%=build/obj/%) \
    $(HEAVY:%=build/obj/tests/%.o)): CFLAGS += -Isasskit/tests

build/asan/test_gpus: \
    $(patsubst build/obj/%,build/asan/%,$(filter-out %/step.o %/schemes.o \
    %/main.o,$(call step_files,14_several_gpus)))
build/asan/test_safe: \
    $(patsubst %,build/asan/%/step.o,$(filter steps/10_% steps/13_% library/shapes,$(STEP_FOLDERS)))
build/asan/test_order: build/asan/steps/10_block_order/step.o
build/fast/test_order: build/obj/steps/10_block_order/step.o
build/asan/test_%: build/asan/tests/test_%.o $(TEST_HELPERS) $(COMMON:%.c=build/asan/%.o)
	$(call task,link $@)
	$(Q)$(CC) $(SANITIZE) -o $@ $^ -lcmocka $(LIBS)

build/fast/test_%: build/obj/tests/test_%.o $(TEST_HELPERS:build/asan/%=build/obj/%) $(OBJECTS)
	@mkdir -p $(@D)
	$(call task,link $@)
	$(Q)$(CC) -o $@ $^ -lcmocka $(LIBS)

build/fake/libcuda.so.1: tests/fake_cuda.c
	@mkdir -p $(@D)
	$(call task,cc $<)
	$(Q)$(CC) $(WARNINGS) -g -fPIC -shared $(INCLUDES) -o $@ $<
	@ln -sf libcuda.so.1 build/fake/libcublas.so.13
	@ln -sf libcuda.so.1 build/fake/libcublasLt.so.13

build/fake/libnccl.so.2: tests/fake_nccl.c steps/14_several_gpus/nccl.h
	@mkdir -p $(@D)
	$(call task,cc $<)
	$(Q)$(CC) $(WARNINGS) -g -fPIC -shared $(INCLUDES) -o $@ $< -ldl

sanitize: $(UNIT_TESTS)

# tools/setup.sh installs what is missing before anything is built; the inner make then finds it.
# `make test TESTS=tests/docs_test.sh` runs only these tests. A set that takes more than a minute
# runs in part: a random part, with the date as seed. `make test SEED=20261126` runs that day's part
# again. `make test-all` runs whole sets, and the scripts with "Only in make test-all" in their
# heads.
ONLY_IN_ALL := $(shell grep \
    -l '^\# Only in make test-all' $(wildcard tests/*.sh sasskit/tests/*.sh) /dev/null)
ALL_TESTS   := $(sort $(UNIT_TESTS) $(wildcard tests/*_test.sh sasskit/tests/*_test.sh) \
    $(ONLY_IN_ALL))
TESTS ?= $(filter-out $(LEFT_OUT),$(if $(EXHAUSTIVE),$(ALL_TESTS), \
         $(filter-out $(ONLY_IN_ALL),$(ALL_TESTS))))
JOBS  ?= $(shell nproc 2>/dev/null || echo 1)
SIDE_BY_SIDE = --no-print-directory $(if $(filter -j% --jobserver%,$(MAKEFLAGS)),,-j$(JOBS))
test:
	@tools/setup.sh test
	@$(MAKE) $(SIDE_BY_SIDE) run-tests

test-all:
	@tools/setup.sh test
	@tools/setup.sh site
	@$(MAKE) $(SIDE_BY_SIDE) EXHAUSTIVE=1 run-tests

# MAKEFLAGS is empty so that a make inside a test does not join this one.
run-tests: all $(filter build/asan/% build/fast/%,$(TESTS)) \
    $(if $(filter sasskit/tests/verdict_chips_test.sh,$(TESTS)),build/fast/written) \
    $(if $(NVCC),$(if $(filter tests/results_test.sh,$(TESTS)), \
    $(addprefix build/cubin/sm_90/library/,copy.cubin tensor.cubin))) \
    $(if $(NVCC),build/fake/libcuda.so.1 build/fake/libnccl.so.2)
	@$(if $(filter %.sh,$(LEFT_OUT)), \
	  echo 'left out because they need nvcc or the headers of CUDA: $(filter %.sh,$(LEFT_OUT))')
	@NVCC='$(NVCC)' CUDA='$(CUDA)' CC='$(CC)' MAKEFLAGS= WHOLE_PATH="$$PATH" tests/named.sh \
	  tests/run.sh -j $(JOBS) $(TESTS)

# Wrong kernels of tests/mutants/STEP.mutants; `make mutants STEP=05` runs those of one step.
mutants: all
	@NVCC='$(NVCC)' tests/mutants_test.sh all \
	  $(firstword $(subst _, ,$(if $(STEP),$(call lessons_like,$(STEP)))))
.PHONY: mutants

# `make doctor` assembles its kernels for ARCH, by default for the GPU of this machine, or for sm_90
# with BACKEND=sim.
doctor: build/sass build/simrun $(if $(filter no_gpu,$(NO_GPU)),build/gpurun)
	$(needs_python)
	@tools/doctor.py $(if $(BACKEND),--backend $(BACKEND)) \
	  $(if $(filter command,$(firstword $(origin ARCH))),--arch $(ARCH))

test-arch: all
	@NVCC='$(NVCC)' VARIANTS=all tests/run.sh tests/arch_test.sh
