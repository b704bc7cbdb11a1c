# The course's programs for a browser: build/web/engine.js, build/web/sass.js, and the kernels' data
# in build/web/kernels. The Makefile includes this file.
# Requires clang 14 or newer, lld and wasi-libc. If Binaryen's wasm-opt is installed, the modules
# become a fifth smaller.

WASM_CC    ?= clang
WASM_FLAGS := --target=wasm32-wasi --sysroot=/usr -mbulk-memory -mnontrapping-fptoint -msign-ext \
              -std=c11 -D_GNU_SOURCE -DNDEBUG \
              -D_WASI_EMULATED_SIGNAL -D_WASI_EMULATED_MMAN -Wall -Wextra -Wpedantic \
              -Wno-unused-parameter -fopenmp-simd -ftls-model=local-exec -ffunction-sections \
              -fdata-sections
WASM_LIBS  := -nostartfiles -L/usr/lib/wasm32-wasi -lm \
              -Wl,--gc-sections,--strip-all,--export-table,--growable-table,--import-memory \
              -Wl,--initial-memory=8388608,--max-memory=2147483648,-z,stack-size=1048576
WASM_OPT   := $(shell command -v wasm-opt)
# --ignore-implicit-traps is left out: with it, wasm-opt may move a load before the condition that
# guards it, where the load may trap.
WASM_SMALLER := -O3 -Oz --low-memory-unused -ocimfs 50 --rse -Oz --enable-simd \
                --enable-bulk-memory --enable-sign-ext --enable-nontrapping-float-to-int
# WASM_FAST: code that runs for every simulated instruction, for shared memory and for matrices; it
# is compiled for speed (-Os), the rest for size (-Oz). -O2 instead of -Os adds 1 KB (brotli) and is
# no faster.
# WASM_LANES: loops over lanes in which kernels spend their time; they use SIMD, also at -Oz.
WASM_FAST  := $(addprefix sasskit/sim/,run/warp.c machine/scoreboard.c ops/shared.c) \
              common/harness/matrix.c
WASM_LANES := $(addprefix sasskit/sim/ops/,integer.c global.c move.c fp32.c convert.c)
WASM_SPEED  = $(if $(filter $(WASM_FAST),$<),-Os -msimd128,-Oz \
              $(if $(filter $(WASM_LANES),$<),-msimd128)) -Wno-pass-failed

