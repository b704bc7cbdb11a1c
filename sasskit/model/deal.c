// Assigns blocks to SMs if blocks differ in work: guards on blockIdx, triangular matrices, rows of
// different lengths.
//
// The work of a block is known only after executing it, so a large launch is sampled. The sample
// has the grid's first and last block, blocks on its edges (the last ones in a dimension, where
// matrices end in partial tiles), and blocks spread evenly over the rest. Any other block is
// assumed to have the work of the nearest sampled block before it on the same edges.
#include "deal.h"

#include <math.h>
#include <stdlib.h>

// Budgets in warp instructions: LITTLE for a first survey, MUCH once blocks are known to differ.
// The first LEAST_RUN blocks of the sample, and EDGES more if these differ, are always executed.
// Launches of more than MOST_BLOCKS are not surveyed.
enum { LEAST_RUN = 3, EDGES = 8, MOST_BLOCKS = 1 << 20, LITTLE = 60000, MUCH = 4000000 };
static const double START = 256;      // cost of an empty block, in warp instructions
static const double DIFFERENT = 1.25; // ratio of largest to least work above which blocks differ
static const double DRIFT = 0.001;    // warp instructions, see place_blocks()

// Returns the first block on the given edges of the grid: bit d of `edges` means the last blocks in
// dimension d.
static uint64_t first_on(const struct deal *d, unsigned edges) {
    uint64_t block = 0, stride = 1;
    for (int i = 0; i < 3; i++) {
        block += edges >> i & 1 ? stride * (d->grid[i] - 1) : 0;
        stride *= d->grid[i];
    }
    return block;
}

// Returns the edges that a block lies on, as a mask like that of first_on(). A dimension with one
// block has no edge.
static unsigned edges_of(const struct deal *d, uint64_t block) {
    unsigned edges = 0;
    for (int i = 0; i < 3; i++) {
        edges |= (d->grid[i] > 1 && block % d->grid[i] == d->grid[i] - 1u) << i;
        block /= d->grid[i];
    }
    return edges;
}

// Returns block `i` of the sample: the first block, the last, one chosen by the golden ratio, the
// first one on each set of edges, then more chosen by the golden ratio. From i = blocks + EDGES on,
// it returns all blocks in order.
static uint64_t sampled(const struct deal *d, uint64_t i) {
    if (i < 2) return i == 0 ? 0 : d->blocks - 1;
    if (i > 2 && i <= EDGES) return first_on(d, (unsigned)i - 2);
    if (i >= d->blocks + EDGES) return i - d->blocks - EDGES;
    const double at = (double)(i == 2 ? i : i - EDGES) * 0.6180339887498949;
    return (uint64_t)((at - floor(at)) * (double)d->blocks);
}

// Executes the sample. Sets work[b] of each block executed, and *different to true if blocks
// differ. Returns false on an error. Requires: block 0 was executed last, and work[] is 0.
static bool survey(const struct deal *d, double *work, bool *different, struct error *error) {
    double spent = 0, least, most;
    *different = false;
    work[0] = START + (double)sim_watch_instructions(d->watch);
    least = most = work[0];
    for (uint64_t i = 0; i < 2 * d->blocks + EDGES; i++) {
        if (i >= (*different ? LEAST_RUN + EDGES : LEAST_RUN) &&
            spent >= (*different ? MUCH : LITTLE))
            break;
        const uint64_t block = sampled(d, i);
        if (work[block] > 0) continue;
        if (!sim_watch_block(d->watch, block, NULL, error)) return false;
        const double count = (double)sim_watch_instructions(d->watch);
        spent += count;
        work[block] = START + count;
        least = fmin(least, work[block]);
        most = fmax(most, work[block]);
        *different = most > DIFFERENT * least;
    }
    return true;
}

// A place: room for one resident block. Place i is on SM i / resident.
struct block_place {
    double free; // time at which the place is free, in warp instructions
    uint64_t number;
};

static bool sooner(const struct block_place *a, const struct block_place *b) {
    return a->free < b->free || (a->free == b->free && a->number < b->number);
}

// Restores the heap of places after the time of its root has risen.
static void sink(struct block_place *place, uint64_t count) {
    for (uint64_t i = 0;;) {
        uint64_t next = 2 * i + 1;
        if (next + 1 < count && sooner(&place[next + 1], &place[next])) next++;
        if (next >= count || !sooner(&place[next], &place[i])) return;
        const struct block_place other = place[i];
        place[i] = place[next];
        place[next] = other;
        i = next;
    }
}

// Gives each block that was not executed the work of the nearest executed block before it on the
// same edges. Sets sample[b] to the block from which block b has its work.
static void fill_in(const struct deal *d, double *work, uint64_t *sample) {
    uint64_t latest[EDGES] = {0};
    for (uint64_t b = 0; b < d->blocks; b++) {
        uint64_t *mine = &latest[edges_of(d, b)];
        if (work[b] > 0) *mine = b;
        sample[b] = *mine;
        work[b] = work[*mine];
    }
}

