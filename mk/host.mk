# The programs of the course: build/ladder, one program per lesson, and small tools. Each links only
# the rooms (folders of sources, rooms.txt) that it uses; tests/programs_test.sh checks that.
INCLUDES := -Icommon -Isasskit -Icommon/harness -Ibuild \
    $(addprefix -isystem ,$(filter-out /usr/include,$(CUDA:%=%/include)))

# Folders of all steps: the lessons, and those of the library (library/shapes).
STEP_FOLDERS := $(patsubst %/step.c,%,$(sort $(wildcard steps/*/step.c)) \
    $(sort $(wildcard library/*/step.c)))
STEPS    := $(notdir $(STEP_FOLDERS))
# lessons_like WORD: the lessons with this number, "5" or "05", or with this name, "float4".
lessons_like = $(filter $(1) $(1)_% 0$(1)_% %_$(1),$(STEPS))
# A goal such as build/05, build/5_float or build/float4 stops make; the message names the program.
digits = 0% 1% 2% 3% 4% 5% 6% 7% 8% 9%
first_word = $(firstword $(subst _, ,$(1)))
meant_by = $(if $(findstring /,$(1)),,$(or $(call lessons_like,$(1)), \
    $(call lessons_like,$(filter $(digits),$(first_word)))))
OTHER_PROGRAMS := $(filter-out build/sass $(STEPS:%=build/%),$(filter build/%,$(MAKECMDGOALS)))
$(foreach goal,$(OTHER_PROGRAMS),$(eval MEANT := $(call meant_by,$(goal:build/%=%)))\
  $(if $(MEANT),$(error $(goal): there is no such program; did you mean \
  `make $(MEANT:%=build/%)`?)))
BACKENDS := $(filter-out $(NO_GPU:%=common/backend/%.c),$(wildcard common/backend/*.c))
HARNESS  := $(filter-out common/harness/main.c common/harness/cubin_rules.c, \
    $(wildcard common/harness/*.c))
# COURSE: files that a lesson's program needs besides its own. COMMON: the harness, the backends and
# sasskit without its programs, for the tests and for the engine of the pages.
COURSE   := $(HARNESS) $(BACKENDS) $(KIT_MODEL) $(KIT_SIM) $(KIT_ISA)
COMMON   := $(HARNESS) $(BACKENDS) $(KIT)
OBJECTS  := $(call objects,$(COMMON))
STEP_OBJECTS := $(STEP_FOLDERS:%=build/obj/%/step.o)
# A lesson with a main.c has its own main() and is made of all .c files of its folder. Without the
# toolkit's headers, the files that include these headers are left out.
APART        := $(patsubst steps/%/main.c,%,$(wildcard steps/*/main.c))
STEP_NO_GPU  := $(if $(GPU),no_gpu,engine_gpu nccl cublasxt)
step_files    = \
    $(patsubst %.c,build/obj/%.o,$(filter-out $(STEP_NO_GPU:%=steps/$(1)/%.c), \
    $(wildcard steps/$(1)/*.c)))

build/obj/%.o: %.c | build/commit.h
	$(call compile,$(INCLUDES))
$(patsubst %,build/obj/common/harness/%.o,check matrix reference): CFLAGS += $(FASTER)

build/ladder: build/obj/common/harness/main.o $(STEP_OBJECTS) $(call objects,$(COURSE)) build/steps
	$(call link,$(RPATH))

# build/cubins.mk adds the step.o of other lessons whose kernels a program runs.
$(foreach step,$(APART),$(eval build/$(step): $(call step_files,$(step))))
$(foreach folder,$(filter-out $(APART:%=steps/%),$(STEP_FOLDERS)), \
    $(eval build/$(notdir $(folder)): build/obj/common/harness/main.o build/obj/$(folder)/step.o))
$(STEPS:%=build/%): $(call objects,$(COURSE))
	$(call link,$(RPATH))

# cubin_rules only reads the lessons' tables. It never calls the functions that the tables point to,
# so these need not be linked.
build/cubin_rules: $(STEP_OBJECTS) \
    $(call objects,$(patsubst %,common/harness/%.c,cubin_rules steps say) \
    $(wildcard sasskit/base/*.c)) build/steps
	$(call link,-Wl$(comma)--unresolved-symbols=ignore-all)
comma := ,

# build/steps changes when a lesson is added or removed, build/backends when a toolkit appears or
# disappears, and build/commit.h with the commit.
build/steps: $(ALWAYS)
	@mkdir -p build
	@echo '$(STEPS)' | cmp -s - $@ || echo '$(STEPS)' > $@
build/backends: $(ALWAYS)
	@mkdir -p build
	@echo 'all but $(NO_GPU)' | cmp -s - $@ || echo 'all but $(NO_GPU)' > $@
build/sass $(call objects,$(BACKENDS)) $(foreach step,$(APART),$(call step_files,$(step))): \
    build/backends
build/commit.h: $(ALWAYS)
	@mkdir -p build
	@echo '#define COMMIT "$(COMMIT)"' | cmp -s - $@ || echo '#define COMMIT "$(COMMIT)"' > $@

# The checker of the exercises.
build/exercise: $(call objects,$(wildcard exercises/*.c) sasskit/base/file.c sasskit/base/streams.c)
	$(call link)

# The program of an exercise: the harness and a step.c, which build/exercise generates from the file
# `wishes`. build/exercise puts the reader's cubin beside the program.
build/exercises/%/step.c: exercises/%/wishes build/exercise
	@mkdir -p $(@D)
	@build/exercise $* step > $@

build/exercises/%/run: build/exercises/%/step.c build/obj/common/harness/main.o \
    $(call objects,$(COURSE))
	$(call task,link $@)
	$(Q)$(CC) $(WARNINGS) $(CFLAGS) $(INCLUDES) -o $@ $^ $(LIBS) $(RPATH)

# gpurun launches on a GPU what simrun simulates, for compute-sanitizer and Nsight Compute.
build/gpurun: $(call objects,tools/latency/gpurun.c $(GPU) common/backend/limit.c \
    sasskit/sim/programs/arguments.c $(KIT_SIM) $(KIT_ISA))
	$(call link)

# The dependencies of object files, which the compiler wrote beside them.
-include $(shell find build/obj build/asan build/pic build/wasm -name '*.d' 2>/dev/null)
