# Progress. A recipe begins with $(call task,TEXT) and prints "[12/140] TEXT"; at a terminal the line moves and has the seconds so far.
# V=1 shows the commands instead; -s shows nothing. Make expands one recipe after the other, so the count needs no lock. When the first
# task comes, a dry run (COUNTING) counts how many there will be: those of build/cubins.mk, which make remakes first, or of the goals.
Q      := $(if $(V),,@)
# What is written anew only when it changes; a dry run takes it as it is.
ALWAYS := $(if $(COUNTING),,FORCE)
SILENT := $(findstring s,$(filter-out --%,$(firstword -$(MAKEFLAGS))))
ifdef COUNTING
task    = @: a task
else ifneq ($(V)$(SILENT),)
task    = @:
else
STARTED := $(shell date +%s)
dry_run  = $(shell env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL $(MAKE) -n --no-print-directory COUNTING=1 $(MAKEOVERRIDES) $(1) 2>/dev/null | grep -c '^: a task$$')
TOTAL    = $(eval TOTAL := $(or $(filter-out 0,$(if $(NEEDS_KERNELS),$(call dry_run,build/cubins.mk))),$(call dry_run,$(MAKECMDGOALS))))$(TOTAL)
task     = $(eval DONE += x)$(if $(MAKE_TERMOUT),$(moving_line),$(plain_line))
plain_line  = @echo '[$(words $(DONE))/$(TOTAL)] $(1)'
moving_line = @printf '\033[K[%s/%s] %.60s  %s s$(if $(filter $(words $(DONE)),$(TOTAL)),\n,\r)' \
                $(words $(DONE)) $(TOTAL) '$(1)' $$(($$(date +%s) - $(STARTED)))
endif
