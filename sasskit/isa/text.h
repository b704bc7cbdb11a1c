// Whole kernels as text, which `sass dis` writes and `sass asm` reads.
//
//     // comment
//     .kernel NAME
//     .L_x_0:
//     --:-:1:-:4  LDS.128 R80, [R106+0x200] ;
//     .word 0x0000000000007918 0x000fc00000000000      a word without (exact) text
#pragma once

#include "labels.h"

#include <stdio.h>

// Writes a kernel. An instruction becomes a .word if it is unknown, or if its text gives another
// word. Returns the number of unknown instructions, and sets the error to that of the first.
int text_write(FILE *out, const struct sass_kernel *kernel, struct label_list *labels,
               struct error *error);

// Replaces the code of the kernels that the text names. On an error, the cubin's bytes are
// unchanged, and error->line and column have the position in the text.
bool text_read(const char *text, struct sass_cubin *cubin, struct error *error);
