# `make help` lists the targets. `make` builds build/ladder, one program a step, and the kernels.

# `make BUILD=DIR ...` does it in a copy of the sources in DIR, for a folder that cannot be written.
ifneq ($(if $(filter command,$(firstword $(origin BUILD))),$(BUILD)),)
.PHONY: copy $(or $(MAKECMDGOALS),all)
.NOTPARALLEL:
copy:
	@mkdir -p '$(BUILD)' && to=$$(cd '$(BUILD)' && pwd -P) && test -w "$$to" || { echo 'BUILD=$(BUILD): cannot be written' >&2; exit 2; }; \
	  case $$(pwd -P)/ in "$$to"/*) echo 'BUILD=$(BUILD): is or holds these sources; name another folder' >&2; exit 2;; esac; \
	  tar -cf - --mode=u+w --exclude-vcs --exclude=./build --exclude=./results --exclude=./my --exclude=./profile \
	      --exclude="./$${to#"$$(pwd -P)"/}" . | tar -xf - -C "$$to" && tools/commit.sh >"$$to/tools/commit.txt"
$(or $(MAKECMDGOALS),all): copy
	@$(MAKE) --no-print-directory -C '$(BUILD)' BUILD= $@ && echo 'done in $(BUILD): cd there to go on'
else
$(if $(filter-out help,$(or $(MAKECMDGOALS),all)),$(if $(shell test -w build || { test ! -e build && test -w .; } && echo yes),,\
  $(error $(CURDIR) cannot be written: `make BUILD=DIR` builds in a copy of it, and DIR/run_all.sh runs there)))

NVCC    := $(shell NVCC='$(NVCC)' tools/nvcc.sh)
CUDA    := $(if $(NVCC),$(shell tools/nvcc.sh top $(NVCC)))
# Host compilers and C libraries newer than nvcc need options, which one kernel compiled shows. build/nvcc has them for everybody.
NVCC_OPTIONS := $(if $(NVCC),$(strip $(shell tools/nvcc.sh flags $(NVCC))))
NVCC_WORKS   := $(if $(NVCC),$(filter 0,$(.SHELLSTATUS)),0)
export NVCC_APPEND_FLAGS := $(strip $(filter-out $(NVCC_OPTIONS),$(NVCC_APPEND_FLAGS)) $(NVCC_OPTIONS))
RESULTS ?= docs/results/h200
COMMIT  ?= $(shell tools/commit.sh)

# Kernels are compiled for sm_90 and for the GPUs of this machine; `make ARCH=sm_80` chooses, several with spaces.
ifeq ($(origin ARCH),undefined)
ARCH    := $(shell tools/arch.sh '$(NVCC)')
else
KNOWN   := $(if $(NVCC),$(shell $(NVCC) --list-gpu-code),sm_90)
$(if $(filter-out $(KNOWN),$(ARCH)),$(error ARCH=$(ARCH): expected one or more of $(KNOWN), which \
  $(or $(NVCC),a release) has: CUDA 12 compiles for older GPUs, a newer toolkit for newer ones))
endif

# -g1: lines, which profilers and sanitizers show. With variables, too, gcc takes half as long again; for a debugger: make CFLAGS='-O1 -g'.
CFLAGS   ?= -O3 -g1
# A parameter may be there for a table of functions alone.
# Warnings are errors where the project checks itself: `make STRICT=1 test`. A newer compiler's doubt stops nobody else.
WARNINGS := -std=c11 -D_GNU_SOURCE -Wall -Wextra -Wpedantic -Wno-unused-parameter $(if $(STRICT),-Werror)
# A compiler that cannot link OpenMP builds the same programs for one thread.
OPENMP   := $(or $(shell out=$$(mktemp) && echo 'int main(void) { return 0; }' | $(CC) -fopenmp -x c - -o $$out 2>/dev/null && \
              echo -fopenmp; rm -f $$out),-Wno-unknown-pragmas)
INCLUDES := -Icommon -Isasskit -Icommon/harness -Ibuild $(addprefix -isystem ,$(filter-out /usr/include,$(CUDA:%=%/include)))
# cuBLAS is also looked for where tools/toolkit.py puts it.
LIBS     := -ldl -lm -pthread $(OPENMP) -Wl,-rpath,'$$ORIGIN/cublas/lib'
SANITIZE := -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer -O0

STEPS   := $(patsubst steps/%/step.c,%,$(sort $(wildcard steps/*/step.c)))
SASS    := $(wildcard sasskit/base/*.c $(foreach r,isa asm lint reuse,sasskit/$r/*.c))
# Without the toolkit's headers there is no GPU backend, only one that says so.
NO_GPU  := $(if $(wildcard $(CUDA)/include/cuda.h),no_gpu,gpu driver cublas cublaslt nvml)
COMMON  := $(filter-out common/harness/main.c common/harness/cubin_rules.c $(NO_GPU:%=common/backend/%.c),\
             $(wildcard common/backend/*.c common/harness/*.c)) $(SASS)
SIM     := $(filter-out sasskit/sim/programs/simrun.c sasskit/sim/programs/predict.c sasskit/sim/programs/stepper.c sasskit/sim/programs/bench.c,$(wildcard sasskit/sim/*/*.c))
COMMON  += $(SIM) $(wildcard sasskit/model/*.c sasskit/tune/*.c)
# The simulator's lane loops once more for newer processors; which copy runs is chosen when it runs (engine.c).
LANES   := $(patsubst %,sasskit/sim/%,$(addprefix ops/,fp32 integer fp64 convert half move shared global texture matrix warpgroup) run/branch run/warp)
VECTORS := $(if $(findstring x86_64,$(shell $(CC) -dumpmachine 2>/dev/null)),$(foreach v,v3 v4,$(LANES:%=build/obj/%.$(v).o)))
OBJECTS := $(COMMON:%.c=build/obj/%.o) $(VECTORS)
STEP_OBJECTS := $(STEPS:%=build/obj/steps/%/step.o)
# A lesson with a main.c is a program of its own, made of all .c files of its folder; without the toolkit's headers without those that
# include them.
APART        := $(patsubst steps/%/main.c,%,$(wildcard steps/*/main.c))
STEP_NO_GPU  := $(if $(filter no_gpu,$(NO_GPU)),no_gpu,engine_gpu nccl cublasxt)
step_files    = $(patsubst %.c,build/obj/%.o,$(filter-out $(STEP_NO_GPU:%=steps/$(1)/%.c),$(wildcard steps/$(1)/*.c)))
# Unit tests have sanitizers, but for those that reckon for long: these have them in `make test-all`, too.
HEAVY        := test_check test_intercept test_library test_order test_reuse
ALL_UNITS    := $(filter-out $(if $(filter no_gpu,$(NO_GPU)),test_intercept),$(patsubst tests/%.c,%,$(wildcard tests/test_*.c)))
UNIT_TESTS   := $(addprefix build/asan/,$(if $(EXHAUSTIVE),$(ALL_UNITS),$(filter-out $(HEAVY),$(ALL_UNITS)))) $(HEAVY:%=build/fast/%)
# What cannot be tested without nvcc and the toolkit's headers, in a release, and without cmocka, of which set-up tells.
LEFT_OUT     := $(if $(filter run-tests,$(MAKECMDGOALS)),$(if $(NVCC),,$(shell grep -lE 'NVCC|build/fake' tests/*_test.sh)) \
                  $(if $(shell $(CC) -E -include cmocka.h -x c /dev/null >/dev/null 2>&1 || echo none),$(UNIT_TESTS)))
TEST_HELPERS := $(patsubst %.c,build/asan/%.o,$(filter-out tests/test_%.c tests/fake_cuda.c tests/fake_nccl.c tests/fake_cublas.c tests/blas_shim.c,$(wildcard tests/*.c)))
SOURCES := $(shell find common sasskit exercises library tests steps web/engine -name '*.[ch]' -o -name '*.cu')

all: build/sass build/simrun $(if $(filter no_gpu,$(NO_GPU)),build/gpurun) build/order_fit build/ladder $(STEPS:%=build/%) cubins

help:
	@echo 'make                      build/ladder, one program a step (build/01_naive ...), the kernels'
	@echo 'make BUILD=DIR            the same, or any of these, in a copy of the sources in DIR'
	@echo 'make ARCH="sm_80 sm_90"   the kernels for these architectures (default: sm_90 and the GPU here)'
	@echo 'make install-deps         the lines that install what is used, on Debian, Ubuntu, Fedora, Arch and with conda'
	@echo 'make test                 the tests, in minutes; of large sets a part, drawn by the day (SEED=20261126: of that day)'
	@echo 'make test-all             whole sets, browsers, all architectures, fresh machines'
	@echo 'make test TESTS=tests/usage_test.sh   only these; build/asan/test_check is a unit test'
	@echo 'make mutants              wrong kernels, each of which the check must catch, all of them (make test: a sample)'
	@echo 'make fuzz [RUNS=100000]   fuzz what reads cubins, machine code as text, assembler source, command lines, CSV; the simulator'
	@echo 'make test-arch            every kernel for sm_75 to sm_120: text, lint, assembler, simulator'
	@echo 'make doctor [BACKEND=sim]  do the latencies hold here that machine code by hand relies on? A minute on your GPU'
	@echo 'make profile STEP=05 [SIZE=512]   hardware counters of a step, by Nsight Compute; without a GPU the simulator'
	@echo 'make results              measure everything on this GPU, then draw the charts'
	@echo 'make fit                  steps 10 and 13: measure and fit the costs by which they choose kernels on this GPU'
	@echo 'make plots [RESULTS=DIR]  draw the charts of DIR/results.csv'
	@echo 'make release              an archive that runs without nvcc: sources and the kernels for sm_90'
	@echo 'make bench-sim            how fast the simulator is'
	@echo 'make pictures             draw the memory requests that the lessons show, by the simulator'
	@echo 'make exercises            the exercises, and how far you are; make exercise EX=04a [SHOW=hint|answer|again]'
	@echo 'make docs                 write the measured tables into the lessons'
	@echo 'make site [OWN=results]   the course as pages for a browser, build/site/index.html; OWN: with the results of a run'
	@echo 'make format, format-check, sanitize, clean'

# --- programs ---------------------------------------------------------------------------------------------------------
build/ladder: build/obj/common/harness/main.o $(OBJECTS) $(STEP_OBJECTS)
	@echo 'link $@'
	@$(CC) -o $@ $^ $(LIBS)

# build/cubins.mk adds the step.o of the lessons whose kernels it runs.
$(foreach step,$(APART),$(eval build/$(step): $(call step_files,$(step))))
$(filter-out $(APART:%=build/%),$(STEPS:%=build/%)): build/%: build/obj/common/harness/main.o build/obj/steps/%/step.o
$(STEPS:%=build/%): $(OBJECTS)
	@echo 'link $@'
	@$(CC) -o $@ $^ $(LIBS)

build/cubin_rules: build/obj/common/harness/cubin_rules.o $(OBJECTS) $(STEP_OBJECTS)
	@echo 'link $@'
	@$(CC) -o $@ $^ $(LIBS)

# A toolkit that has come or gone since the last build changes the backends.
build/backends: FORCE
	@mkdir -p build
	@echo 'all but $(NO_GPU)' | cmp -s - $@ || echo 'all but $(NO_GPU)' > $@
$(filter build/obj/common/backend/%,$(OBJECTS)) $(foreach step,$(APART),$(call step_files,$(step))): build/backends

build/obj/%.o: %.c | build/commit.h
	@mkdir -p $(@D)
	@echo 'cc   $<'
	@$(CC) $(WARNINGS) $(CFLAGS) $(OPENMP) $(INCLUDES) -MMD -MP -c $< -o $@

build/obj/%.v3.o: %.c
	@mkdir -p $(@D)
	@echo 'cc   $< (x86-64-v3)'
	@$(CC) $(WARNINGS) $(CFLAGS) -march=x86-64-v3 -DSIM_ISA=v3 $(OPENMP) $(INCLUDES) -MMD -MP -c $< -o $@

build/obj/%.v4.o: %.c
	@mkdir -p $(@D)
	@echo 'cc   $< (x86-64-v4)'
	@$(CC) $(WARNINGS) $(CFLAGS) -march=x86-64-v4 -mprefer-vector-width=512 -DSIM_ISA=v4 $(OPENMP) $(INCLUDES) -MMD -MP -c $< -o $@

# An exercise's own program: the harness and the step.c of its wishes. tools/exercise.sh puts the reader's cubin beside it.
build/exercises/%/step.c: exercises/%/wishes exercises/%/task.md tools/exercise.sh
	@mkdir -p $(@D)
	@tools/exercise.sh $* step > $@

build/exercises/%/run: build/exercises/%/step.c build/obj/common/harness/main.o $(OBJECTS)
	@mkdir -p $(@D)
	@$(CC) $(WARNINGS) $(CFLAGS) $(INCLUDES) -o $@ $^ $(LIBS)

build/simrun: $(patsubst %,build/obj/sasskit/sim/programs/%.o,simrun predict stepper) $(OBJECTS)
	@echo 'link $@'
	@$(CC) -o $@ $^ $(LIBS)

# The same kernels on a GPU, for compute-sanitizer and Nsight Compute.
build/gpurun: build/obj/tools/latency/gpurun.o $(OBJECTS)
	@echo 'link $@'
	@$(CC) -o $@ $^ $(LIBS)

build/sass: build/obj/sasskit/programs/sass.o $(OBJECTS)
	@echo 'link $@'
	@$(CC) -o $@ $^ $(LIBS)

# The costs by which step 10's dispatcher chooses, from measured times.
build/order_fit: build/obj/library/rules/order_fit.o build/obj/sasskit/base/streams.o
	@$(CC) -o $@ $^ -lm $(OPENMP)

build/bench_sim: build/obj/sasskit/sim/programs/bench.o $(OBJECTS)
	@echo 'link $@'
	@$(CC) -o $@ $^ $(LIBS)

bench-sim: build/bench_sim cubins
	@build/bench_sim build/cubin/sm_90/08_double_buffer/both.cubin sgemm_double_buffer 128 128 256 512
	@build/bench_sim build/cubin/sm_90/08_double_buffer/wide.cubin sgemm_double_buffer 128 256 256 512 1 49664
	@bash -c 'TIMEFORMAT="%R s: the whole ladder at N = 512"; time build/ladder --backend sim --check off --size 512 > /dev/null'
	@for step in $(BENCHED); do bash -c "TIMEFORMAT='%R s: $$step, last variant, N = 1024'; time build/$$step --backend sim --variant last --check off --size 1024 > /dev/null"; done

build/commit.h: FORCE
	@mkdir -p build
	@echo '#define COMMIT "$(COMMIT)"' | cmp -s - $@ || echo '#define COMMIT "$(COMMIT)"' > $@

# --- kernels: the rules come from the steps' own tables (step.c), through build/cubin_rules ------------------------------
build/cubins.mk: build/cubin_rules Makefile
	@build/cubin_rules build $(ARCH) > $@.new && mv $@.new $@

build/arch: FORCE
	@mkdir -p build
	@echo '$(ARCH)' | cmp -s - $@ || echo '$(ARCH)' > $@
build/cubins.mk: build/arch

# ptxas cannot read line information that names a folder with a double quote; such a clone goes without.
LINEINFO := $(if $(findstring ",$(CURDIR)),,-lineinfo)

# What a cubin is made from, where build/sass makes it, too.
MADE_FROM = $(sort $(filter-out build/sass %.cubin,$^))

define compile_cubin
@mkdir -p $(@D)
@cat $(MADE_FROM) | cksum > $(@:.cubin=.sum)
@echo 'nvcc $(1) $@'
@$(NVCC) -O3 -std=c++17 -cubin -gencode=arch=$(1:sm_%=compute_%),code=$(1) $(LINEINFO) -Xptxas -v $(2) -o $@ $< > $(@:.cubin=.log) 2>&1 || \
  { cat $(@:.cubin=.log); rm -f $@; exit 1; }
endef

# Machine code as text.
define assemble_cubin
@mkdir -p $(@D)
@echo 'sass asm $@'
@build/sass asm $< --arch $(1) $(2) -o $@ > $(@:.cubin=.log) 2>&1 || { cat $(@:.cubin=.log); rm -f $@; exit 1; }
endef

define copy_cubin
@mkdir -p $(@D)
@cat $(MADE_FROM) | cksum > $(@:.cubin=.sum)
@cp $(filter %.cubin,$^) $@ && cp $(patsubst %.cubin,%.log,$(filter %.cubin,$^)) $(@:.cubin=.log)
endef

# Another variant's where that is compiled from the same source with the same flags.
define compiled_cubin
$(if $(filter %.cubin,$^),$(copy_cubin),$(compile_cubin))
endef

# Compiled code rewritten.
define reuse_cubin
$(compiled_cubin)
@echo 'sass reuse $@'
@build/sass reuse $@ --passes $(PASSES) -o $@.new >> $(@:.cubin=.log) 2>&1 && mv $@.new $@ || \
  { cat $(@:.cubin=.log); rm -f $@ $@.new; exit 1; }
endef

# The listing of a kernel of the first cubin, edited by a step's script.
define edit_cubin
@build/sass dis $< --kernel $(1) | awk -v pattern=$(2) -f $(filter %.awk,$^) > $(@:.cubin=.sass)
@build/sass asm $(@:.cubin=.sass) --into $< -o $@
endef

# Without nvcc, in a release: what it made comes along, for sources and flags that are still the same.
ifeq ($(NVCC),)
define compile_cubin
@mkdir -p $(@D)
@cat $(MADE_FROM) | cksum | cmp -s - $(@:build/%.cubin=prebuilt/%.sum) || \
  { echo '$<: changed since the release was made or not part of it ($(@F)), and there is no nvcc to compile it' >&2; exit 1; }
@cp $(@:build/%.cubin=prebuilt/%.cubin) $(@:build/%.cubin=prebuilt/%.log) $(@D)
endef
reuse_cubin = $(compile_cubin)
endif

# Goals that need no toolkit, and those for which the kernels of a release do not make up for it.
PLAIN_GOALS := help install-deps doctor clean format format-check only-14 plots docs site test test-all build/obj/% build/asan/% build/fast/%
NVCC_GOALS  := test-arch fuzz release
ifneq ($(filter-out $(PLAIN_GOALS),$(or $(MAKECMDGOALS),all))$(filter %/test_library %/test_intercept,$(MAKECMDGOALS)),)
$(if $(or $(NVCC),$(if $(filter $(NVCC_GOALS),$(MAKECMDGOALS)),,$(wildcard prebuilt))),,$(error no nvcc on PATH, in $$CUDA_HOME/bin or in /usr/local/cuda/bin: install the CUDA toolkit, 12 or 13, or let tools/setup.sh run fetch one))
$(if $(NVCC_WORKS),,$(error no kernel can be compiled))
include build/cubins.mk
endif

# An exercise of lesson 14 replaces the lesson's schemes by the reader's.
build/exercises/14%/run: exercises/14%/step.c $(filter-out %/step.o %/schemes.o,$(call step_files,14_several_gpus)) $(OBJECTS) $(needs_of_14_several_gpus)
	@$(CC) $(WARNINGS) $(CFLAGS) $(INCLUDES) -I$(@D) -Isteps/14_several_gpus -o $@ $^ $(LIBS)

cubins: $(CUBINS)

# --- tests ------------------------------------------------------------------------------------------------------------
build/asan/%.o: %.c | build/commit.h
	@mkdir -p $(@D)
	@echo 'cc   $< (sanitized)'
	@$(CC) $(WARNINGS) -g1 $(SANITIZE) $(OPENMP) $(INCLUDES) -Itests -MMD -MP -c $< -o $@

# Optimised less: the fit that test_order includes takes four seconds by -O3, and no longer to run.
$(filter build/obj/tests/%,$(TEST_HELPERS:build/asan/%=build/obj/%) $(HEAVY:%=build/obj/tests/%.o)): CFLAGS += -O2

build/asan/test_gpus: $(patsubst build/obj/%,build/asan/%,$(filter-out %/step.o %/schemes.o %/main.o,$(call step_files,14_several_gpus)))
build/asan/test_safe: $(patsubst %,build/asan/steps/%/step.o,$(filter 10_% 13_%,$(STEPS)))
build/asan/test_%: build/asan/tests/test_%.o $(TEST_HELPERS) $(COMMON:%.c=build/asan/%.o)
	@echo 'link $@'
	@$(CC) $(SANITIZE) -o $@ $^ -lcmocka $(LIBS)

build/fast/test_%: build/obj/tests/test_%.o $(TEST_HELPERS:build/asan/%=build/obj/%) $(OBJECTS)
	@mkdir -p $(@D)
	@echo 'link $@'
	@$(CC) -o $@ $^ -lcmocka $(LIBS)

build/fake/libcuda.so.1: tests/fake_cuda.c
	@mkdir -p $(@D)
	@$(CC) $(WARNINGS) -g -fPIC -shared $(INCLUDES) -o $@ $<
	@ln -sf libcuda.so.1 build/fake/libcublas.so.13
	@ln -sf libcuda.so.1 build/fake/libcublasLt.so.13

build/fake/libnccl.so.2: tests/fake_nccl.c steps/14_several_gpus/nccl.h
	@mkdir -p $(@D)
	@$(CC) $(WARNINGS) -g -fPIC -shared $(INCLUDES) -o $@ $< -ldl

sanitize: $(UNIT_TESTS)

# What is missing is set up before anything is built; then a make of its own finds it. `make test TESTS=tests/docs_test.sh`
# runs only these. Sets that are too large for a minute are drawn anew each day; `make test SEED=20261126` draws that day's again.
# `make test-all`: whole sets, and the scripts that say so in their heads (browsers, fresh machines, hostile surroundings ...).
ONLY_IN_ALL := $(shell grep -l '^\# Only in make test-all' tests/*.sh)
ALL_TESTS   := $(sort $(UNIT_TESTS) $(wildcard tests/*_test.sh) $(ONLY_IN_ALL))
TESTS ?= $(filter-out $(LEFT_OUT),$(if $(EXHAUSTIVE),$(ALL_TESTS),$(filter-out $(ONLY_IN_ALL),$(ALL_TESTS))))
JOBS  ?= $(shell nproc 2>/dev/null || echo 1)
SIDE_BY_SIDE = --no-print-directory $(if $(filter -j% --jobserver%,$(MAKEFLAGS)),,-j$(JOBS))
install-deps:
	@tools/setup.sh lines

test:
	@tools/setup.sh test
	@$(MAKE) $(SIDE_BY_SIDE) run-tests

test-all:
	@tools/setup.sh test
	@tools/setup.sh site
	@$(MAKE) $(SIDE_BY_SIDE) EXHAUSTIVE=1 run-tests

# A make that a test runs is not a part of this one.
run-tests: all $(filter build/asan/% build/fast/%,$(TESTS)) $(if $(NVCC),build/fake/libcuda.so.1 build/fake/libnccl.so.2)
	@$(if $(filter %.sh,$(LEFT_OUT)),echo 'left out because they need nvcc or the headers of CUDA: $(filter %.sh,$(LEFT_OUT))')
	@NVCC='$(NVCC)' CUDA='$(CUDA)' CC='$(CC)' MAKEFLAGS= WHOLE_PATH="$$PATH" tests/named.sh tests/run.sh -j $(JOBS) $(TESTS)

# Untrusted input: RUNS executions of each harness of tests/fuzz.
RUNS ?= 100000
fuzz: build/sass
	@NVCC='$(NVCC)' tests/fuzz/fuzz.sh $(RUNS)

# Wrong kernels, tests/mutants/STEP.mutants: make mutants STEP=05 for those of one step.
mutants: all
	@NVCC='$(NVCC)' tests/mutants_test.sh all $(STEP)
.PHONY: mutants

# Its kernels are assembled for the GPU here, or for ARCH.
doctor: build/sass build/simrun $(if $(filter no_gpu,$(NO_GPU)),build/gpurun)
	@tools/doctor.sh $(if $(BACKEND),--backend $(BACKEND)) $(if $(filter command,$(firstword $(origin ARCH))),--arch $(ARCH))

test-arch: all
	@NVCC='$(NVCC)' VARIANTS=all tests/run.sh tests/arch_test.sh

# The programs' sources with the kernels for sm_90, for machines without nvcc.
release: all
	@tools/release.sh

# --- measuring and drawing --------------------------------------------------------------------------------------------
profile: all
	@test -n '$(STEP)' || { echo 'which step? make profile STEP=05 [SIZE=512]' >&2; exit 2; }
	@tools/profile.sh $(STEP) '$(SIZE)'

results: all
	tools/results.sh

fit: all
	tools/order.sh here
	tools/tensor_costs.sh here

plots:
	plots/draw.sh $(RESULTS)

pictures: all
	plots/pictures.sh

docs:
	tools/docs.sh

# The boxes that run kernels come along where their compiler is; the pages do without (docs/site.md).
site:
	@test ! -e web/engine/try.js || $(MAKE) --no-print-directory build/web/engine.js build/web/sass.js build/web/kernels/exercises.js || true
	@OWN='$(OWN)' web/site/build.sh

exercises:
	@tools/exercise.sh

exercise: build/sass build/simrun
	@test -n '$(EX)' || { echo 'which exercise? make exercise EX=04a [SHOW=hint|answer|again]' >&2; exit 2; }
	@NVCC='$(NVCC)' tools/exercise.sh $(EX) $(SHOW)

# Versions of clang-format differ in small things; the layout is that of version 14.
LAYOUT = $(or $(shell command -v clang-format-14),clang-format)
format format-check: only-14
only-14:
	@$(LAYOUT) --version | grep -q 'version 14\.' || { echo 'the layout is that of clang-format 14, not of' "$$($(LAYOUT) --version)" >&2; exit 1; }

format:
	$(LAYOUT) -i $(SOURCES)

format-check:
	@$(LAYOUT) --dry-run --Werror $(SOURCES)

# What was fetched stays: build/toolkit, build/cublas.
clean:
	@! test -d build || find build -mindepth 1 -maxdepth 1 ! -name toolkit ! -name cublas -exec rm -rf {} +

FORCE:
.PHONY: all exercise exercises help install-deps cubins bench-sim sanitize test test-all run-tests test-arch doctor fuzz release profile results fit plots pictures docs site \
        format format-check only-14 clean FORCE
.SECONDARY:
.DELETE_ON_ERROR:

include web/engine/engine.mk library/library.mk

-include $(shell find build -name '*.d' 2>/dev/null)
endif
