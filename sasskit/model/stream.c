// Cuts iterations out of long loops: a persistent block of a large product repeats one loop so
// often that a replay would take hours.
//
// The loop starts at the instruction that a warp reaches most often from a branch or barrier. An
// iteration is regular if it has the median number of instructions. The first and the last
// iterations of each sequence of regular ones (e.g. of one tile of C) stay.
#include "stream.h"

#include <stdlib.h>
#include <string.h>

// Numbers of iterations that stay when a loop is cut: BEFORE in front of the window, at least
// WINDOW in it, and BEHIND after the cut. Iterations are cut in multiples of ROUND, so that a ring
// of buffers continues in order.
enum { BEFORE = 8, WINDOW = 12, BEHIND = 4, ROUND = 12 };

bool stream_next(const struct sm *sm, struct stream_reader *r) {
    if (!r->next && r->at == r->end) return false;
    const struct instruction *in = r->next ? r->next : &sm->code[*r->at++];
    const uint32_t event = in->observed ? *r->at++ : 0;
    r->instruction = in;
    r->words = in->unit == UNIT_MEMORY ? memory_words(in, event) : 0;
    r->word = r->at;
    r->at += r->words;
    r->next = in->control ? NULL : in + 1;
    return true;
}

struct iteration {
    size_t at;       // index of the word that names the iteration's first instruction
    uint64_t number; // number of instructions that the warp executed before the iteration
};
struct warp_loop {
    struct iteration *iteration; // `count` iterations
    size_t count;
    uint64_t length;       // number of instructions of a regular iteration
    uint64_t instructions; // number of instructions in the whole stream
};

// Returns the index of the instruction that the warp reaches most often from a branch or barrier;
// the first if there are several. Returns `count` if the stream has mbarriers or bulk copies.
static size_t first_of_loop(const struct sm *sm, const struct sim_stream *s, uint64_t *reached,
                            size_t count) {
    struct stream_reader r = {.at = s->word, .end = s->word + s->count};
    size_t most = 0;
    memset(reached, 0, count * sizeof *reached);
    for (;;) {
        if (!r.next && r.at < r.end) reached[*r.at]++;
        if (!stream_next(sm, &r)) break;
        const enum kind kind = r.instruction->kind;
        if (kind == KIND_TMA || kind == KIND_MBARRIER_ARRIVE || kind == KIND_MBARRIER_WAIT)
            return count;
    }
    for (size_t i = 1; i < count; i++)
        if (reached[i] > reached[most]) most = i;
    return most;
}

