// Computes how many wavefronts one shared-memory request takes.
//
// At most 32 bits per lane: all lanes of the warp are served together. Lanes that access one word
// share it. Different words in one bank take a wavefront each.
//
// Load of 128 bits per lane: each half-warp is served by itself. Its two quarter-warps are served
// together in two cases: every lane i of the half reads the same 16 bytes as lane i ^ 1, or every
// lane i reads the same as lane i ^ 2. Otherwise each quarter-warp is served by itself. (Measured
// on an H200: steps/07_z_order/README.md.)
//
// Load of 64 bits per lane: the same rule is assumed, for the warp and its two half-warps. Loads
// with inactive lanes were not measured either; such a lane is assumed to agree with any partner.
//
// Store: with 64 bits per lane each half-warp is served by itself, with 128 bits each quarter-warp.
// This is a guess that agrees with ncu on steps 05 to 08.
#include "banks.h"

#include <stdbool.h>
#include <string.h>

enum { BANKS = 32, BANK_BYTES = 4, LANES = 32 };

static uint32_t lanes_from(int first, int count) {
    return count == 32 ? 0xffffffffu : ((1u << count) - 1) << first;
}

// Returns true if every active lane l and lane l ^ partner, if it is active, have one address.
static bool paired(const uint32_t *address, uint32_t mask, int partner) {
    for (int l = 0; l < LANES; l++) {
        if (!(mask >> l & 1) || !(mask >> (l ^ partner) & 1)) continue;
        if (address[l] != address[l ^ partner]) return false;
    }
    return true;
}

// Returns the number of wavefronts that serve the lanes of `mask` together: the largest number of
// distinct words in one bank. Sets phase[lane] (unless NULL) to first_phase + the lane's wavefront.
static int passes(const uint32_t *address, uint32_t mask, int width, int first_phase,
                  int8_t *phase) {
    uint32_t seen[BANKS][LANES];
    uint8_t count[BANKS] = {0};
    int most = 0;
    // log2 of the number of 4-byte words per lane
    const int shift = width < BANK_BYTES ? 0 : __builtin_ctz((uint32_t)width / BANK_BYTES);
    for (int l = 0; l < LANES; l++) {
        if (!(mask >> l & 1)) continue;
        const uint32_t word = address[l] / BANK_BYTES >> shift, bank = (word << shift) % BANKS;
        int wavefront = 0;
        while (wavefront < count[bank] && seen[bank][wavefront] != word) wavefront++;
        if (wavefront == count[bank]) seen[bank][count[bank]++] = word;
        if (wavefront + 1 > most) most = wavefront + 1;
        if (phase) phase[l] = (int8_t)(first_phase + wavefront);
    }
    return most;
}

// Returns the wavefronts of a request that serves each group of `group` lanes by itself. With
// `may_share`, serves groups 2 * i and 2 * i + 1 together if paired() is true for partner 1 or 2.
static struct wavefronts count(const uint32_t *address, uint32_t mask, int width, int group,
                               bool may_share, int8_t *phase) {
    struct wavefronts w = {0, 0};
    for (int first = 0; first < LANES; first += 2 * group) {
        const uint32_t both = mask & lanes_from(first, 2 * group);
        const bool shared = may_share && (paired(address, both, 1) || paired(address, both, 2));
        const int step = shared ? 2 * group : group;
        for (int part = first; part < first + 2 * group; part += step) {
            const uint32_t lanes = mask & lanes_from(part, step);
            if (!lanes) continue;
            w.count += passes(address, lanes, width, w.count, phase);
            w.least++;
        }
    }
    return w;
}

static struct wavefronts whole_warp(const uint32_t *address, uint32_t mask, int width,
                                    int8_t *phase) {
    struct wavefronts w = {passes(address, mask, width, 0, phase), mask != 0};
    return w;
}

struct wavefronts banks_load(const uint32_t *address, uint32_t mask, int width, int8_t *phase) {
    if (width <= BANK_BYTES) return whole_warp(address, mask, width, phase);
    return count(address, mask, width, width == 8 ? 16 : 8, true, phase);
}

struct wavefronts banks_store(const uint32_t *address, uint32_t mask, int width, int8_t *phase) {
    if (width <= BANK_BYTES) return whole_warp(address, mask, width, phase);
    return count(address, mask, width, width == 8 ? 16 : 8, false, phase);
}

int banks_least(const uint32_t *address, uint32_t mask, int width) {
    return passes(address, mask, width, 0, NULL);
}
