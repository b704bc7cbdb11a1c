// Fuzzes the command line of step 14.
#define FUZZ_GPUS
#include "fuzz_options.c"
