// The GPU that programs assume if there is none. sasskit/model/machine.def has its other figures.
#pragma once

enum { H200_SMS = 132 };
