// Measures the links by timing one kind of copy or collective at a time, for a series of sizes.
#include "links.h"
#include "commit.h" // COMMIT, made by the Makefile
#include "harness/interrupt.h"
#include "harness/say.h"
#include "harness/statistics.h"

#include <math.h>
#include <stdio.h>

const char LINKS_HEADER[] = "time,commit,backend,device,transport,gpus,processes,what,bytes,"
                            "received,ms_median,ms_min,gbytes_per_second";

enum { ROUNDS = 7, FLOAT_BYTES = 4, BEGIN = 0, END = 1 };
static const int64_t MEGABYTE = 1000000, SIZES[] = {1, 2, 4, 8, 16, 32, 64, 128, 256, 512};
static const double LIMIT = 60;

struct link_bench {
    struct crew *crew;
    device_pointer mine[MOST_GPUS]; // per local rank, room for one message of `bytes` bytes
    // per local rank, room for one message of each rank
    device_pointer all[MOST_GPUS];
    int64_t bytes;
};

// Makes a rank send to the next rank and receive from the previous rank.
static bool exchange_all(const struct link_bench *b, int local) {
    const struct team *t = &b->crew->team;
    const int rank = t->first + local;
    return b->crew->engine->exchange(local, b->mine[local], b->bytes / FLOAT_BYTES,
                                     (rank + 1) % t->ranks, b->all[local], b->bytes / FLOAT_BYTES,
                                     (rank + t->ranks - 1) % t->ranks);
}
static bool gather_all(const struct link_bench *b, int local) {
    return b->crew->engine->gather(local, b->all[local], b->bytes / FLOAT_BYTES);
}
static bool broadcast_all(const struct link_bench *b, int local) {
    return b->crew->engine->broadcast(local, 0, 0, b->mine[local], b->mine[local],
                                      b->bytes / FLOAT_BYTES);
}
static bool reduce_all(const struct link_bench *b, int local) {
    return b->crew->engine->reduce_scatter(local, b->all[local], b->mine[local],
                                           b->bytes / FLOAT_BYTES);
}

// Makes a rank copy from the next rank. Requires: all ranks are in this process.
static bool copy_all(const struct link_bench *b, int local) {
    const int from = (local + 1) % b->crew->team.count;
    return b->crew->engine->copy(local, TRAVEL, (struct strip){b->all[local], b->bytes}, from,
                                 (struct strip){b->mine[from], b->bytes}, b->bytes, 1);
}

static const struct kind {
    const char *name;
    bool (*call)(const struct link_bench *bench, int local);
    bool collective;
    bool from_each; // true if a rank receives `bytes` from every other rank; false: from one
} kinds[] = {
    {"copy engine", copy_all, false, false},    {"send and receive", exchange_all, true, false},
    {"broadcast", broadcast_all, true, false},  {"all-gather", gather_all, true, true},
    {"reduce-scatter", reduce_all, true, true},
};

// Runs one kind of copy or collective on all ranks. Sets *ms to the time of the slowest rank.
static bool run_once(const struct link_bench *b, const struct kind *kind, double *ms) {
    const struct gpu_engine *engine = b->crew->engine;
    double barrier = 0, mine;
    team_guard(kind->name, LIMIT);
    team_largest(&barrier, 1);
    *ms = 0;
    for (int i = 0; i < b->crew->team.count; i++) {
        if (!engine->mark(i, TRAVEL, BEGIN)) return false;
    }
    if (kind->collective && !engine->begin()) return false;
    for (int i = 0; i < b->crew->team.count; i++) {
        if (!kind->call(b, i)) return false;
    }
    if (kind->collective && !engine->end()) return false;
    for (int i = 0; i < b->crew->team.count; i++) {
        if (!engine->mark(i, TRAVEL, END)) return false;
    }
    if (!engine->finish()) return false;
    for (int i = 0; i < b->crew->team.count; i++) {
        if (!engine->elapsed(i, BEGIN, END, &mine)) return false;
        *ms = fmax(*ms, mine);
    }
    team_guard(NULL, 0);
    team_largest(ms, 1);
    return true;
}

