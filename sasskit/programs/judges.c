// The judges of `sass tune` where nothing but sasskit is linked.
#include "tune/judge.h"
#include "tune/tune.h"

const struct judge_table *const sass_judges[] = {&judge_model, NULL};
