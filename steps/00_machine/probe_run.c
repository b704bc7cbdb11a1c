// Runs one probe. Times in cycles are read from the SM's clock, so they do not depend on the clock
// frequency. Times of the whole device are measured by events.
#include "probe_run.h"
#include "base/random.h"
#include "harness/say.h"
#include "harness/statistics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    LAUNCHES = 5,            // timed measurements; their median is the result
    FIRST_ROUNDS = 8,        // rounds of the first launch, which shows how long a round takes
    LONG_ENOUGH = 400000,    // wanted SM cycles per launch, about 0.2 ms
    DEVICE_CYCLES = 8000000, // wanted SM cycles per launch of a PROBE_FLOPS, timed by events
    COLD_ROUNDS = 16,        // rounds over a ring that is not in the caches
    // A model predicts two launches: one has this many rounds, the other a third of them.
    PREDICTED_ROUNDS = 24,
    PREDICTED_BYTES = 1 << 24, // largest size of `in` and of `out` for a model
    MOST_BLOCKS = 8192         // largest grid: 32 blocks per SM on 256 SMs
};

const char *probe_unit(enum probe_kind kind) {
    static const char *const units[] = {
        [PROBE_RATE] = "results/clk/SM", [PROBE_BYTES] = "bytes/clk/SM", [PROBE_CYCLES] = "cycles",
        [PROBE_LOADED] = "cycles",       [PROBE_LAUNCH] = "us",          [PROBE_BANK] = "cycles",
        [PROBE_FLOPS] = "TFLOP/s",       [PROBE_BLOCKS] = "cycles",      [PROBE_STREAM] = "GB/s"};
    return units[kind];
}

bool bench_open(struct bench *bench, const struct backend *backend, const struct device_info *info,
                int64_t bytes) {
    const int64_t most = backend->predicted ? PREDICTED_BYTES
                         : backend->timed   ? info->memory_bytes / 4
                                            : 1 << 20;
    *bench = (struct bench){.backend = backend, .info = info, .bytes = bytes};
    while (bench->bytes > most) bench->bytes /= 2;
    return (backend->allocate(bench->bytes, 0, &bench->in) &&
            backend->allocate(bench->bytes, 0, &bench->out) &&
            backend->allocate(8 * MOST_BLOCKS, 0, &bench->cycles) &&
            backend->fill(bench->in, 0x3f800000, bench->bytes / 4)) ||
           say_error("%s", backend_error());
}

void bench_close(struct bench *bench) {
    if (bench->in) bench->backend->release(bench->in);
    if (bench->out) bench->backend->release(bench->out);
    if (bench->cycles) bench->backend->release(bench->cycles);
}

// --- the ring of pointers ------------------------------------------------------------------------

// Sets next[i] to the slot that follows slot i: one cycle through all slots, in random order
// (Sattolo's shuffle).
static void shuffle(uint32_t *next, int64_t slots) {
    uint64_t state = 1;
    for (int64_t i = 0; i < slots; i++) next[i] = (uint32_t)i;
    for (int64_t i = slots - 1; i > 0; i--) {
        const int64_t j = (int64_t)(random_next(&state) % (uint64_t)i);
        const uint32_t kept = next[i];
        next[i] = next[j];
        next[j] = kept;
    }
}

static int64_t ring_bytes(const struct bench *b, const struct probe *p) {
    return p->bytes < b->bytes ? p->bytes : b->bytes;
}

static bool lay_ring(const struct bench *b, const struct probe *p) {
    const int64_t bytes = ring_bytes(b, p), slots = bytes / p->step;
    uint32_t *next = malloc((size_t)slots * sizeof *next);
    char *ring = calloc(1, (size_t)bytes);
    const bool room = next && ring;
    if (room) {
        shuffle(next, slots);
        for (int64_t i = 0; i < slots; i++) {
            const device_pointer to = b->in + (device_pointer)next[i] * (device_pointer)p->step;
            memcpy(ring + i * p->step, &to, sizeof to);
        }
    }
    const bool laid = room && b->backend->to_device(b->in, ring, bytes);
    free(next);
    free(ring);
    if (!room)
        return say_error("not enough host memory for a ring of %lld bytes", (long long)bytes);
    return laid || say_error("%s: %s", p->kernel, backend_error());
}

// --- launches ------------------------------------------------------------------------------------

// One probe with its kernel and grid.
struct loaded_probe {
    const struct bench *bench;
    const struct probe *probe;
    struct kernel *kernel;
    int64_t grid;
};

static bool is_ring(const struct probe *p) {
    return p->bytes && (p->kind == PROBE_CYCLES || p->kind == PROBE_LOADED);
}

