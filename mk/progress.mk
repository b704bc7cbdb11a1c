# Progress. A recipe begins with $(call task,TEXT), which prints "[12/140] TEXT". At a terminal the
# line is overwritten and has the elapsed seconds. V=1 shows the commands instead; -s shows nothing.
# Make expands recipes one after another, so the count needs no lock. The first task starts a dry
# run (COUNTING), which counts all tasks of the goals. If make has to remake build/cubins.mk, after
# which it starts again, the dry run counts the tasks of that file instead.
Q      := $(if $(V),,@)
# $(ALWAYS) is a prerequisite of files whose content every run computes; a run writes a file only if
# its content changed. A dry run does not compute them.
ALWAYS := $(if $(COUNTING),,FORCE)
SILENT := $(findstring s,$(filter-out --%,$(firstword -$(MAKEFLAGS))))
ifdef COUNTING
task    = @: a task
else ifneq ($(V)$(SILENT),)
task    = @:
else
STARTED := $(shell date +%s)
dry_run  = $(shell env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL $(MAKE) -n --no-print-directory \
    COUNTING=1 $(MAKEOVERRIDES) $(1) 2>/dev/null | grep -c '^: a task$$')
TOTAL    = $(eval TOTAL := $(or $(filter-out 0,$(if $(NEEDS_KERNELS), \
           $(call dry_run,build/cubins.mk))),$(call dry_run,$(MAKECMDGOALS))))$(TOTAL)
task     = $(eval DONE += x)$(if $(MAKE_TERMOUT),$(moving_line),$(plain_line))
# The dry run counts 0 if objects of a linked program were removed. Then no total is shown.
of_total    = $(words $(DONE))$(addprefix /,$(filter-out 0,$(TOTAL)))
plain_line  = @echo '[$(of_total)] $(1)'
moving_line = @printf '\033[K[%s] %.60s  %s s$(if $(filter $(words $(DONE)),$(TOTAL)),\n,\r)' \
                $(of_total) '$(1)' $$(($$(date +%s) - $(STARTED)))
endif
