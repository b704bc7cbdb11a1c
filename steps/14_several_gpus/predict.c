// Predicts the time of schedules: walks through them with a clock per stream.
#include "predict.h"

#include <math.h>

// The bandwidth at which a rank receives messages of some sizes. Measured for an all-gather between
// two H200s, with NCCL 2.28 and without NVLink multicast.
static const struct {
    double bytes, gigabytes_per_second;
} seen[] = {{1e6, 36}, {8e6, 156}, {64e6, 230}, {512e6, 270}};
enum { SEEN = sizeof seen / sizeof *seen };

// GB/s of a copy within a GPU. Each byte is read and written, so 2400 is the limit at 4.8 TB/s.
static const double COPY_BANDWIDTH = 2000;

struct state {
    struct schedule *const *schedules;
    int count;
    const struct figures *figures;
    struct prediction *prediction;
    double free_at[MOST_GPUS][STREAMS];
    double *ends[MOST_GPUS]; // per rank: the end of each operation, in ms from the start
    double compute[MOST_GPUS], travel[MOST_GPUS];
    bool unknown; // true if there is a product whose speed is unknown
    struct operation_span *spans;
};

// Returns the GB/s of a message of `bytes` bytes, interpolated between the measured sizes over the
// logarithm of the size. A message below the smallest measured size takes as long as that one.
static double bandwidth_of(const struct figures *figures, double bytes) {
    if (figures->bandwidth > 0) return figures->bandwidth;
    if (bytes <= seen[0].bytes) return seen[0].gigabytes_per_second * bytes / seen[0].bytes;
    for (int i = 1; i < SEEN; i++) {
        if (bytes > seen[i].bytes) continue;
        const double part = log(bytes / seen[i - 1].bytes) / log(seen[i].bytes / seen[i - 1].bytes);
        return seen[i - 1].gigabytes_per_second +
               part * (seen[i].gigabytes_per_second - seen[i - 1].gigabytes_per_second);
    }
    return seen[SEEN - 1].gigabytes_per_second;
}

// Returns the milliseconds of a message.
static double message_ms(const struct figures *f, double bytes) {
    return bytes > 0 ? bytes / bandwidth_of(f, bytes) * 1e-6 : 0;
}

static double product_ms(const struct figures *f, const struct operation *o) {
    const double rate = f->tflops * (o->beside ? (double)(f->sms - f->left) / f->sms : 1);
    return operation_flops(o) / rate * 1e-9;
}

// Returns the earliest time at which a rank's operation can begin.
static double earliest_start(const struct state *s, int rank, int number) {
    const struct operation *o = &s->schedules[rank]->operations[number];
    double at = s->free_at[rank][o->stream];
    for (int w = 0; w < MOST_WAITS; w++) {
        if (o->waits[w] >= 0) at = fmax(at, s->ends[rank][o->waits[w]]);
    }
    return at;
}

static void record_operation(struct state *s, int rank, int number, double start, double ms) {
    const struct operation *o = &s->schedules[rank]->operations[number];
    const double end = start + ms;
    s->ends[rank][number] = s->free_at[rank][o->stream] = end;
    if (o->kind == MULTIPLY) s->compute[rank] += ms;
    if (o->stream == TRAVEL) s->travel[rank] += ms;
    if (rank == 0 && s->spans) s->spans[number] = (struct operation_span){start, end};
    s->prediction->ms = fmax(s->prediction->ms, end);
}

static bool time_own(void *context, int rank, int number) {
    struct state *s = context;
    const struct operation *o = &s->schedules[rank]->operations[number];
    const double bytes = 4 * (double)tile_elements(o->to);
    const bool computes = o->kind == MULTIPLY && operation_flops(o) > 0,
               known = !isnan(s->figures->tflops);
    s->unknown |= computes && !known;
    const double ms = o->kind == MULTIPLY ? computes && known ? product_ms(s->figures, o) : 0
                      : o->kind == PULL   ? message_ms(s->figures, bytes)
                                          : bytes / COPY_BANDWIDTH * 1e-6;
    record_operation(s, rank, number, earliest_start(s, rank, number), ms);
    return true;
}

// Computes when a collective begins and ends on each rank. It begins when the last rank of its
// group is ready, and takes as long as the largest message in the group.
static bool time_collective(void *context, const int *numbers) {
    struct state *s = context;
    double start[MOST_GPUS], ms[MOST_GPUS];
    for (int rank = 0; rank < s->count; rank++) {
        const enum rank_group group = s->schedules[rank]->operations[numbers[rank]].group;
        const struct members m = members_of(s->schedules[rank], group);
        start[rank] = ms[rank] = 0;
        for (int i = 0, other = m.first; i < m.count; i++, other += m.step) {
            const struct operation *o = &s->schedules[other]->operations[numbers[other]];
            start[rank] = fmax(start[rank], earliest_start(s, other, numbers[other]));
            ms[rank] =
                fmax(ms[rank], message_ms(s->figures, operation_received(s->schedules[other], o)));
        }
    }
    for (int rank = 0; rank < s->count; rank++)
        record_operation(s, rank, numbers[rank], start[rank], ms[rank]);
    return true;
}

bool predict_schedules(struct schedule *const *schedules, int count, const struct figures *figures,
                       struct prediction *prediction, struct operation_span *spans) {
    static double ends[MOST_GPUS][MOST_OPERATIONS];
    struct state s = {.schedules = schedules,
                      .count = count,
                      .figures = figures,
                      .prediction = prediction,
                      .spans = spans};
    *prediction = (struct prediction){0};
    for (int i = 0; i < count; i++) {
        if (schedules[i]->count > MOST_OPERATIONS) return false;
        s.ends[i] = ends[i];
        prediction->received = fmax(prediction->received, schedule_received(schedules[i]));
        const int64_t work = schedule_work_bytes(schedules[i]);
        if (work > prediction->work_bytes) prediction->work_bytes = work;
    }
    const bool done =
        schedules_walk(schedules, count, &(struct walker){time_own, time_collective, &s});
    for (int i = 0; i < count; i++) {
        prediction->compute_ms = fmax(prediction->compute_ms, s.compute[i]);
        prediction->travel_ms = fmax(prediction->travel_ms, s.travel[i]);
    }
    if (s.unknown) prediction->ms = prediction->compute_ms = NAN;
    return done;
}
