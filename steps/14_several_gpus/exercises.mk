# The program of an exercise of this lesson: the reader's schemes in place of the lesson's.
build/exercises/14%/run: exercises/14%/step.c \
    $(filter-out %/step.o %/schemes.o,$(call step_files,14_several_gpus)) \
    $(call objects,$(COURSE)) $(needs_of_14_several_gpus)
	$(call task,link $@)
	$(Q)$(CC) $(WARNINGS) $(CFLAGS) $(INCLUDES) -I$(@D) -Isteps/14_several_gpus \
	  -o $@ $^ $(LIBS) $(RPATH)
