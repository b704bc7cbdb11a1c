# Builds build/sass and build/simrun, which need only a C11 compiler.
# Goals: `make sasskit`, `make install-sasskit PREFIX=/usr/local`.

KIT_ISA   := $(wildcard sasskit/base/*.c sasskit/isa/*.c)
KIT_SIM   := $(wildcard $(patsubst %,sasskit/sim/%/*.c,machine checks counts ops run))
KIT_MODEL := $(wildcard sasskit/model/*.c)
KIT_TUNE  := $(wildcard sasskit/tune/*.c) sasskit/sim/programs/arguments.c
KIT_SASS  := $(wildcard sasskit/asm/*.c sasskit/lint/*.c sasskit/reuse/*.c)
KIT       := $(KIT_ISA) $(KIT_SIM) $(KIT_MODEL) $(KIT_TUNE) $(KIT_SASS)
# The judge of `sass tune` is the model. If CUDA's headers are installed, common/judge adds a GPU.
JUDGES    ?= sasskit/programs/judges.c

# LANES: files with loops over a warp's lanes, compiled for this processor. On an older processor
# the program ends with a message (engine.c). With PORTABLE=1 each is compiled for x86-64, x86-64-v3
# and x86-64-v4, and the program chooses one when it starts.
LANES  := $(patsubst %,sasskit/sim/%.c,$(addprefix ops/, \
          fp32 integer fp64 convert half move shared global texture matrix warpgroup) \
          run/branch run/warp)
HERE   := $(shell $(CC) -march=native -dM -E -x c /dev/null 2>/dev/null | \
            awk '/__(AVX2|FMA|BMI2)__/ { v3++ } /__AVX512(F|BW|DQ|VL|CD)__/ { v4++ } \
            END { print v3 < 3 ? "base" : v4 < 5 ? "v3" : "v4" }')
LEVELS := $(if $(PORTABLE),base \
          $(if $(findstring x86_64,$(shell $(CC) -dumpmachine 2>/dev/null)),v3 v4),$(HERE))
# gcc before 11 and clang before 12 do not know these levels and get their instruction sets.
accepted    = $(shell $(CC) $(1) -E -x c /dev/null >/dev/null 2>&1 && echo '$(1)')
march_v3   := $(or $(call accepted,-march=x86-64-v3),-mcx16 -msahf -mpopcnt -mavx2 -mbmi -mbmi2 \
              -mf16c -mfma -mlzcnt -mmovbe)
march_v4   := $(or $(call accepted,-march=x86-64-v4),$(march_v3) -mavx512f -mavx512bw -mavx512cd \
              -mavx512dq -mavx512vl) \
              -mprefer-vector-width=512

# $(call objects,FILES): the object files of FILES; one per level for a file in LANES.
objects = $(patsubst %.c,build/obj/%.o,$(filter-out $(LANES),$(1))) \
          $(foreach level,$(LEVELS),$(patsubst %.c,build/obj/%.$(level).o,$(filter $(LANES),$(1))))

define compile
@mkdir -p $(@D)
$(call task,cc $<$(if $(2), ($(2))))
$(Q)$(CC) $(WARNINGS) $(CFLAGS) $(1) $(OPENMP) -MMD -MP -c $< -o $@
endef
define link
@mkdir -p $(@D)
$(call task,link $@)
$(Q)$(CC) -o $@ $(filter %.o %.a,$^) $(1) $(LIBS)
endef

build/obj/sasskit/%.o: sasskit/%.c
	$(call compile,-Isasskit)
build/obj/sasskit/%.base.o: sasskit/%.c
	$(call compile,-Isasskit $(FASTER),every processor)
build/obj/sasskit/%.v3.o: sasskit/%.c
	$(call compile,-Isasskit $(FASTER) $(march_v3) -DSIM_ISA=v3,x86-64-v3)
build/obj/sasskit/%.v4.o: sasskit/%.c
	$(call compile,-Isasskit $(FASTER) $(march_v4) -DSIM_ISA=v4,x86-64-v4)

build/sass: $(call objects,sasskit/programs/sass.c $(JUDGES) $(KIT))
	$(call link)
SIMRUN := $(call objects,$(patsubst %,sasskit/sim/programs/%.c,simrun list predict results \
          mistakes stepper arguments) $(KIT_MODEL) $(KIT_SIM) $(KIT_ISA))
build/simrun: $(SIMRUN)
	$(call link)
build/bench_sim: $(call objects,sasskit/sim/programs/bench.c $(KIT_MODEL) $(KIT_SIM) $(KIT_ISA))
	$(call link)

sasskit: build/sass build/simrun
install-sasskit: sasskit
	@mkdir -p $(addprefix '$(DESTDIR)$(PREFIX)'/,bin share/doc/sasskit)
	@cp build/sass build/simrun '$(DESTDIR)$(PREFIX)/bin'
	@cp -r sasskit/README.md sasskit/docs sasskit/examples '$(DESTDIR)$(PREFIX)/share/doc/sasskit'
	@echo 'sass and simrun are in $(DESTDIR)$(PREFIX)/bin'
.PHONY: sasskit install-sasskit
