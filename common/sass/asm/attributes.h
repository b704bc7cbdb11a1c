// What a cubin says about itself and its kernels.
#pragma once

#include "emitter.h"

void put_tool_note(struct emitter *e);                 // .note.nv.tkinfo: which tool wrote the file
void put_cuda_note(struct emitter *e);                 // .note.nv.cuinfo: for which CUDA
void put_compat(struct emitter *e);                    // .nv.compat
void put_info(struct emitter *e);                      // .nv.info: registers and stack of each kernel
void put_kernel_info(struct emitter *e, size_t index); // .nv.info.KERNEL: parameters, limits, exits
void put_callgraph(struct emitter *e);
