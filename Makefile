# `make help` lists the targets. `make` builds build/ladder, one program per lesson, and the
# kernels.

# PLAIN_GOALS need no kernels. NVCC_GOALS need nvcc even in a release, though that has cubins.
PLAIN_GOALS  := help install-deps doctor clean format format-check only-14 plots docs site test \
    test-all sasskit install-sasskit test-sasskit run-test-sasskit copy exercises build/exercise \
    build/obj/% build/asan/% build/fast/% build/sass build/simrun build/gpurun build/bench_sim \
    build/order_fit build/nvcc
NVCC_GOALS   := test-arch fuzz release
NEEDS_KERNELS := $(filter-out $(PLAIN_GOALS),$(or $(MAKECMDGOALS),all))$(filter %/test_library \
    %/test_intercept,$(MAKECMDGOALS))
# KIT_GOALS need no CUDA: make does not ask nvcc which options and architectures it supports.
KIT_GOALS    := help clean format format-check sasskit install-sasskit exercises build/exercise \
    build/sass build/simrun build/bench_sim build/order_fit
RESULTS      ?= docs/results/h200

# The rules:
#
#     mk/goals.mk          all, help, format, release, clean
#     mk/surroundings.mk   this machine: CUDA, GPUs, what the C compiler can do; flags
#     mk/progress.mk       what is printed while make works
#     mk/host.mk           the programs
#     mk/kernels.mk        the kernels; build/cubin_rules writes their list from the lessons' step.c
#     mk/tests.mk          the tests
#     mk/results.mk        exercises, measurements, charts, pages
#     sasskit, library, web/engine and lesson 14 have rules of their own.
#
# `make BUILD=DIR` copies the sources first and makes its goals there (mk/copy.mk).
.DEFAULT_GOAL := all
RULES := $(patsubst %,mk/%.mk,surroundings progress) sasskit/sasskit.mk mk/host.mk mk/kernels.mk \
    $(wildcard steps/*/*.mk) sasskit/tests/tests.mk $(patsubst %,mk/%.mk,tests results goals) \
    $(wildcard library/library.mk) web/engine/engine.mk
include $(if $(if $(filter command,$(firstword $(origin BUILD))),$(BUILD)),mk/copy.mk,$(RULES))