static int by_value(const void *a, const void *b) {
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

// Lists at most `count` iterations of the loop at `first`. Returns false if out of memory.
static bool list_iterations(const struct sm *sm, const struct sim_stream *s, size_t first,
                            size_t count, struct warp_loop *l) {
    struct stream_reader r = {.at = s->word, .end = s->word + s->count};
    uint64_t number = 0, *length = malloc((count + 1) * sizeof *length);
    l->iteration = malloc((count + 1) * sizeof *l->iteration);
    if (!length || !l->iteration) return free(length), false;
    do {
        if (!r.next && r.at < r.end && *r.at == first)
            l->iteration[l->count++] = (struct iteration){(size_t)(r.at - s->word), number};
    } while (stream_next(sm, &r) && ++number);
    l->instructions = number;
    for (size_t i = 1; i < l->count; i++)
        length[i - 1] = l->iteration[i].number - l->iteration[i - 1].number;
    if (l->count > 1) qsort(length, l->count - 1, sizeof *length, by_value);
    l->length = l->count > 1 ? length[(l->count - 1) / 2] : 0;
    free(length);
    return true;
}

static bool is_regular(const struct warp_loop *l, size_t i) {
    return i + 1 < l->count && l->iteration[i + 1].number - l->iteration[i].number == l->length;
}

// Returns the number of regular iterations in a row from `i` on.
static size_t regular_from(const struct warp_loop *l, size_t i) {
    size_t n = 0;
    while (is_regular(l, i + n)) n++;
    return n;
}

static bool is_alike(const struct warp_loop *a, const struct warp_loop *b) {
    bool alike = a->count == b->count;
    for (size_t i = 0; alike && i < a->count; i++) alike = is_regular(a, i) == is_regular(b, i);
    return alike;
}

// Returns how many of `n` successive regular iterations are left out if at least `kept` stay.
static size_t left_out_of(size_t n, size_t kept) {
    return n > kept ? (n - kept) / ROUND * ROUND : 0;
}

// Removes the iterations that left_out_of() counts, and adds marks. Returns false if out of memory.
static bool cut(struct sim_stream *s, const struct warp_loop *l, size_t kept) {
    struct sim_stream out = {.word = malloc(s->count * sizeof *out.word), .capacity = s->count};
    size_t done = 0; // number of old words that were copied or left out
    if (!out.word) return false;
    for (size_t i = 0; i < l->count;) {
        const size_t n = regular_from(l, i), left_out = left_out_of(n, kept);
        if (left_out) {
            const size_t window = kept - BEFORE - BEHIND, from = l->iteration[i + BEFORE].at,
                         to = l->iteration[i + BEFORE + window].at;
            while (done < from) out.word[out.count++] = s->word[done++];
            out.word[out.count++] = STREAM_MARK | (uint32_t)window;
            while (done < to) out.word[out.count++] = s->word[done++];
            out.word[out.count++] = STREAM_MARK | STREAM_CUT | (uint32_t)left_out;
            done = l->iteration[i + BEFORE + window + left_out].at;
        }
        i += n ? n : 1;
    }
    while (done < s->count) out.word[out.count++] = s->word[done++];
    free(s->word);
    *s = out;
    return true;
}

// Chooses how many iterations stay in each sequence of regular ones, so that the block has about
// `most` instructions.
static size_t iterations_kept(const struct warp_loop *loop, uint32_t warps, double most) {
    double length = 0, others = 0, rows = 0;
    for (size_t i = 0; i < loop->count; i += regular_from(loop, i) + 1)
        rows += regular_from(loop, i) > 0;
    for (uint32_t w = 0; w < warps; w++) {
        size_t regular = 0;
        for (size_t i = 0; i < loop[w].count; i++) regular += is_regular(&loop[w], i);
        length += (double)loop[w].length;
        others += (double)(loop[w].instructions - regular * loop[w].length);
    }
    return (size_t)later((most - others) / (length * later(rows, 1)), BEFORE + WINDOW + BEHIND);
}

bool stream_shorten(const struct sm *sm, struct sim_stream *stream, uint32_t warps, double most,
                    double *left_out) {
    const size_t count = sm->result->count;
    uint64_t *reached = malloc((count + 1) * sizeof *reached);
    struct warp_loop *loop = calloc(warps, sizeof *loop);
    size_t first = count;
    bool good = reached && loop, alike = good;
    *left_out = 0;
    for (uint32_t w = 0; alike && good && w < warps; w++) {
        const size_t of = first_of_loop(sm, &stream[w], reached, count);
        alike = of < count && (w == 0 || of == first);
        first = of;
        if (alike) good = list_iterations(sm, &stream[w], first, reached[first], &loop[w]);
        alike = alike && good && is_alike(&loop[0], &loop[w]);
    }
    const size_t stay = alike && good ? iterations_kept(loop, warps, most) : 0;
    for (uint32_t w = 0; alike && good && w < warps; w++) {
        for (size_t i = 0; i < loop[w].count; i += regular_from(&loop[w], i) + 1)
            *left_out += (double)(left_out_of(regular_from(&loop[w], i), stay) * loop[w].length);
        good = cut(&stream[w], &loop[w], stay);
    }
    for (uint32_t w = 0; loop && w < warps; w++) free(loop[w].iteration);
    free(loop);
    free(reached);
    return good;
}
