// The judges of `sass tune` when only sasskit is linked.
#include "tune/judge.h"
#include "tune/tune.h"

const struct judge_table *const sass_judges[] = {&judge_model, NULL};
