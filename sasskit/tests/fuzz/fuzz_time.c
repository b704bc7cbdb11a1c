// Fuzzes the timing model: `simrun --time --stalls --timeline` on each kernel of a cubin.
#define FUZZ_TIME
#include "fuzz_run.c"
