// Fuzzes the timing model: each kernel of a cubin as `simrun --time --stalls --timeline` takes it.
#define FUZZ_TIME
#include "fuzz_run.c"