static bool launch_probe(const struct loaded_probe *s, int rounds) {
    const struct bench *b = s->bench;
    const struct probe *p = s->probe;
    device_pointer in = b->in, out = b->out, cycles = b->cycles;
    uint32_t value = p->kind == PROBE_STREAM ? (uint32_t)(ring_bytes(b, p) / 16) : p->value;
    if (is_ring(p) && value > ring_bytes(b, p) / p->step)
        value = (uint32_t)(ring_bytes(b, p) / p->step);
    void *arguments[] = {&rounds, &value, &in, &out, &cycles};
    const struct launch launch = {.grid_x = s->grid,
                                  .grid_y = 1,
                                  .threads = p->threads,
                                  .shared_bytes = p->shared,
                                  .arguments = arguments};
    return b->backend->launch(s->kernel, &launch);
}

static int64_t grid_of(const struct bench *b, const struct probe *p, int blocks_per_sm) {
    const bool by_value = (p->kind == PROBE_LAUNCH || p->kind == PROBE_BLOCKS) && p->value > 0;
    const bool one = !b->backend->timed || p->kind == PROBE_LAUNCH || p->kind == PROBE_CYCLES ||
                     p->kind == PROBE_BANK;
    if (one && !by_value) return 1;
    const int64_t of_an_sm = by_value                  ? (int64_t)p->value
                             : p->kind == PROBE_STREAM ? blocks_per_sm
                                                       : 1;
    const int64_t blocks = b->info->multiprocessors * of_an_sm;
    return blocks < MOST_BLOCKS ? blocks : MOST_BLOCKS;
}

// Returns the median of cycles[] over the blocks of the last launch; NaN with backend_error().
static double cycles_of(const struct loaded_probe *s) {
    int64_t cycles[MOST_BLOCKS];
    double values[MOST_BLOCKS];
    if (!s->bench->backend->to_host(cycles, s->bench->cycles, 8 * s->grid)) return NAN;
    for (int64_t i = 0; i < s->grid; i++) values[i] = (double)cycles[i];
    return median_of(values, (int)s->grid);
}

// Returns true if the probe's data must not be in L2 at the start, so that device memory serves it.
static bool starts_cold(const struct probe *p) {
    return p->bytes && (p->kind == PROBE_STREAM ? p->passes == 1 : p->value == 0);
}

// Makes the launches of one measurement: `passes` launches for PROBE_LAUNCH, otherwise one.
static bool launch_all(const struct loaded_probe *s, int rounds) {
    const int launches = s->probe->kind == PROBE_LAUNCH ? s->probe->passes : 1;
    for (int i = 0; i < launches; i++) {
        if (!launch_probe(s, rounds)) return false;
    }
    return true;
}

// Returns the cycles of one launch or, if `events`, its milliseconds; NaN with backend_error().
static double take(const struct loaded_probe *s, int rounds, bool events) {
    const struct backend *b = s->bench->backend;
    double milliseconds = NAN;
    if ((starts_cold(s->probe) || s->probe->kind == PROBE_LAUNCH) && !b->flush_cache()) return NAN;
    if (events) {
        const bool timed =
            b->start() && launch_all(s, rounds) && b->stop() && b->elapsed(&milliseconds);
        return timed ? milliseconds : NAN;
    }
    return launch_probe(s, rounds) && b->synchronize() ? cycles_of(s) : NAN;
}

// Returns the value in the probe's unit if `rounds` rounds took `time` cycles or milliseconds.
static double value_of(const struct loaded_probe *s, int rounds, double time) {
    const struct probe *p = s->probe;
    const double results = (double)rounds * p->results; // per thread
    switch (p->kind) {
    case PROBE_RATE:
    case PROBE_BYTES:
        return results * p->threads / time;
    case PROBE_CYCLES:
    case PROBE_LOADED:
        return time / results;
    case PROBE_LAUNCH:
        return 1000 * time;
    case PROBE_BLOCKS:
        return time;
    case PROBE_BANK:
        return time / (results * p->threads / 32 / 4);
    case PROBE_FLOPS:
        return 2e-9 * results * p->threads * (double)s->grid / time;
    default:
        return 1e-6 * results * p->threads * (double)s->grid / time;
    }
}

static int rounds_of(const struct loaded_probe *s, double cycles) {
    const struct probe *p = s->probe;
    const double wanted = p->kind == PROBE_FLOPS ? DEVICE_CYCLES : LONG_ENOUGH;
    if (p->kind == PROBE_STREAM) {
        // A thread walks over 8 words of 16 bytes per round.
        const double round_bytes = (double)p->threads * (double)s->grid * 8 * 16;
        return (int)ceil((double)p->passes * (double)ring_bytes(s->bench, p) / round_bytes);
    }
    if (p->kind == PROBE_LAUNCH || p->kind == PROBE_BLOCKS) return 0;
    if (starts_cold(p)) return COLD_ROUNDS;
    return (int)fmax(FIRST_ROUNDS, wanted / cycles * FIRST_ROUNDS);
}