static bool measure(const struct link_bench *b, const struct kind *kind, struct csv *csv) {
    const struct team *t = &b->crew->team;
    double ms[ROUNDS];
    char line[512];
    for (int i = -2; i < ROUNDS; i++) { // two rounds warm up
        if (interrupt_seen()) return false;
        if (!run_once(b, kind, &ms[i < 0 ? 0 : i]))
            return say_error("%s: %s", kind->name, backend_error());
    }
    const double received = (double)b->bytes * (kind->from_each ? t->ranks - 1 : 1),
                 median = median_of(ms, ROUNDS);
    if (t->first > 0) return true;
    printf("%-18s %6lld MB %10.3f ms %8.1f GB/s\n", kind->name, (long long)(b->bytes / MEGABYTE),
           median, received / median * 1e-6);
    fflush(stdout);
    snprintf(line, sizeof line, "%s,%s,%s,\"%s\",%s,%d,%d,%s,%lld,%.0f,%.6g,%.6g,%.6g", time_now(),
             COMMIT, b->crew->engine->name, b->crew->info.name, b->crew->engine->transport(),
             t->ranks, t->launched ? t->ranks : 1, kind->name, (long long)b->bytes, received,
             median, minimum_of(ms, ROUNDS), received / median * 1e-6);
    return csv_append(csv, line);
}

static bool take_memory(struct link_bench *b, int64_t bytes) {
    const struct gpu_engine *engine = b->crew->engine;
    for (int i = 0; i < b->crew->team.count; i++) {
        if (!engine->select(i) || !engine->backend->allocate(bytes, 0, &b->mine[i]) ||
            !engine->backend->allocate(bytes * b->crew->team.ranks, 0, &b->all[i]) ||
            !engine->backend->fill(b->mine[i], 0x3f800000, bytes / FLOAT_BYTES) ||
            !engine->backend->fill(b->all[i], 0x3f800000,
                                   bytes / FLOAT_BYTES * b->crew->team.ranks)) {
            return say_error("%s", backend_error());
        }
    }
    return engine->finish() || say_error("%s", backend_error());
}

static void free_memory(struct link_bench *b) {
    for (int i = 0; i < b->crew->team.count; i++) {
        b->crew->engine->select(i);
        if (b->mine[i]) b->crew->engine->backend->release(b->mine[i]);
        if (b->all[i]) b->crew->engine->backend->release(b->all[i]);
    }
}

// Returns how many of SIZES leave half of the device memory free.
static int sizes_that_fit(const struct crew *crew) {
    int count = 0;
    while (count < (int)(sizeof SIZES / sizeof *SIZES) &&
           SIZES[count] * MEGABYTE * (crew->team.ranks + 1) <= crew->info.memory_bytes / 2) {
        count++;
    }
    return count;
}

bool links_run(struct crew *crew, struct csv *csv) {
    const int sizes = sizes_that_fit(crew), count = (int)(sizeof kinds / sizeof *kinds);
    struct link_bench b = {.crew = crew};
    if (crew->team.ranks < 2)
        return say_error("--links: one GPU has no links: choose --gpus 2 or more");
    if (sizes == 0)
        return say_error(
            "--links: the devices have too little memory: half of it must hold %d messages of 1 MB",
            crew->team.ranks + 1);
    bool done =
        (crew->engine->arrange(1, crew->team.ranks, 0) || say_error("%s", backend_error())) &&
        take_memory(&b, SIZES[sizes - 1] * MEGABYTE);
    for (int k = 0; k < count; k++) {
        // The copy engine reads the other ranks' memory, so all ranks must be in this process.
        if (!kinds[k].collective && crew->team.launched) continue;
        for (int s = 0; done && s < sizes; s++) {
            b.bytes = SIZES[s] * MEGABYTE;
            done = measure(&b, &kinds[k], csv);
        }
    }
    free_memory(&b);
    return done;
}
