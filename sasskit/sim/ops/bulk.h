// Functions shared by the copies of contiguous bytes (bulk.c) and of boxes of a tensor (tensor.c).
#pragma once

#include "mbarrier.h"

enum { BULK_UNIT = 16 }; // sizes and addresses of bulk copies are multiples of this, in bytes

// Returns the value of one of an operand's consecutive uniform registers: of the first if i is 0.
static inline uint32_t bulk_word(const struct warp *w, const struct sass_operand *o, int i) {
    const uint32_t number = (o->kind == SASS_ADDRESS ? o->uniform : o->number) + (uint32_t)i;
    return w->row[ROW_UNIFORM + number][0];
}
// Returns the 64-bit pointer in an operand's pair of uniform registers.
static inline uint64_t bulk_pointer(const struct warp *w, const struct sass_operand *o) {
    return (uint64_t)bulk_word(w, o, 1) << 32 | bulk_word(w, o, 0);
}

// Returns true if the bytes lie within the block's shared memory and are aligned to `align`;
// otherwise reports them and returns false.
bool bulk_fits(struct warp *w, const struct uop *u, uint32_t at, uint32_t bytes, uint32_t align,
               const char *verb);

// Sends bytes to each block of the cluster in the mask `blocks`. `to` and `barrier` are cluster
// addresses of the data and of the mbarrier that counts the bytes. Their low 24 bits are offsets in
// each receiving block's shared memory.
void bulk_send(struct warp *w, const struct uop *u, uint32_t to, uint32_t barrier, uint32_t blocks,
               uint32_t align, const uint8_t *data, uint32_t bytes);
// Records a copy to global memory that begins, for bulk_wait() and bulk_leave().
void bulk_starts(struct warp *w, const struct uop *u);
// Waits until at most `groups_left` groups of copies to global memory are in flight.
void bulk_wait(struct warp *w, int groups_left);
// Reports the copy, if any, to global memory that still reads shared memory when its warp ends.
void bulk_leave(struct warp *w);
// Delivers the copies that this mbarrier counts. Returns false if there are none.
bool bulk_deliver(struct block *b, uint32_t barrier);
// Reports copies that still write or read the shared memory of a block that ends.
void bulk_block_ends(const struct block *b);
// Discards the copies to this block that are in flight.
void bulk_drop(struct block *b);
