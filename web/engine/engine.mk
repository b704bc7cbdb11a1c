# The course's programs for a browser: build/web/engine.js, and the data of the kernels, build/web/kernels.js. Included by the
# Makefile. It takes clang, lld and wasi-libc; clang 16 or newer knows relaxed SIMD as browsers have it, an older one leaves the
# module with it out.

WASM_CC    ?= $(or $(firstword $(foreach v,22 19 16,$(shell command -v clang-$(v)))),clang)
WASM_FLAGS := --target=wasm32-wasi --sysroot=/usr -mbulk-memory -mnontrapping-fptoint -msign-ext -std=c11 -D_GNU_SOURCE \
              -D_WASI_EMULATED_SIGNAL -D_WASI_EMULATED_MMAN -Wall -Wextra -Wpedantic -fopenmp-simd -ftls-model=local-exec -ffunction-sections -fdata-sections
WASM_LIBS  := -L/usr/lib/wasm32-wasi -lwasi-emulated-signal -lwasi-emulated-mman -lm \
              -Wl,--gc-sections,--strip-all,--export-table,--growable-table,--export=lanes_ffma,--initial-memory=8388608,--max-memory=2147483648,-z,stack-size=1048576
# Where the time goes is fast, the rest is small.
WASM_FAST  := common/sim/ops/% common/sim/run/% common/sim/checks/% common/sim/machine/% web/engine/ffma.c
WASM_SPEED  = $(if $(filter $(WASM_FAST),$<),-O2 -msimd128,-Oz)

WASM_STEPS := $(wildcard steps/*/step.c exercises/*/step.c)
WASM_C     := $(filter-out common/file/%,$(COMMON)) common/backend/no_gpu.c common/sass/main.c \
              common/harness/main.c common/sim/programs/simrun.c common/sim/programs/predict.c web/engine/engine.c
WASM_C     := $(filter-out $(addprefix common/backend/,gpu.c driver.c cublas.c cublasxt.c nvml.c nccl.c engine_gpu.c engine_sim.c) common/gpus/%, \
              $(sort $(WASM_C))) common/gpus/schedule.c $(WASM_STEPS)
WASM_O     := $(WASM_C:%.c=build/wasm/%.o)

build/wasm/common/sass/main.o: WASM_MAIN := -Dmain=sass_main
build/wasm/common/harness/main.o: WASM_MAIN := -Dmain=ladder_main
build/wasm/common/sim/programs/simrun.o: WASM_MAIN := -Dmain=simrun_main

# Exercises' programs have one step each, all of one name; here they are together.
build/wasm/exercises/%/step.o: WASM_MAIN = -Dexercise_entry=exercise_$(notdir $(@D))

build/wasm/%.o: %.c | build/commit.h
	@mkdir -p $(@D)
	@echo 'wasm $<'
	@$(WASM_CC) $(WASM_FLAGS) $(WASM_SPEED) $(WASM_MAIN) -isystem web/engine/wasm -isystem /usr/include/wasm32-wasi -Icommon -Icommon/harness -Ibuild -MMD -MP -c $< -o $@

build/wasm/engine.wasm: $(WASM_O)
	@echo 'link $@'
	@$(WASM_CC) $(WASM_FLAGS) -o $@ $^ $(WASM_LIBS)

# Relaxed SIMD, as browsers have it, since clang 16.
WASM_FUSED := $(if $(shell $(WASM_CC) --version 2>/dev/null | grep -E 'version (1[6-9]|[2-9][0-9])\.'),build/wasm/fused.wasm)

# A few hundred bytes each, in the engine's memory. (Compiled and linked apart: clang that optimizes while it links runs a
# wasm-opt that is on PATH, which may be too old for relaxed SIMD.)
WASM_SMALL := -nostdlib -Wl,--no-entry,--strip-all,--import-memory,--export=ffma,--export=is_fused
build/wasm/fused.o: web/engine/ffma.c
	@mkdir -p $(@D)
	@$(WASM_CC) $(WASM_FLAGS) -mrelaxed-simd -O2 -msimd128 -isystem /usr/include/wasm32-wasi -c $< -o $@
build/wasm/ffma.o: web/engine/ffma.c
	@mkdir -p $(@D)
	@$(WASM_CC) $(WASM_FLAGS) -O2 -msimd128 -isystem /usr/include/wasm32-wasi -c $< -o $@
build/wasm/ffma.wasm build/wasm/fused.wasm: %.wasm: %.o
	@$(WASM_CC) $(WASM_FLAGS) $(WASM_SMALL) -o $@ $<

# Scripts for a page that has no server: bytes stand in them packed and as base64.
pack = printf '  $(1): "'; gzip -9nc $(2) | base64 -w 0; echo '",'
build/web/engine.js: web/engine/runner.js web/engine/worker.js build/wasm/engine.wasm build/wasm/ffma.wasm $(WASM_FUSED)
	@mkdir -p $(@D)
	@echo 'pack $@'
	@{ cat $<; echo 'Engine.packed = {'; printf '  worker: "'; base64 -w 0 web/engine/worker.js; echo '",'; \
	   $(foreach m,engine ffma $(if $(WASM_FUSED),fused),$(call pack,$(m),build/wasm/$(m).wasm);) echo '};'; } > $@.new && mv $@.new $@

build/web/kernels.js: web/engine/kernels.sh cubins $(wildcard exercises/*/*) docs/results/h200/counters.csv
	@mkdir -p $(@D)
	@web/engine/kernels.sh > $@.new && mv $@.new $@
