// Whole kernels as text: what `sass dis` writes and `sass asm` reads.
//
//     // comment
//     .kernel NAME
//     .L_x_0:
//     --:-:1:-:4  LDS.128 R80, [R106+0x200] ;
//     .word 0x0000000000007918 0x000fc00000000000      a word that text cannot say
#pragma once

#include "labels.h"

#include <stdio.h>

// Writes a kernel. An instruction that the library does not know becomes .word; returns how many there are, with the first
// one's error.
int text_write(FILE *out, const struct sass_kernel *kernel, struct label_list *labels, struct sass_error *error);

// Reads text into the kernels of a cubin whose names it has. On an error the cubin's bytes are unchanged, and
// error->line and column say where.
bool text_read(const char *text, struct sass_cubin *cubin, struct sass_error *error);
