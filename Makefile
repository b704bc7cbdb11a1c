# `make help` lists the targets. `make` builds build/ladder, one program per lesson, and the
# kernels. The rules are in mk/ and in the .mk files of sasskit/, library/ and web/engine/.

# PLAIN_GOALS need no kernels. NVCC_GOALS need nvcc even in a release, which has compiled kernels.
PLAIN_GOALS  := help install-deps doctor clean format format-check only-14 plots docs site test test-all sasskit install-sasskit copy \
                exercises build/obj/% build/asan/% build/fast/% build/sass build/simrun build/gpurun build/bench_sim build/order_fit build/nvcc
NVCC_GOALS   := test-arch fuzz release
NEEDS_KERNELS := $(filter-out $(PLAIN_GOALS),$(or $(MAKECMDGOALS),all))$(filter %/test_library %/test_intercept,$(MAKECMDGOALS))
# KIT_GOALS need no CUDA: nvcc is not run for its options and architectures.
KIT_GOALS    := help clean format format-check sasskit install-sasskit build/sass build/simrun build/bench_sim build/order_fit
RESULTS      ?= docs/results/h200

.DEFAULT_GOAL := all
ifneq ($(if $(filter command,$(firstword $(origin BUILD))),$(BUILD)),)
include mk/copy.mk
else
include mk/surroundings.mk mk/progress.mk sasskit/sasskit.mk mk/host.mk mk/kernels.mk mk/tests.mk library/library.mk web/engine/engine.mk
-include $(shell find build/obj build/asan build/pic build/wasm -name '*.d' 2>/dev/null)

all: sasskit $(if $(GPU),build/gpurun) build/order_fit build/ladder $(STEPS:%=build/%) cubins

help:
	@echo 'make                      build/ladder, one program a step (build/01_naive ...), the kernels'
	@echo 'make build/07_z_order     one program and its kernels; make quick: what run_all.sh --quick shows'
	@echo 'make sasskit              build/sass and build/simrun, which need only a C compiler'
	@echo 'make install-sasskit PREFIX=/usr/local   installs both'
	@echo 'make BUILD=DIR            the same, or any of these, in a copy of the sources in DIR'
	@echo 'make V=1                  shows the commands; PORTABLE=1: programs for all processors of this kind'
	@echo 'make ARCH="sm_80 sm_90"   the kernels for these architectures; default: sm_90 and the GPU here'
	@echo 'make install-deps         prints the commands that install what is used, for five systems'
	@echo 'make test                 the tests, in minutes; a part of large sets, drawn by SEED=20261126'
	@echo 'make test-all             whole sets, browsers, all architectures, fresh machines'
	@echo 'make test TESTS=tests/usage_test.sh   only these; build/asan/test_check is a unit test'
	@echo 'make mutants              all wrong kernels, each of which the check must catch'
	@echo 'make fuzz [RUNS=100000]   fuzzes the simulator and what reads cubins, text, options and CSV'
	@echo 'make test-arch            every kernel for sm_75 to sm_120: text, lint, assembler, simulator'
	@echo 'make doctor [BACKEND=sim] checks the latencies that machine code by hand relies on, in a minute'
	@echo 'make profile STEP=05 [SIZE=512]   counters of a step: Nsight Compute, or without a GPU the simulator'
	@echo 'make results [PART=burst] measure on this GPU what is missing or stale, or only that part'
	@echo 'make results-status       which parts were measured, and with which code'
	@echo 'make fit                  steps 10 and 13: fits the costs by which they choose kernels, on this GPU'
	@echo 'make plots [RESULTS=DIR]  draw the charts of DIR/results.csv'
	@echo 'make release              an archive that runs without nvcc: sources and the kernels for sm_90'
	@echo 'make bench-sim            how fast the simulator is'
	@echo 'make pictures             draw the memory requests that the lessons show, by the simulator'
	@echo 'make exercises            the exercises, and how far you are'
	@echo 'make exercise EX=04a [SHOW=hint|answer|solution|again]   one exercise'
	@echo 'make docs                 write the measured tables into the lessons'
	@echo 'make site [OWN=results]   the course as pages for a browser, in build/site; OWN: with your results'
	@echo 'make format, format-check, sanitize, clean'

