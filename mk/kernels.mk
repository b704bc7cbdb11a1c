# The kernels. build/cubin_rules makes their rules from the lessons' tables (step.c); this file has
# the recipes that these rules call.
ifneq ($(COUNTING)$(filter build/cubins.mk,$(MAKECMDGOALS)),1)
build/cubins.mk: build/cubin_rules build/arch $(wildcard mk/*.mk)
	@build/cubin_rules build $(ARCH) > $@.new && mv $@.new $@
endif

build/arch: $(ALWAYS)
	@mkdir -p build
	@echo '$(ARCH)' | cmp -s - $@ || echo '$(ARCH)' > $@

# ptxas cannot read line information if the name of the folder has a double quote. In such a folder
# kernels have no line information.
LINEINFO := $(if $(findstring ",$(CURDIR)),,-lineinfo)

# The sources of a cubin: the prerequisites except build/sass and other cubins.
MADE_FROM = $(sort $(filter-out build/sass %.cubin,$^))

define compile_cubin
@mkdir -p $(@D)
@cat $(MADE_FROM) | cksum > $(@:.cubin=.sum)
$(call task,nvcc $(@:build/cubin/%.cubin=%))
$(Q)$(NVCC) -O3 -std=c++17 -cubin -gencode=arch=$(1:sm_%=compute_%),code=$(1) $(LINEINFO) \
	  -Xptxas -v $(2) -o $@ $< > $(@:.cubin=.log) 2>&1 || \
  { cat $(@:.cubin=.log); rm -f $@; exit 1; }
endef

# Assembles machine code that is given as text.
define assemble_cubin
@mkdir -p $(@D)
$(call task,sass asm $(@:build/cubin/%.cubin=%))
$(Q)build/sass asm $< --arch $(1) $(2) -o $@ > $(@:.cubin=.log) 2>&1 || \
	  { cat $(@:.cubin=.log); rm -f $@; exit 1; }
endef

define copy_cubin
@mkdir -p $(@D)
@cat $(MADE_FROM) | cksum > $(@:.cubin=.sum)
@cp $(filter %.cubin,$^) $@ && cp $(patsubst %.cubin,%.log,$(filter %.cubin,$^)) $(@:.cubin=.log)
endef

# Compiles a cubin, or copies the cubin of another variant with the same source and flags.
define compiled_cubin
$(if $(filter %.cubin,$^),$(copy_cubin),$(compile_cubin))
endef

# Compiles a cubin and rewrites its machine code.
define reuse_cubin
$(compiled_cubin)
$(call task,sass reuse $(@:build/cubin/%.cubin=%))
$(Q)build/sass reuse $@ --passes $(PASSES) -o $@.new >> $(@:.cubin=.log) 2>&1 && mv $@.new $@ || \
  { cat $(@:.cubin=.log); rm -f $@ $@.new; exit 1; }
endef

# Disassembles one kernel of the first cubin, edits the listing by awk, and assembles it again.
define edit_cubin
$(call task,sass asm $(@:build/cubin/%.cubin=%))
$(Q)build/sass dis $< --kernel $(1) | awk -v pattern=$(2) -f $(filter %.awk,$^) > $(@:.cubin=.sass)
$(Q)build/sass asm $(@:.cubin=.sass) --into $< -o $@
endef

# A release has compiled cubins in prebuilt/. Without nvcc they are used, if their sources and flags
# are unchanged.
ifeq ($(NVCC),)
define compile_cubin
@mkdir -p $(@D)
@cat $(MADE_FROM) | cksum | cmp -s - $(@:build/%.cubin=prebuilt/%.sum) || \
  { echo '$<: changed since the release was made or not part of it ($(@F)), and' \
  'there is no nvcc to compile it' >&2; exit 1; }
@cp $(@:build/%.cubin=prebuilt/%.cubin) $(@:build/%.cubin=prebuilt/%.log) $(@D)
endef
reuse_cubin = $(compile_cubin)
endif

# Only goals that need kernels read these rules. Other goals do not require nvcc.
ifneq ($(NEEDS_KERNELS),)
ifeq ($(or $(NVCC),$(if $(filter $(NVCC_GOALS),$(MAKECMDGOALS)),,$(wildcard prebuilt))),)
$(error no nvcc on PATH, in $$CUDA_HOME/bin or in /usr/local/cuda/bin: install the CUDA toolkit, \
    12 or 13, or let tools/setup.sh run fetch one)
endif
$(if $(NVCC_WORKS),,$(error no kernel can be compiled))
ifndef COUNTING
include build/cubins.mk
else ifeq ($(filter build/cubins.mk,$(MAKECMDGOALS)),)
-include build/cubins.mk
endif
endif

# A program's rule also makes the kernels that it runs. `make quick` makes those that the ladder
# shows, the last variants of lessons 01 to 09, and the tools for a kernel of one's own.
SHOWN := $(foreach arch,$(ARCH),$(foreach step,$(filter 01_% 02_% 03_% 04_% 05_% 06_% 07_% \
    08_% 09_%,$(STEPS)),\
           $(lastword $(filter build/cubin/$(arch)/$(step)/%,$(CUBINS)))))
$(foreach step,$(STEPS),$(foreach needed,$(step) $(notdir $(needs_of_$(step):%/step.o=%)),\
  $(eval build/$(step): | $(filter $(ARCH:%=build/cubin/%/$(needed)/%),$(CUBINS)))))
build/ladder: | \
    $(if $(filter quick,$(MAKECMDGOALS)),$(SHOWN), \
    $(if $(filter profile,$(MAKECMDGOALS)),,$(CUBINS)))
quick: build/ladder build/sass build/simrun
.PHONY: quick

build/nvcc: $(ALWAYS)
	@mkdir -p build
	@printf '#!/bin/sh\nexec "%s" %s "$$@"\n' '$(NVCC)' '$(NVCC_OPTIONS)' | cmp -s - $@ || \
	  { printf '#!/bin/sh\nexec "%s" %s "$$@"\n' '$(NVCC)' '$(NVCC_OPTIONS)' >$@ && chmod +x $@; }

$(CUBINS): | $(if $(NVCC),build/nvcc)
cubins: $(CUBINS)