# The programs are in two modules: sass, and the programs that run kernels. Neither has the
# microbenchmarks, the programs for several GPUs, or the exercises that need a compiler.
WASM_STEPS := $(filter-out steps/00_machine/% steps/14_several_gpus/%,\
              $(wildcard steps/*/step.c library/*/step.c)) \
              $(patsubst %wishes,build/%step.c, \
              $(shell grep -l '^launch|' $$(grep -l '^base|.*\.sass$$' exercises/*/wishes)))
WASM_C     := $(filter-out sasskit/base/file.c sasskit/base/streams.c sasskit/tune/% \
              $(addprefix common/harness/,timing.c csv.c draw.c) sasskit/sim/run/link.c \
              $(addprefix common/backend/,gpu.c driver.c cublas.c cublaslt.c nvml.c), \
              $(sort $(COMMON) common/backend/no_gpu.c sasskit/programs/sass.c \
              common/harness/main.c \
              $(addprefix sasskit/sim/programs/, \
              simrun.c list.c predict.c results.c mistakes.c stepper.c))) \
              $(WASM_STEPS) $(addprefix web/engine/,engine.c system.c library.c format.c boxes.c)
WASM_O     := $(WASM_C:%.c=build/wasm/%.o)

build/wasm/sasskit/programs/sass.o: WASM_MAIN := -Dmain=sass_main
build/wasm/common/harness/main.o: WASM_MAIN := -Dmain=ladder_main
build/wasm/sasskit/sim/programs/simrun.o: WASM_MAIN := -Dmain=simrun_main

# Every exercise defines exercise_entry. One module has all exercises, so each gets its own name.
build/wasm/build/exercises/%/step.o: WASM_MAIN = -Dexercise_entry=exercise_$(notdir $(@D))

# Link-time optimization saves 700 bytes. The files that replace the C library are excluded, because
# the linker would take the library's own functions instead. The link command has no -O: with it,
# clang would run any wasm-opt on PATH.
WASM_WHOLE   = $(if $(filter $(addprefix web/engine/,system.c library.c format.c),$<),,-flto)
WASM_COMPILE = $(WASM_CC) $(WASM_FLAGS) $(WASM_SPEED) $(WASM_WHOLE) $(WASM_MAIN) \
               -isystem web/engine/wasm -isystem /usr/include/wasm32-wasi -Icommon -Isasskit \
               -Icommon/harness -MMD -MP
build/wasm/%.o: %.c build/wasm/how
	@mkdir -p $(@D)
	$(call task,wasm $<)
	$(Q)$(WASM_COMPILE) -c $< -o $@
# Compiles a lesson's step.c without the texts that only --list, --candidates and nvcc need.
build/wasm/%/step.o: %/step.c web/engine/terse.awk build/wasm/how
	@mkdir -p $(@D)
	$(call task,wasm $<)
	@awk '/^#include ".*\.def"/ { gsub(/^[^"]*"|"$$/, ""); file = "$(<D)/" $$0; \
	    while ((getline line < file) > 0) print line; next } { print }' $< | \
	  awk -f web/engine/terse.awk | \
	  sed -E -e '/^ *\.(idea|title) =/{:a;/,$$/!{N;ba};d}' \
	    -e 's/\.is_candidate = [a-z_]+/.is_candidate = 0/' | \
	  $(WASM_COMPILE) -MF $(@:.o=.d) -I$(<D) -x c -c - -o $@

# The module of sass leaves out the simulator's programs, because the linker would also add
# everything that they call.
build/wasm/sass.wasm: $(filter-out build/wasm/sasskit/sim/programs/%,$(filter build/wasm/sasskit/% \
    build/wasm/web/engine/engine.o \
    $(addprefix build/wasm/web/engine/,system.o library.o format.o),$(WASM_O)))
build/wasm/simulator.wasm: $(filter-out build/wasm/sasskit/programs/sass.o,$(WASM_O))
build/wasm/simulator.wasm: WASM_EXPORT := -Wl,--export=lanes_ffma,--export=run_streak
build/wasm/sass.wasm build/wasm/simulator.wasm:
	$(call task,link $@)
	$(Q)$(WASM_CC) $(WASM_FLAGS) -o $@.new $^ $(WASM_LIBS) $(WASM_EXPORT)
	@$(if $(WASM_OPT),$(WASM_OPT) $(WASM_SMALLER) $@.new -o $@.new)
	@mv $@.new $@

# build/wasm/how has the flags. The modules are rebuilt if a flag changes, or if wasm-opt was
# installed since.
WASM_HOW := $(WASM_CC) $(WASM_FLAGS) -flto $(WASM_LIBS) $(WASM_FAST) $(WASM_LANES) $(WASM_OPT) \
            $(WASM_SMALLER)
build/wasm/how: $(ALWAYS)
	@mkdir -p $(@D)
	@echo '$(WASM_HOW)' | cmp -s - $@ || echo '$(WASM_HOW)' > $@

# Two modules for FFMA, with relaxed SIMD and without; each has a few hundred bytes and uses the
# engine's memory. They are compiled and linked in two steps, because clang with -O runs wasm-opt
# from PATH when it links. That wasm-opt may not know relaxed SIMD.
WASM_SMALL := -nostdlib \
              -Wl,--no-entry,--strip-all,--import-memory,--export=ffma,--export=streak \
              -Wl,--export-if-defined=is_fused
build/wasm/fused.o: WASM_RELAXED := -DRELAXED
build/wasm/fused.o build/wasm/ffma.o: web/engine/ffma.c sasskit/sim/machine/machine.h \
    sasskit/sim/ops/lanes.h
	@mkdir -p $(@D)
	@$(WASM_CC) $(WASM_FLAGS) $(WASM_RELAXED) -O2 -msimd128 -isystem web/engine/wasm \
	  -isystem /usr/include/wasm32-wasi -Icommon -Isasskit -c $< -o $@
build/wasm/ffma.wasm build/wasm/fused.wasm: %.wasm: %.o
	@$(WASM_CC) $(WASM_FLAGS) $(WASM_SMALL) -o $@ $<

# These scripts contain the modules as text (gzip, then base64), because a page that is opened as a
# file cannot load modules, and the Worker's script, without comments.
pack = printf 'Engine.packed.$(1) = "'; gzip -9nc build/wasm/$(1).wasm | base64 -w 0; echo '";'
build/web/engine.js: web/engine/runner.js web/engine/worker.js build/wasm/simulator.wasm \
    build/wasm/ffma.wasm build/wasm/fused.wasm
	@mkdir -p $(@D)
	$(call task,pack $@)
	@{ sed '/^ *\/\//d' $<; printf 'Engine.packed.worker = `'; \
	   sed '/^ *\/\//d; s/[\`$$]/\\&/g' web/engine/worker.js; echo '`;'; \
	   $(foreach m,simulator ffma fused,$(call pack,$(m));) echo 'Engine.warm();'; } > $@.new && \
	   mv $@.new $@
build/web/sass.js: build/wasm/sass.wasm
	@mkdir -p $(@D)
	@{ $(call pack,sass); } > $@.new && mv $@.new $@

build/web/kernels/exercises.js: web/engine/kernels.sh build/exercise build/ladder cubins \
    $(wildcard exercises/*/*) docs/results/h200/counters.csv
	@web/engine/kernels.sh $(@D)
