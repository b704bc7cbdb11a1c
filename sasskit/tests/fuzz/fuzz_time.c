// Fuzzes the timing model: times each kernel of a cubin like `simrun --time --stalls --timeline`.
#define FUZZ_TIME
#include "fuzz_run.c"