// Sets on[b] to the SM of block b. Returns the SM that is expected to end last. Resident blocks
// slow each other down, so that is the SM with the largest sum of two times: the end of its last
// block, and its total work per place.
static uint64_t place_blocks(const struct deal *d, const double *work, uint64_t *on,
                             struct block_place *place) {
    const uint64_t places = d->sms * d->resident;
    double most = 0, *end = calloc(2 * d->sms, sizeof *end), *sum = end + d->sms;
    uint64_t which = 0;
    // In the first wave, blocks go to the SMs round robin; negative times encode this order. The
    // blocks of an SM start together, or `apart` from each other. Blocks of equal work then end at
    // these distances, and the next blocks take their places at once (spare_blocks() in chip.c).
    // In later waves, DRIFT is added, so that an SM's blocks do not end at exactly one time.
    for (uint64_t i = 0; i < places; i++) {
        const uint64_t turn = i / d->sms, sm = i % d->sms;
        place[i] =
            (struct block_place){(double)turn - (double)d->resident, sm * d->resident + turn};
    }
    for (uint64_t b = 0; end && b < d->blocks; b++) {
        const uint64_t sm = on[b] = place->number / d->resident;
        place->free = place->free < 0 ? d->apart * (double)(place->number % d->resident)
                                      : place->free + DRIFT * (double)(place->number % d->resident);
        place->free += work[b];
        sum[sm] += work[b];
        end[sm] = fmax(end[sm], place->free);
        sink(place, places);
    }
    for (uint64_t sm = 0; end && sm < d->sms; sm++) {
        const double late = end[sm] + sum[sm] / (double)d->resident;
        if (late <= most) continue;
        most = late;
        which = sm;
    }
    free(end);
    return which;
}

struct known {
    double work;
    uint64_t block; // the executed block that this work is from
};
static int by_work(const void *a, const void *b) {
    const struct known *x = a, *y = b;
    return x->work != y->work ? (x->work > y->work) - (x->work < y->work)
                              : (x->block > y->block) - (x->block < y->block);
}
static int by_number(const void *a, const void *b) {
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

// Lists typical blocks: quantiles of all blocks by work, so that long ones have their share. With
// many waves, an SM with heavy blocks gets fewer blocks, and all SMs end at about the same time.
static bool list_typical(const struct deal *d, const double *work, const uint64_t *sample,
                         struct dealt *dealt) {
    struct known *known = malloc(d->blocks * sizeof *known);
    double all = 0, run = 0;
    for (uint64_t b = 0; known && b < d->blocks; b++) {
        known[b] = (struct known){work[b], sample[b]};
        all += work[b];
    }
    if (known) qsort(known, d->blocks, sizeof *known, by_work);
    for (uint64_t i = 0; known && i < d->most; i++) {
        const struct known *k = &known[(2 * i + 1) * d->blocks / (2 * d->most)];
        run += k->work;
        dealt->order[dealt->run++] = k->block;
    }
    qsort(dealt->order, dealt->run, sizeof *dealt->order, by_number);
    dealt->rest_work = known ? fmax(all / (double)d->sms / run - 1, 0) : 0;
    free(known);
    return dealt->run > 0;
}

// Lists the blocks of SM `which`, or typical blocks if it has more than d->all.
static bool list(const struct deal *d, const double *work, const uint64_t *sample,
                 const uint64_t *on, uint64_t which, struct dealt *dealt) {
    for (uint64_t b = 0; b < d->blocks; b++) dealt->total += on[b] == which;
    dealt->order = malloc((size_t)(dealt->total + d->most) * sizeof *dealt->order);
    if (!dealt->order) return false;
    if (dealt->total > d->all) return list_typical(d, work, sample, dealt);
    for (uint64_t b = 0; b < d->blocks; b++)
        if (on[b] == which) dealt->order[dealt->run++] = b;
    return true;
}

bool deal_out(const struct deal *d, struct dealt *dealt, struct error *error) {
    bool different = false, good = true;
    *dealt = (struct dealt){0};
    if (d->blocks > MOST_BLOCKS) return true;
    double *work = calloc(d->blocks, sizeof *work);
    uint64_t *on = calloc(2 * d->blocks, sizeof *on), *sample = on + d->blocks;
    struct block_place *place = calloc(d->sms * d->resident, sizeof *place);
    if (!work || !on || !place) good = error_fail(error, "not enough host memory");
    if (good) good = survey(d, work, &different, error);
    if (good && different) fill_in(d, work, sample);
    if (good && different && !list(d, work, sample, on, place_blocks(d, work, on, place), dealt))
        good = error_fail(error, "not enough host memory");
    free(work);
    free(on);
    free(place);
    return good;
}
