// Copies of a box of a tensor between global and shared memory, by a tensor map: UTMALDG and
// UTMASTG. Elements outside the tensor are loaded as zeros and not stored. (CUDA C++ Programming
// Guide, "Asynchronous data copies using the Tensor Memory Accelerator".)
//
// In shared memory a box is stored as contiguous rows of its innermost dimension. A swizzle
// permutes the 16-byte units within each 128 bytes, depending on the index of those 128 bytes, as
// for wgmma (descriptor.h).
//
// Not implemented: im2col, reductions (UTMAREDG), L2 promotion.
#include "bulk.h"
#include "mbarrier_records.h"

#include <stdlib.h>

enum { SHARED_ALIGNMENT = 128, MAP_ALIGNMENT = 64 };

struct box {
    struct sim_tensor tensor;
    int32_t first[SIM_TENSOR_DIMENSIONS]; // coordinates of the box's first element
    uint32_t row_bytes, rows, bytes;
};

// Returns the offset of the place where the swizzle stores byte `offset` of a box that begins at
// shared address `at`.
static uint32_t swizzled(const struct sim_tensor *t, uint32_t at, uint32_t offset) {
    const uint32_t units = t->swizzle ? (uint32_t)t->swizzle / BULK_UNIT : 1, place = at + offset;
    return (place ^ (place / 128 & (units - 1)) * BULK_UNIT) - at;
}

// Finds the part of the box's row `row` that is inside the tensor. Sets *address to the global
// address of the part, and *begin and *end to its range of bytes in the row. Returns false if the
// part is empty.
static bool row_inside(const struct box *b, uint32_t row, uint64_t *address, uint32_t *begin,
                       uint32_t *end) {
    const struct sim_tensor *t = &b->tensor;
    const int64_t width = (int64_t)t->size[0], from = b->first[0] < 0 ? 0 : b->first[0];
    const int64_t last = (int64_t)b->first[0] + t->box[0], to = last < width ? last : width;
    *address = t->address + (uint64_t)from * (uint64_t)t->element_bytes;
    for (int i = 1; i < t->dimensions; row /= t->box[i++]) {
        const int64_t index = (int64_t)b->first[i] + row % t->box[i];
        if (index < 0 || index >= (int64_t)t->size[i]) return false;
        *address += (uint64_t)index * t->stride[i];
    }
    *begin = (uint32_t)(from - b->first[0]) * (uint32_t)t->element_bytes;
    *end = *begin + (uint32_t)(to > from ? to - from : 0) * (uint32_t)t->element_bytes;
    return to > from;
}

// Reads the tensor map and the coordinates of an instruction's box. The coordinates are in operand
// S, from its uniform register `first` on. Returns false after reporting an invalid box.
static bool read_box(struct warp *w, const struct uop *u, int first, struct box *b) {
    const struct detail *m = u->detail;
    const struct sass_operand *o = m->instruction.operand;
    const uint64_t at = bulk_pointer(w, &o[SASS_M]);
    const int dimensions = m->instruction.modifiers.shape + 1;
    const struct allocation *a =
        memory_find(w->block->launch->memory, at, at + SIM_TENSOR_MAP_BYTES);
    struct error wrong = {0};
    if (!a || at % MAP_ALIGNMENT ||
        !tensor_map_read(a->host + (at - a->base), &b->tensor, &wrong)) {
        checks_report(w, REPORT_ADDRESS, m->index, -1, false, "takes a tensor map at 0x%llx%s%s",
                      (unsigned long long)at,
                      !a                   ? ", where no memory is allocated"
                      : at % MAP_ALIGNMENT ? ", which is not a multiple of 64"
                                           : ": ",
                      wrong.message);
        return false;
    }
    if (b->tensor.dimensions != dimensions) {
        checks_report(w, REPORT_ADDRESS, m->index, -1, false,
                      "copies a box of %d dimensions, and its tensor map has %d", dimensions,
                      b->tensor.dimensions);
        return false;
    }
    b->row_bytes = b->tensor.box[0] * (uint32_t)b->tensor.element_bytes;
    b->rows = 1;
    for (int i = 0; i < dimensions; i++) {
        b->first[i] = (int32_t)bulk_word(w, &o[SASS_S], first + i);
        if (i > 0) b->rows *= b->tensor.box[i];
    }
    b->bytes = b->rows * b->row_bytes;
    if (b->bytes <= w->block->launch->shared_bytes) return true;
    checks_report(w, REPORT_ADDRESS, m->index, -1, false,
                  "copies a box of %u bytes; the block has %u bytes of shared memory", b->bytes,
                  w->block->launch->shared_bytes - w->block->launch->shared_reserved);
    return false;
}

