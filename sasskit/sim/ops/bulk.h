// What the copies of the copy engine have in common: of bytes in a row (bulk.c), of boxes of a tensor (tensor.c).
#pragma once

#include "mbarrier.h"

enum { BULK_UNIT = 16 };

// Uniform register i of an operand that is several in a row, and a pointer of two.
static inline uint32_t bulk_word(const struct warp *w, const struct sass_operand *o, int i) {
    const uint32_t number = (o->kind == SASS_ADDRESS ? o->uniform : o->number) + (uint32_t)i;
    return w->row[ROW_UNIFORM + number][0];
}
static inline uint64_t bulk_pointer(const struct warp *w, const struct sass_operand *o) {
    return (uint64_t)bulk_word(w, o, 1) << 32 | bulk_word(w, o, 0);
}

// Whether they lie within the block's shared memory, at a multiple of `align`; false: reported.
bool bulk_fits(struct warp *w, const struct uop *u, uint32_t at, uint32_t bytes, uint32_t align, const char *verb);

// Sends bytes to one block of the cluster, or to all of `blocks` at the same place, where the mbarrier at `barrier` counts them.
void bulk_send(struct warp *w, const struct uop *u, uint32_t to, uint32_t barrier, uint32_t blocks, uint32_t align,
               const uint8_t *data, uint32_t bytes);
void bulk_starts(struct warp *w, const struct uop *u); // a copy to global memory
void bulk_wait(struct warp *w, int groups_left);       // of copies to global memory
void bulk_leave(struct warp *w);                       // its last lanes end
bool bulk_deliver(struct block *b, uint32_t barrier);  // those that this mbarrier counts arrive; false: there are none
void bulk_block_ends(const struct block *b);           // its last threads end
void bulk_drop(struct block *b);                       // all that are on their way
