// The judges of `sass tune` (tune/judge.h) in a build of sasskit alone: only the model.
#include "tune/judge.h"
#include "tune/tune.h"

const struct judge_table *const sass_judges[] = {&judge_model, NULL};
