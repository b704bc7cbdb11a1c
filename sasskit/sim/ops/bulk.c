// Bulk copies of contiguous bytes (UBLKCP, UBLKRED), which run outside the warps; stores to a block
// of the cluster (STAS). Copies of boxes of a tensor are in tensor.c.
//
// A copy to shared memory is delivered when a warp polls the mbarrier that counts its bytes. That
// is as late as allowed, so code that does not wait finds the old bytes. A copy to global memory is
// made at once.
#include "bulk.h"
#include "mbarrier_records.h"
#include "sim/machine/room.h"

#include <stdlib.h>

static void push(struct warp *w, const struct uop *u, struct block *b, uint32_t to,
                 uint32_t barrier, const uint8_t *data, uint32_t bytes) {
    MAKE_ROOM(b->bulk, b->bulk_count, b->bulk_capacity);
    uint8_t *copy = malloc(bytes + 1);
    if (!copy) abort();
    memcpy(copy, data, bytes);
    const bool of_shared =
        data >= w->block->shared && data < w->block->shared + w->block->launch->shared_bytes;
    b->bulk[b->bulk_count++] = (struct bulk){.data = copy,
                                             .to = to,
                                             .bytes = bytes,
                                             .barrier = barrier,
                                             .by = w,
                                             .index = u->detail->index,
                                             .from = of_shared ? w->block : NULL};
}

bool bulk_deliver(struct block *b, uint32_t barrier) {
    const uint32_t stamp = (b->epoch_base + b->barriers_passed) << 6 | STAMP_ENGINE;
    const int granule = b->launch->granule;
    int left = 0, count = b->bulk_count;
    for (int i = 0; i < count; i++) {
        const struct bulk c = b->bulk[i];
        if (c.barrier != barrier) {
            b->bulk[left++] = c;
            continue;
        }
        memcpy(b->shared + c.to, c.data, c.bytes);
        for (uint32_t at = c.to >> granule; at < (c.to + c.bytes) >> granule; at++)
            b->last_write[at] = stamp;
        order_engine_copied(b, c.to >> granule, c.bytes >> granule, barrier);
        struct mbarrier counts = mbarrier_at(b, barrier);
        counts.bytes -= (int32_t)c.bytes;
        mbarrier_store(b, barrier, counts);
        free(c.data);
    }
    b->bulk_count = left;
    return left < count;
}

void bulk_block_ends(const struct block *b) {
    for (int i = 0; i < b->bulk_count; i++) {
        const struct bulk *c = &b->bulk[i];
        evidence_about((struct warp *)(uintptr_t)c->by, NULL, 0, 0, "writes")->facts = FACT_ENGINE;
        checks_report((struct warp *)(uintptr_t)c->by, REPORT_RACE, c->index, -1, false,
                      "still writes %u bytes of shared memory at " SHARED_BYTE
                      " when block %u of the "
                      "cluster ends: nothing waited for its mbarrier",
                      c->bytes, SHARED_BYTE_AT(b->launch, c->to), b->window >> 24);
    }
    for (uint32_t k = 0; k < b->cluster->size; k++) {
        const struct block *to = b->cluster->block[k];
        for (int i = 0; to != b && !to->over && i < to->bulk_count; i++) {
            const struct bulk *c = &to->bulk[i];
            if (c->from != b) continue;
            evidence_about((struct warp *)(uintptr_t)c->by, NULL, 0, 0, "reads")->facts =
                FACT_CLUSTER;
            checks_report((struct warp *)(uintptr_t)c->by, REPORT_RACE, c->index, -1, false,
                          "still reads shared memory of block %u of the cluster when that ends: "
                          "no barrier after the wait for its mbarrier keeps that block from "
                          "ending",
                          b->window >> 24);
        }
    }
}

void bulk_drop(struct block *b) {
    for (int i = 0; i < b->bulk_count; i++) free(b->bulk[i].data);
    b->bulk_count = 0;
}

// Returns the host address of `bytes` bytes of global memory. If they are misaligned or not within
// one allocation, reports that and returns NULL.
static uint8_t *global_bytes(struct warp *w, const struct uop *u, uint64_t address, uint32_t bytes,
                             const char *verb) {
    char where[192];
    const struct allocation *a = memory_find(w->block->launch->memory, address, address + bytes);
    if (address % BULK_UNIT) {
        evidence_about(w, "global", address, BULK_UNIT, verb)->facts = FACT_MISALIGNED;
        checks_report(w, REPORT_ADDRESS, u->detail->index, -1, false,
                      "%s %u bytes at 0x%llx, which is not a multiple of 16", verb, bytes,
                      (unsigned long long)address);
    } else if (!a) {
        memory_describe(w->block->launch->memory, address, where, sizeof where);
        struct evidence *v = evidence_about(w, "global", address, bytes, verb);
        v->facts = FACT_OUTSIDE;
        v->overshoot = memory_overshoot(w->block->launch->memory, address, &v->allocated);
        checks_report(w, REPORT_ADDRESS, u->detail->index, -1, false, "%s %u bytes at 0x%llx: %s",
                      verb, bytes, (unsigned long long)address, where);
    } else {
        return a->host + (address - a->base);
    }
    return NULL;
}

