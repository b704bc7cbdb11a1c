# The toolkit's tests: `make test-sasskit`. Unit tests in build/asan (with sanitizers) and
# build/fast, scripts in sasskit/tests. What needs nvcc, kernels of the course or cmocka is skipped
# where that is missing, with a line that says so.

SANITIZE  := -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer \
             -O0
KIT_UNITS := $(patsubst sasskit/tests/%.c,%,$(wildcard sasskit/tests/test_*.c))
# These compute for seconds: `make test-all` alone builds them with sanitizers.
KIT_HEAVY := test_reuse

build/asan/sasskit/%.o: sasskit/%.c
	@mkdir -p $(@D)
	$(call task,cc $< (sanitized))
	$(Q)$(CC) $(WARNINGS) -g1 $(SANITIZE) $(OPENMP) -Isasskit -MMD -MP -c $< -o $@

$(KIT_UNITS:%=build/asan/%): build/asan/%: build/asan/sasskit/tests/%.o \
    build/asan/sasskit/tests/helpers.o $(KIT:%.c=build/asan/%.o)
	$(call task,link $@)
	$(Q)$(CC) $(SANITIZE) -o $@ $^ -lcmocka $(LIBS)
$(KIT_UNITS:%=build/fast/%): build/fast/%: build/obj/sasskit/tests/%.o \
    build/obj/sasskit/tests/helpers.o $(call objects,$(KIT))
	$(call link,-lcmocka)

# simrun with a check of which registers each instruction writes (written/written.c).
build/fast/written: build/obj/sasskit/tests/written/written.o $(SIMRUN)
	$(call link,-Wl$(comma)--wrap=kernel_program$(comma)--wrap=program_close)

# `make test-sasskit TESTS=sasskit/tests/races_test.sh` runs only this test.
HAS_CMOCKA  = $(shell $(CC) -E -include cmocka.h -x c /dev/null >/dev/null 2>&1 && echo yes)
KIT_TESTS   = $(if $(filter command,$(firstword $(origin TESTS))),$(TESTS), \
              $(filter-out sasskit/tests/verdict_chips_test.sh, \
              $(wildcard sasskit/tests/*_test.sh)) \
              $(if $(HAS_CMOCKA), \
                $(patsubst %,build/asan/%,$(filter-out $(KIT_HEAVY),$(KIT_UNITS))) \
                $(KIT_HEAVY:%=build/fast/%)))
# Without nvcc, the inner make gets a path that does not exist; else it would search for nvcc.
test-sasskit:
	@NVCC='$(or $(NVCC),/nonexistent)' $(MAKE) $(SIDE_BY_SIDE) run-test-sasskit
run-test-sasskit: sasskit $(if $(filter run-test-sasskit,$(MAKECMDGOALS)), \
    $(filter build/%,$(KIT_TESTS)))
	@$(if $(HAS_CMOCKA),, \
	  echo 'left out because they need cmocka (Debian: libcmocka-dev): $(KIT_UNITS)')
	@NVCC='$(NVCC)' CUDA='$(CUDA)' CC='$(CC)' MAKEFLAGS= WHOLE_PATH="$$PATH" \
	  tests/run.sh -j $(JOBS) $(KIT_TESTS)

# Fuzzing: RUNS executions of each harness of sasskit/tests/fuzz and tests/fuzz.
RUNS ?= 100000
fuzz: sasskit
	@NVCC='$(NVCC)' sasskit/tests/fuzz/fuzz.sh $(RUNS)
	@NVCC='$(NVCC)' tests/fuzz/fuzz.sh $(RUNS)
.PHONY: test-sasskit run-test-sasskit
