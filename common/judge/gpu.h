// The GPU as a judge of `sass tune`.
#pragma once

#include "tune/judge.h"

extern const struct judge_table judge_gpu;