bool bulk_fits(struct warp *w, const struct uop *u, uint32_t at, uint32_t bytes, uint32_t align,
               const char *verb) {
    const struct launch_state *l = w->block->launch;
    const bool inside = is_own_shared(l, at, bytes);
    if (inside && at % align == 0) return true;
    struct evidence *v = evidence_about(w, "shared", at, bytes, verb);
    v->facts = inside ? FACT_MISALIGNED : FACT_OUTSIDE;
    v->expected = l->shared_bytes - l->shared_reserved;
    checks_report(w, REPORT_ADDRESS, u->detail->index, -1, false,
                  "%s %u bytes of shared memory at " SHARED_BYTE "%s", verb, bytes,
                  SHARED_BYTE_AT(l, at),
                  inside ? ", which is not aligned" : "; they are not within the block's");
    return false;
}

void bulk_send(struct warp *w, const struct uop *u, uint32_t to, uint32_t barrier, uint32_t blocks,
               uint32_t align, const uint8_t *data, uint32_t bytes) {
    const uint32_t at = to & 0xffffff, barrier_at = barrier & 0xffffff;
    if (!bulk_fits(w, u, at, bytes, align, "copies to") ||
        !bulk_fits(w, u, barrier_at, 8, 8, "counts at an mbarrier of"))
        return;
    const bool one = blocks == 1u << (to >> 24 & 31);
    if (one && to >> 24 != barrier >> 24) {
        evidence_about(w, "shared", at, bytes, "copies to")->facts = FACT_OTHER_MBARRIER;
        checks_report(w, REPORT_ADDRESS, u->detail->index, -1, false,
                      "copies to block %u of the cluster and counts at an mbarrier of block %u: "
                      "both must lie in one block",
                      to >> 24, barrier >> 24);
        return;
    }
    for (; blocks; blocks &= blocks - 1) {
        struct block *b = cluster_block(w->block, (uint32_t)first_lane(blocks));
        if (!b) {
            evidence_about(w, NULL, 0, 0, "copies")->facts = FACT_CLUSTER;
            checks_report(w, REPORT_ADDRESS, u->detail->index, -1, false,
                          "copies to block %d of the cluster of %u blocks: there is no such block, "
                          "or it has ended",
                          first_lane(blocks), w->block->cluster->size);
            return;
        }
        if (shadow_is_unwritten(b, barrier_at, 8)) {
            evidence_about(w, "shared", barrier_at, 8, "uses")->facts = FACT_MBARRIER;
            checks_report(w, REPORT_UNWRITTEN, u->detail->index, -1, false,
                          "counts at an mbarrier at " SHARED_BYTE
                          " of block %d of the cluster that nothing "
                          "has initialised yet",
                          SHARED_BYTE_AT(b->launch, barrier_at), first_lane(blocks));
            return;
        }
        shadow_written_by_proxy(w, u, b, at, bytes);
        push(w, u, b, at, barrier_at, data, bytes);
    }
    w->acted = true;
}

// Copies bytes of shared memory to global memory. UBLKRED combines them with the bytes there.
static void send_out(struct warp *w, const struct uop *u, uint32_t bytes) {
    const struct detail *m = u->detail;
    const struct sass_operand *o = m->instruction.operand;
    const uint32_t from = bulk_word(w, &o[SASS_M], 0) & 0xffffff;
    uint8_t *to = global_bytes(w, u, bulk_pointer(w, &o[SASS_S]), bytes, "writes");
    if (!to || !bulk_fits(w, u, from, bytes, BULK_UNIT, "reads")) return;
    if (!shadow_read_by_proxy(w, u, from, bytes)) return;
    bulk_starts(w, u);
    shadow_read_async(w, u, from, bytes);
    if (m->instruction.form->opcode == SASS_UBLKRED)
        m->program->engine->reduce(w, m, to, w->block->shared + from, bytes);
    else
        memcpy(to, w->block->shared + from, bytes);
    w->acted = true;
}

