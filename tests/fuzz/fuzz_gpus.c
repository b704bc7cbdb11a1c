// Fuzzes the command line of step 14, with the harness of fuzz_options.c.
#define FUZZ_GPUS
#include "fuzz_options.c"