static bool measure(const struct loaded_probe *s, struct probe_finding *f) {
    const enum probe_kind kind = s->probe->kind;
    const bool events = kind == PROBE_FLOPS || kind == PROBE_STREAM || kind == PROBE_LAUNCH;
    double values[LAUNCHES];
    struct sensors sensors;
    const double first = take(s, FIRST_ROUNDS, false); // the launch also loads the machine code
    const int rounds = rounds_of(s, first);
    for (int i = 0; i < LAUNCHES; i++) values[i] = value_of(s, rounds, take(s, rounds, events));
    f->value = median_of(values, LAUNCHES);
    s->bench->backend->read_sensors(&sensors);
    f->mhz = sensors.clock_mhz;
    return !isnan(f->value) || say_error("%s: %s", s->probe->kernel, backend_error());
}

// Predicts a probe's value by the timing model, in which kernels cannot read a clock. So the time
// of the rounds is the difference between two launches with different numbers of rounds. An empty
// launch (PROBE_LAUNCH) has no rounds and is predicted directly.
static bool predict(const struct loaded_probe *s, struct probe_finding *f) {
    const int few = PREDICTED_ROUNDS / 3, more = PREDICTED_ROUNDS - few;
    const bool launch = s->probe->kind == PROBE_LAUNCH;
    const double first = launch ? 0 : take(s, few, true),
                 all = take(s, launch ? 0 : PREDICTED_ROUNDS, true);
    const bool device = launch || s->probe->kind == PROBE_FLOPS;
    struct sensors sensors;
    s->bench->backend->read_sensors(&sensors);
    f->mhz = sensors.clock_mhz;
    f->value = value_of(s, more, (all - first) * (device ? 1 : 1000 * f->mhz));
    return !isnan(f->value) || say_error("%s: %s", s->probe->kernel, backend_error());
}

// --- without a clock -----------------------------------------------------------------------------

// Launches `rounds` rounds. Sets the numbers of executed warp instructions and of cycles lost to
// register-bank conflicts.
static bool count_launch(const struct loaded_probe *s, int rounds, double *instructions,
                         double *lost) {
    struct counter counters[MAX_COUNTERS];
    const struct backend *b = s->bench->backend;
    if (!launch_probe(s, rounds) || !b->synchronize())
        return say_error("%s: %s", s->probe->kernel, backend_error());
    const int count = b->take_counters(s->kernel, counters, MAX_COUNTERS);
    *instructions = *lost = NAN;
    for (int i = 0; i < count; i++) {
        if (strcmp(counters[i].name, "smsp__inst_executed.sum") == 0)
            *instructions = counters[i].value;
        if (strcmp(counters[i].name, "sim__register_bank_cycles_lost.sum") == 0)
            *lost = counters[i].value;
    }
    return true;
}

// Counts the instructions of a round, as the difference between two launches. Complains and returns
// false if the count is zero or, for a loop without inner branches, differs from the machine code.
static bool count(const struct loaded_probe *s, const struct probe_code *code,
                  struct probe_finding *f) {
    double few, more, lost_few, lost_more;
    if (!count_launch(s, 2, &few, &lost_few) || !count_launch(s, 4, &more, &lost_more))
        return false;
    const double warp_rounds = 2.0 * s->probe->threads / 32, executed = (more - few) / warp_rounds;
    const bool bytes = s->probe->kind == PROBE_BYTES || s->probe->kind == PROBE_STREAM;
    f->per_result = executed / (bytes ? s->probe->times : s->probe->results);
    f->lost_per_result = (lost_more - lost_few) / warp_rounds / s->probe->results;
    if (s->probe->times == 0 || (code->straight ? executed == code->instructions : executed >= 1))
        return true;
    return say_error("%s: a round executes %g instructions, expected the %d of its loop",
                     s->probe->kernel, executed, code->instructions);
}

bool probe_run(struct bench *bench, const struct probe *probe, const char *path,
               const struct probe_code *code, struct probe_finding *finding) {
    struct loaded_probe loaded = {.bench = bench, .probe = probe};
    struct kernel_info info;
    int blocks = 1;
    *finding =
        (struct probe_finding){.value = NAN, .mhz = NAN, .per_result = NAN, .lost_per_result = NAN};
    if (!bench->backend->load(path, probe->kernel, probe->shared, &loaded.kernel, &info))
        return say_error("%s", backend_error());
    bool good = bench->backend->occupancy(loaded.kernel, probe->threads, probe->shared, &blocks) ||
                say_error("%s", backend_error());
    finding->local_bytes = info.local_bytes;
    loaded.grid = grid_of(bench, probe, blocks);
    if (good && is_ring(probe)) good = lay_ring(bench, probe);
    if (good && bench->backend->predicted) {
        good = predict(&loaded, finding);
    } else if (good) {
        good = bench->backend->timed ? measure(&loaded, finding) : count(&loaded, code, finding);
    }
    bench->backend->unload(loaded.kernel);
    return good;
}
