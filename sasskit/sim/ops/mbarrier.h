// Layout of an mbarrier in shared memory, and how its phases end.
//
// An mbarrier has 64 bits. Their layout, except bits 21 to 42, follows from nvcc's code: from the
// word that it stores for mbarrier.init, and from the bits that it tests to wait for a phase:
//
//     bit 63         parity of the phase
//     bits 43 to 62  -(arrivals that this phase still expects)
//     bits 21 to 42  bytes that this phase still expects
//     bits 1 to 20   -(arrivals per phase)
//
// Bit 0 is 0. The position of the bytes' number is a guess, on which nothing depends. A phase ends
// when it expects no more arrivals and no more bytes.
#pragma once

#include "sim/checks/order.h"

enum { COUNT_BITS = 20, BYTES_BITS = 22, BARRIER_BYTES = 8 };

struct mbarrier {
    uint32_t pending;  // number of arrivals that this phase still expects
    uint32_t expected; // number of arrivals per phase
    int32_t bytes;     // number of bytes that this phase still expects
    uint32_t parity;
};

static inline struct mbarrier mbarrier_of(uint64_t bits) {
    const uint32_t most = 1u << COUNT_BITS,
                   bytes = (uint32_t)(bits >> 21) & ((1u << BYTES_BITS) - 1);
    return (struct mbarrier){.pending = (most - (uint32_t)(bits >> 43 & (most - 1))) & (most - 1),
                             .expected = (most - (uint32_t)(bits >> 1 & (most - 1))) & (most - 1),
                             .bytes = (int32_t)(bytes << 10) >> 10,
                             .parity = (uint32_t)(bits >> 63)};
}
static inline uint64_t mbarrier_bits(struct mbarrier b) {
    const uint64_t most = 1u << COUNT_BITS, bytes = (uint32_t)b.bytes & ((1u << BYTES_BITS) - 1);
    return (uint64_t)b.parity << 63 | ((most - b.pending) & (most - 1)) << 43 | bytes << 21 |
           ((most - b.expected) & (most - 1)) << 1;
}

static inline struct mbarrier mbarrier_at(const struct block *b, uint32_t at) {
    uint64_t bits;
    memcpy(&bits, b->shared + at, sizeof bits);
    return mbarrier_of(bits);
}

// Stores an mbarrier. First ends its phase, if the phase expects no more arrivals and bytes.
static inline void mbarrier_store(struct block *b, uint32_t at, struct mbarrier barrier) {
    if (barrier.pending == 0 && barrier.bytes == 0) {
        barrier.parity ^= 1;
        barrier.pending = barrier.expected;
        order_mbarrier_complete(b, at);
    }
    const uint64_t bits = mbarrier_bits(barrier);
    memcpy(b->shared + at, &bits, sizeof bits);
}
