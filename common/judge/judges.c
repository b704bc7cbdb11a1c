// The judges of `sass tune` where CUDA's headers are: a GPU if there is one, else the model.
#include "judge/gpu.h"
#include "tune/tune.h"

const struct judge_table *const sass_judges[] = {&judge_gpu, &judge_model, NULL};