// Returns the host address of a part of a row. If its bytes are not within one allocation, reports
// that and returns NULL.
static uint8_t *row_of_tensor(struct warp *w, const struct uop *u, uint64_t address,
                              uint32_t bytes) {
    char where[192];
    const struct allocation *a = memory_find(w->block->launch->memory, address, address + bytes);
    if (a) return a->host + (address - a->base);
    memory_describe(w->block->launch->memory, address, where, sizeof where);
    checks_report(w, REPORT_ADDRESS, u->detail->index, -1, false,
                  "its tensor has %u bytes at 0x%llx: %s", bytes, (unsigned long long)address,
                  where);
    return NULL;
}

static void count(struct warp *w, const struct uop *u, uint64_t address, uint32_t bytes) {
    w->block->tally[u->detail->index].sectors += (address + bytes - 1) / 32 - address / 32 + 1;
}

// Copies a box from global memory to `image`, in the order that it will have in shared memory from
// address `at` on. Returns false after reporting a wrong address.
static bool gather(struct warp *w, const struct uop *u, const struct box *b, uint32_t at,
                   uint8_t *image) {
    uint64_t address;
    uint32_t begin, end;
    for (uint32_t row = 0; row < b->rows; row++) {
        if (!row_inside(b, row, &address, &begin, &end)) continue;
        const uint8_t *from = row_of_tensor(w, u, address, end - begin);
        if (!from) return false;
        count(w, u, address, end - begin);
        if (w->watch.stream) observe_copy(w, address, end - begin);
        for (uint32_t i = begin; i < end; i++)
            image[swizzled(&b->tensor, at, row * b->row_bytes + i)] = from[i - begin];
    }
    return true;
}

// Runs UTMALDG. Operand S has the addresses in shared memory of the target and the mbarrier, then
// the coordinates. For a multicast, the upper half of operand C is the mask of the receiving
// blocks.
static void run_load(struct warp *w, const struct uop *u, uint32_t mask) {
    const struct sass_instruction *in = &u->detail->instruction;
    const uint32_t to = bulk_word(w, &in->operand[SASS_S], 0),
                   barrier = bulk_word(w, &in->operand[SASS_S], 1);
    const uint32_t blocks =
        in->modifiers.flag ? bulk_word(w, &in->operand[SASS_C], 0) >> 16 : 1u << (to >> 24 & 31);
    struct box b;
    if (!read_box(w, u, 2, &b)) return;
    w->block->tally[u->detail->index].requests++;
    uint8_t *image = calloc(1, b.bytes);
    if (!image) abort();
    if (w->watch.stream) observe_counted(w, barrier & SHARED_OFFSET, blocks);
    if (gather(w, u, &b, to & 0xffffff, image))
        bulk_send(w, u, to, barrier, blocks, SHARED_ALIGNMENT, image, b.bytes);
    free(image);
}

// Runs UTMASTG. Operand S has the address in shared memory, then the coordinates.
static void run_store(struct warp *w, const struct uop *u, uint32_t mask) {
    const uint32_t from = bulk_word(w, &u->detail->instruction.operand[SASS_S], 0) & 0xffffff;
    uint64_t address;
    uint32_t begin, end;
    struct box b;
    if (!read_box(w, u, 1, &b) || !bulk_fits(w, u, from, b.bytes, SHARED_ALIGNMENT, "reads") ||
        !shadow_read_by_proxy(w, u, from, b.bytes))
        return;
    w->block->tally[u->detail->index].requests++;
    bulk_starts(w, u);
    shadow_read_async(w, u, from, b.bytes);
    for (uint32_t row = 0; row < b.rows; row++) {
        if (!row_inside(&b, row, &address, &begin, &end)) continue;
        uint8_t *to = row_of_tensor(w, u, address, end - begin);
        if (!to) return;
        count(w, u, address, end - begin);
        for (uint32_t i = begin; i < end; i++)
            to[i - begin] =
                w->block->shared[from + swizzled(&b.tensor, from, row * b.row_bytes + i)];
    }
    w->acted = true;
}

static sim_execute *bind(struct detail *d) {
    d->program->partial_barriers = true;
    d->program->reads_async |= d->instruction.form->opcode == SASS_UTMASTG;
    if (d->instruction.modifiers.mode) return NULL; // im2col is not supported
    switch (d->instruction.form->opcode) {
    case SASS_UTMALDG:
        return run_load;
    case SASS_UTMASTG:
        return run_store;
    default:
        return run_nothing; // prefetches and cache controls have no effect here
    }
}

const struct binding tensor_bindings[] = {{SASS_UTMALDG, .bind = bind},
                                          {SASS_UTMASTG, .bind = bind},
                                          {SASS_UTMAPF, .bind = bind},
                                          {SASS_UTMACCTL, .bind = bind},
                                          {.opcode = SASS_OPCODE_COUNT}};
