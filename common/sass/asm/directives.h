// The assembler's directives other than .for, .if and .end.
#pragma once

#include "expander.h"

// at stands behind the directive's name in x->line.
bool obey_let(struct expander *x, size_t at);
bool obey_def(struct expander *x, size_t at);
bool obey_macro(struct expander *x, size_t at);
bool obey_error(struct expander *x, size_t at);
bool obey_kernel(struct expander *x, size_t at);
bool obey_threads(struct expander *x, size_t at);
bool obey_shared(struct expander *x, size_t at);
bool obey_registers(struct expander *x, size_t at);
bool obey_param(struct expander *x, size_t at);
bool obey_global(struct expander *x, size_t at);
bool obey_scoreboards(struct expander *x, size_t at);
bool obey_reg(struct expander *x, size_t at);
bool obey_ureg(struct expander *x, size_t at);
bool obey_pred(struct expander *x, size_t at);
bool obey_upred(struct expander *x, size_t at);
bool obey_free(struct expander *x, size_t at);