// Runs UBLKCP or UBLKRED. The lower half of operand C is the number of bytes / 16. For a multicast,
// its upper half is the mask of the receiving blocks.
static void run_bulk(struct warp *w, const struct uop *u, uint32_t mask) {
    enum { TO_SHARED = 1, TO_GLOBAL = 2 };
    const struct detail *m = u->detail;
    const struct sass_operand *o = m->instruction.operand;
    const uint32_t size = bulk_word(w, &o[SASS_C], 0), bytes = (size & 0xffff) * BULK_UNIT;
    struct tally *tally = &w->block->tally[m->index];
    tally->requests++;
    tally->sectors += bytes / 32;
    if (m->instruction.modifiers.type == TO_GLOBAL || m->instruction.form->opcode == SASS_UBLKRED) {
        send_out(w, u, bytes);
        return;
    }
    const uint32_t to = bulk_word(w, &o[SASS_S], 0), barrier = bulk_word(w, &o[SASS_S], 1);
    const uint32_t blocks = m->instruction.modifiers.flag ? size >> 16 : 1u << (to >> 24 & 31);
    const uint8_t *data;
    if (m->instruction.modifiers.type == TO_SHARED) {
        data = global_bytes(w, u, bulk_pointer(w, &o[SASS_M]), bytes, "reads");
        if (w->watch.stream) observe_copy(w, bulk_pointer(w, &o[SASS_M]), bytes);
    } else {
        const uint32_t from = bulk_word(w, &o[SASS_M], 0) & 0xffffff;
        const bool good = bulk_fits(w, u, from, bytes, BULK_UNIT, "reads") &&
                          shadow_read_by_proxy(w, u, from, bytes);
        data = good ? w->block->shared + from : NULL;
    }
    if (w->watch.stream) observe_counted(w, barrier & SHARED_OFFSET, blocks);
    if (data) bulk_send(w, u, to, barrier, blocks, BULK_UNIT, data, bytes);
}

// STAS (PTX st.async) stores each lane's value in a block of the cluster, where an mbarrier counts
// the bytes. Two registers hold the addresses of the target and of the mbarrier.
static void run_stas(struct warp *w, const struct uop *u, uint32_t mask) {
    const struct detail *m = u->detail;
    const struct sass_operand *o = m->instruction.operand;
    const uint32_t address = o[SASS_M].number, value = o[SASS_B].number;
    EACH_LANE(l, mask) {
        const uint32_t to = w->row[address][l] + (uint32_t)o[SASS_M].value;
        uint32_t words[4];
        for (uint32_t i = 0; i < m->width / 4u; i++)
            words[i] = w->row[value == ROW_ZERO ? ROW_ZERO : value + i][l];
        bulk_send(w, u, to, w->row[address + 1][l], 1u << (to >> 24 & 31), m->width,
                  (const uint8_t *)words, m->width);
    }
    w->block->tally[m->index].requests++;
}
static sim_execute *bind_stas(struct detail *d) {
    static const uint8_t bytes[8] = {[4] = 4, [5] = 8, [6] = 16};
    d->program->partial_barriers = true;
    d->width = bytes[d->instruction.modifiers.size & 7];
    return d->width && d->instruction.operand[SASS_M].has_base ? run_stas : NULL;
}

// UTMACMDFLUSH (PTX cp.async.bulk.commit_group) closes a group of copies to global memory.
static void run_flush(struct warp *w, const struct uop *u, uint32_t mask) {
    if (!w->block->ordering) return;
    MAKE_ROOM(w->bulk.group, w->bulk.group_count, w->bulk.group_capacity);
    w->bulk.guard = u->read_barrier < SCOREBOARDS ? u->read_barrier : u->write_barrier;
    w->bulk.group[w->bulk.group_count++] = order_async_begin(w);
}
void bulk_starts(struct warp *w, const struct uop *u) {
    w->bulk.copy = u->detail->index + 1;
    w->bulk.number = order_async_begin(w);
}
void bulk_leave(struct warp *w) {
    if (!w->bulk.copy) return;
    evidence_about(w, NULL, 0, 0, "reads")->facts = FACT_ASYNC_READ;
    checks_report(
        w, REPORT_RACE, w->bulk.copy - 1, -1, false,
        "still reads shared memory when its warp ends: no cp.async.bulk.wait_group waited for it");
    w->bulk.copy = 0;
}
void bulk_wait(struct warp *w, int groups_left) {
    const int over = w->bulk.group_count - groups_left;
    if (over <= 0) return;
    if (w->bulk.group[over - 1] >= w->bulk.number) w->bulk.copy = 0;
    order_async_waited(w, w, w->bulk.group[over - 1]);
    memmove(w->bulk.group, w->bulk.group + over, (size_t)groups_left * sizeof *w->bulk.group);
    w->bulk.group_count = groups_left;
}

static sim_execute *bind(struct detail *d) {
    d->program->partial_barriers = true;
    d->program->reads_async = true;
    if (d->instruction.form->opcode == SASS_UTMACMDFLUSH) return run_flush;
    // A reduction into another block's shared memory (type other than 0) is not supported.
    if (d->instruction.form->opcode == SASS_UBLKRED) {
        const struct sass_modifiers *mod = &d->instruction.modifiers;
        const bool known = mod->type == 0 && d->program->engine->reduces(mod);
        return known ? run_bulk : NULL;
    }
    return d->instruction.form->opcode == SASS_UBLKCP ? run_bulk : run_nothing;
}

const struct binding bulk_bindings[] = {
    {SASS_UBLKCP, .bind = bind}, {SASS_UBLKRED, .bind = bind},      {SASS_STAS, .bind = bind_stas},
    {SASS_UBLKPF, .bind = bind}, {SASS_UTMACMDFLUSH, .bind = bind}, {.opcode = SASS_OPCODE_COUNT}};
