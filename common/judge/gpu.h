// A judge of `sass tune` that times candidates on a GPU.
#pragma once

#include "tune/judge.h"

extern const struct judge_table judge_gpu;
