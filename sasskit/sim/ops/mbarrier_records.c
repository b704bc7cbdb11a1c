// Records what a block's warps do at its mbarriers: see mbarrier_records.h.
#include "mbarrier_records.h"
#include "mbarrier.h"
#include "sectors.h"
#include "sim/machine/room.h"
#include "sim/observer.h"

struct mbarrier_record *mbarrier_record_at(struct block *b, uint32_t at) {
    for (int i = 0; i < b->mbarrier_record_count; i++) {
        if (b->mbarrier_records[i].at == at) return &b->mbarrier_records[i];
    }
    MAKE_ROOM(b->mbarrier_records, b->mbarrier_record_count, b->mbarrier_record_capacity);
    b->mbarrier_records[b->mbarrier_record_count] =
        (struct mbarrier_record){.at = at, .parity = mbarrier_at(b, at).parity};
    return &b->mbarrier_records[b->mbarrier_record_count++];
}

bool is_barrier(const struct block *b, uint32_t at) {
    return at % BARRIER_BYTES == 0 && at + BARRIER_BYTES <= b->launch->shared_bytes;
}

void observe_copy(struct warp *w, uint64_t address, uint32_t bytes) {
    const uint64_t end = address + bytes, first = address >> SECTOR_SHIFT,
                   last = (end - 1) >> SECTOR_SHIFT;
    for (uint64_t number = address >> LINE_SHIFT; bytes && number <= (end - 1) >> LINE_SHIFT;
         number++) {
        uint64_t line = number << SECTORS_SHIFT;
        for (uint64_t i = 0; i < 4; i++)
            line |= (uint64_t)(4 * number + i >= first && 4 * number + i <= last) << i;
        stream_put(w->watch.stream, (uint32_t)line);
        stream_put(w->watch.stream, (uint32_t)(line >> 32));
        w->watch.stream->word[w->watch.request] += 1u << 16;
    }
}

void observe_counted(struct warp *w, uint32_t barrier, uint32_t blocks) {
    const uint32_t own = blocks >> (w->block->window >> 24) & is_barrier(w->block, barrier);
    w->watch.stream->word[w->watch.request + 1] = barrier;
    w->watch.stream->word[w->watch.request + 2] = own;
    if (own) mbarrier_record_at(w->block, barrier)->done++;
}
