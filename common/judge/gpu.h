// The judge of `sass tune` (tune/judge.h) that times candidate kernels on a GPU.
#pragma once

#include "tune/judge.h"

extern const struct judge_table judge_gpu;
