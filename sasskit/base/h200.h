// Number of SMs of the H200, the GPU that programs assume if there is none here. Its other figures
// are in sasskit/model/machine.def.
#pragma once

enum { H200_SMS = 132 };
