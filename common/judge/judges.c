// The judges of `sass tune` in a build with CUDA's headers: a GPU if there is one, then the model.
#include "judge/gpu.h"
#include "tune/tune.h"

const struct judge_table *const sass_judges[] = {&judge_gpu, &judge_model, NULL};