install-deps:
	@tools/setup.sh lines

# Measurements, tables and charts.
needs_python = @command -v python3 >/dev/null || { echo 'make $@ needs python3, which is not on PATH: tools/setup.sh run installs it' >&2; exit 2; }
# With numbers of lessons only these lessons' kernels are built, and lesson 01's, which finds the
# GPU.
comma := ,
PROFILED := $(foreach step,$(subst $(comma), ,$(STEP)),$(or $(filter $(step) $(step)_% 0$(step)_%,$(STEPS)),all))
profile: $(if $(filter all,$(or $(PROFILED),all)),all,build/ladder build/01_naive $(PROFILED:%=build/%))
	@test -n '$(STEP)' || { echo 'which step? make profile STEP=05 [SIZE=512]' >&2; exit 2; }
	@tools/profile.sh $(STEP) '$(SIZE)'

results: all
	tools/results.sh $(PART)

results-status:
	@tools/results.sh status

fit: all
	$(needs_python)
	tools/order.sh here
	tools/tensor_costs.py here

plots:
	$(needs_python)
	plots/draw.py $(RESULTS)

pictures: all
	$(needs_python)
	plots/pictures.py

docs:
	$(needs_python)
	tools/docs.py

# The boxes that run kernels need a compiler for WebAssembly; without it the pages have none of them
# (docs/site.md).
site:
	@$(MAKE) --no-print-directory build/web/engine.js build/web/sass.js build/web/kernels/exercises.js || true
	@OWN='$(OWN)' web/site/build.sh

exercises:
	@tools/exercise.sh

exercise: build/sass build/simrun
	@test -n '$(EX)' || { echo 'which exercise? make exercise EX=04a [SHOW=hint|answer|solution|again]' >&2; exit 2; }
	@NVCC='$(NVCC)' PREDICT='$(PREDICT)' tools/exercise.sh $(EX) $(SHOW) || [ $$? = 1 ]

# The layout is that of clang-format 14; other versions differ in details.
LAYOUT = $(or $(shell command -v clang-format-14),clang-format)
format format-check: only-14
only-14:
	@$(LAYOUT) --version | grep -q 'version 14\.' || { echo 'the layout is that of clang-format 14, not of' "$$($(LAYOUT) --version)" >&2; exit 1; }

format:
	$(LAYOUT) -i $(SOURCES)

format-check:
	@$(LAYOUT) --dry-run --Werror $(SOURCES)

# Keeps what was downloaded: build/toolkit, build/cublas.
clean:
	@! test -d build || find build -mindepth 1 -maxdepth 1 ! -name toolkit ! -name cublas -exec rm -rf {} +

bench-sim: build/bench_sim cubins
	@build/bench_sim build/cubin/sm_90/08_double_buffer/both.cubin sgemm_double_buffer 128 128 256 512
	@build/bench_sim build/cubin/sm_90/08_double_buffer/wide.cubin sgemm_double_buffer 128 256 256 512 1 49664
	@bash -c 'TIMEFORMAT="%R s: the whole ladder at N = 512"; time build/ladder --backend sim --check off --size 512 > /dev/null'
	@for step in $(BENCHED); do bash -c "TIMEFORMAT='%R s: $$step, last variant, N = 1024'; time build/$$step --backend sim --variant last --check off --size 1024 > /dev/null"; done

# A release has the sources and the kernels for sm_90, for machines without nvcc.
release: all
	@tools/release.sh

SOURCES := $(shell find common sasskit exercises library tests steps web/engine -name '*.[ch]' -o -name '*.cu')
FORCE:
.PHONY: all exercise exercises help install-deps cubins bench-sim sanitize test test-all run-tests test-arch doctor fuzz release profile results results-status fit plots pictures docs site \
        format format-check only-14 clean FORCE
.SECONDARY:
.DELETE_ON_ERROR:
endif
