// The simulator as two backends. `sim` runs machine code on the CPU; it has counters but no times.
// `model` runs it, too, and predicts times for the launches between start() and stop()
// (sasskit/model).
#include "sim/sim.h"
#include "backend.h"
#include "isa/chip.h"
#include "model/sm.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct kernel {
    struct sim_kernel *kernel;
    bool noted; // true after sim_note_counters() for this kernel
    // --- sums since the last call of take_counters()
    struct sim_result *result;  // the counts
    double least_bytes;         // sum of the launches' least_bytes
    struct sm_totals predicted; // warp states of the launches whose times were predicted
};

static struct sim_memory *memory;
static int architecture = 90;
static struct sm_machine machine;
static bool model_counts; // true if the model counts warp states, which takes time
static struct {
    bool active; // true between start() and stop()
    double milliseconds;
    struct sm_held held; // allocations in L2: filled, copied to or used by launches since the flush
    bool flushed;        // true if no launch was predicted since the flush
    double clock_ghz;    // SM clock of the last predicted launch; 0 before
    bool stored;         // true if the last predicted launch stored to memory
} prediction;

static enum backend_status sim_open(struct device_info *info) {
    // 64-bit addresses leave room for memory that is allocated but never written
    const bool wide = sizeof(void *) > 4;
    *info = (struct device_info){
        .name = "simulator",
        .driver = "none",
        .toolkit = "none",
        .compute_capability = architecture,
        .multiprocessors = sim_h200.multiprocessors,
        .lanes = sim_h200.fma_lanes,
        .lanes_64 = sim_h200.fp64_lanes,
        .clock_mhz = 1000 * sim_h200.clock_ghz,
        .most_shared = sim_sm_of(architecture).block_shared,
        .l2_bytes = 60 << 20,
        .memory_bytes = wide ? 1ll << 33 : 1ll << 30,
        .texture_alignment = SIM_ALIGNMENT,
        .texture_width = 1ll << 27,
        .checks_addresses = true,
        .lazy_memory = wide,
    };
    if (architecture != 90)
        snprintf(info->name, sizeof info->name, "simulator, with an H200's SMs and memory banks");
    memory = sim_memory_open();
    if (memory) return BACKEND_READY;
    backend_fail("not enough host memory");
    return BACKEND_FAILED;
}

static enum backend_status model_open(struct device_info *info) {
    if (!machine.name) machine = sm_machines[0];
    architecture = machine.arch;
    const enum backend_status status = sim_open(info);
    snprintf(info->name, sizeof info->name, "model of %s%s", machine.name,
             machine.guessed ? " (not measured by this project)" : "");
    info->lanes = (int)(machine.schedulers * 32 * machine.fma_pipes / machine.fma_cycles);
    info->lanes_64 = (int)(machine.schedulers * 32 / machine.fp64_cycles);
    info->multiprocessors = (int)machine.multiprocessors;
    info->clock_mhz = (int)(machine.clock_ghz * 1000 + 0.5);
    return status;
}

bool backend_sim_architecture(const char *text) {
    char *end;
    const bool named = strncmp(text, "sm_", 3) == 0;
    const long capability = strtol(named ? text + 3 : text, &end, 10);
    if (*end || !sim_sm_of((int)capability).warps)
        return backend_fail("--arch %.40s: the simulator runs %s", text,
                            sass_chip_names(true, (char[SASS_CHIP_NAMES]){0}));
    architecture = (int)capability;
    return true;
}

void backend_model_count(void) {
    model_counts = true;
}

bool backend_model_machine(const char *text) {
    struct error error = {0};
    return sm_machine_parse(text, &machine, &error) || backend_fail("%s", error.message);
}

static void sim_close(void) {
    sim_memory_close(memory);
    memory = NULL;
}

static void sim_unload(struct kernel *kernel) {
    if (!kernel) return;
    sim_result_close(kernel->result);
    sim_kernel_close(kernel->kernel);
    free(kernel);
}

// Sets *kernel and *info. Takes ownership of `opened`; NULL means that opening failed with *error.
static bool take_kernel(struct sim_kernel *opened, struct error *error, struct kernel **kernel,
                        struct kernel_info *info) {
    struct kernel *loaded = calloc(1, sizeof *loaded);
    if (loaded) loaded->kernel = opened;
    if (loaded && opened) loaded->result = sim_result_open(opened);
    if (!loaded || !loaded->result) {
        if (loaded)
            sim_unload(loaded);
        else
            sim_kernel_close(opened);
        return backend_fail("%s", error->message);
    }
    const struct sim_kernel_facts facts = sim_kernel_facts(opened);
    *info = (struct kernel_info){facts.registers, facts.shared_bytes, facts.local_bytes,
                                 facts.max_threads};
    *kernel = loaded;
    return true;
}

static bool sim_load(const char *path, const char *symbol, int shared_bytes, struct kernel **kernel,
                     struct kernel_info *info) {
    struct error error = {.message = "not enough host memory"};
    return take_kernel(sim_kernel_open(path, symbol, &error), &error, kernel, info);
}

static bool sim_load_image(const void *image, size_t bytes, const char *name, const char *symbol,
                           int shared_bytes, struct kernel **kernel, struct kernel_info *info) {
    struct error error = {.message = "not enough host memory"};
    return take_kernel(sim_kernel_open_memory(image, bytes, name, symbol, &error), &error, kernel,
                       info);
}

static bool sim_occupancy(struct kernel *kernel, int threads, int shared_bytes, int *blocks) {
    enum { WARP = 32 };
    const struct sim_kernel_facts facts = sim_kernel_facts(kernel->kernel);
    const struct sim_sm sm = sim_sm_of(facts.arch);
    *blocks = sim_blocks_that_fit(&sm, facts.registers, (threads + WARP - 1) / WARP,
                                  facts.shared_bytes + shared_bytes);
    return true;
}

static bool sim_backend_allocate(int64_t bytes, int past, device_pointer *address) {
    *address = sim_allocate_past(memory, bytes, past);
    return *address ||
           backend_fail(
               "the simulator cannot allocate %lld bytes of host memory: choose a smaller --size",
               (long long)bytes);
}
static void sim_backend_release(device_pointer address) {
    if (address) sim_release(memory, address);
}
static void *sim_allocate_host(size_t bytes) {
    void *block = malloc(bytes);
    if (!block) backend_fail("not enough host memory for %zu bytes", bytes);
    return block;
}
static void sim_release_host(void *block) {
    free(block);
}

// Records that L2 holds the allocation around `address`, which the host or a fill has written.
static void record_held(device_pointer address) {
    uint64_t bytes;
    sm_hold(&prediction.held, sim_allocation(memory, address, &bytes));
}

// Returns the host address of `bytes` of device memory; NULL after setting the message.
static void *translate(device_pointer address, int64_t bytes) {
    static uint8_t nothing[1];
    if (bytes == 0) return nothing;
    void *host = sim_host(memory, address, bytes);
    if (!host)
        backend_fail("a copy of %lld bytes at 0x%llx exceeds its allocation", (long long)bytes,
                     (unsigned long long)address);
    return host;
}
static bool sim_to_device(device_pointer to, const void *from, int64_t bytes) {
    void *host = translate(to, bytes);
    if (host) memcpy(host, from, (size_t)bytes);
    if (host) record_held(to);
    return host != NULL;
}
static bool sim_to_host(void *to, device_pointer from, int64_t bytes) {
    const void *host = translate(from, bytes);
    if (host) memcpy(to, host, (size_t)bytes);
    return host != NULL;
}
static bool sim_on_device(device_pointer to, device_pointer from, int64_t bytes) {
    void *target = translate(to, bytes);
    const void *source = translate(from, bytes);
    if (target && source) memmove(target, source, (size_t)bytes);
    return target && source;
}
static bool sim_fill(device_pointer to, uint32_t word, int64_t words) {
    uint8_t *host = translate(to, 4 * words);
    for (int64_t i = 0; host && i < words; i++) memcpy(host + 4 * i, &word, 4);
    if (host) record_held(to);
    return host != NULL;
}

static bool sim_make_texture(device_pointer start, int64_t texels, device_texture *texture) {
    *texture = sim_texture_open(memory, start, texels, 4);
    return *texture || backend_fail("the simulator cannot make a texture of %lld texels at 0x%llx",
                                    (long long)texels, (unsigned long long)start);
}
static void sim_free_texture(device_texture texture) {
    sim_texture_close(memory, texture);
}

// Adds a launch's time, predicted by the model, to prediction.milliseconds.
static bool predict(struct kernel *kernel, const struct sim_launch *launch) {
    struct error error = {0};
    struct sm_result result;
    const struct sm_wish wish = {
        .states = model_counts, .held = &prediction.held, .flushed = prediction.flushed};
    const bool good = sm_time(kernel->kernel, memory, launch, &machine, wish, &result, &error);
    // The predicted time includes machine.launch_us, which a launch needs to start after an event.
    // After another launch the start is shorter, but less so if that launch stored to memory.
    const double behind_us =
        machine.next_launch_us + (prediction.stored ? machine.store_launch_us : 0);
    const double sooner_us = prediction.milliseconds > 0 ? machine.launch_us - behind_us : 0;
    prediction.flushed = false;
    prediction.stored = result.stores;
    prediction.clock_ghz = result.clock_ghz;
    if (good) prediction.milliseconds += result.milliseconds - sooner_us / 1e3;
    if (good && model_counts) sm_add_states(&result, &kernel->predicted);
    sm_result_clear(&result);
    return good || backend_fail("the model reports: %s", error.message);
}

static bool sim_backend_launch(struct kernel *kernel, const struct launch *l) {
    struct error error = {0};
    const struct sim_launch launch = {.grid = {(uint32_t)l->grid_x, (uint32_t)l->grid_y, 1},
                                      .block = {(uint32_t)l->threads, 1, 1},
                                      .shared_bytes = (uint32_t)l->shared_bytes,
                                      .arguments = (const void *const *)l->arguments,
                                      .stop = &backend_stop};
    if (l->grid_x > INT32_MAX || l->grid_y > 65535)
        return backend_fail("a grid of %lld x %lld blocks is too large", (long long)l->grid_x,
                            (long long)l->grid_y);
    if (prediction.active) return predict(kernel, &launch);
    kernel->least_bytes += (double)l->least_bytes;
    return sim_run(kernel->kernel, memory, &launch, kernel->result, &error) ||
           backend_report(error.report, "the simulator reports: %s", error.message);
}

// Sets counters[] to the lower bounds of the launches' time that follow from the counts, and to the
// TFLOP/s at the largest bound. Returns their number.
static int take_bounds(struct kernel *kernel, struct counter counters[SIM_BOUNDS + 1]) {
    struct sim_bound bounds[SIM_BOUNDS];
    const int binding = sim_bounds(kernel->result, &sim_h200, kernel->least_bytes, bounds);
    for (int i = 0; i < SIM_BOUNDS; i++)
        counters[i] = (struct counter){bounds[i].counter, bounds[i].cycles, bounds[i].part};
    const double tflops = sim_bound_tflops(kernel->result, &sim_h200, bounds[binding].cycles);
    counters[SIM_BOUNDS] = (struct counter){"sim__bound.tflops", tflops, NULL};
    return SIM_BOUNDS + 1;
}

static int sim_take_counters(struct kernel *kernel, struct counter *counters, int most) {
    struct sim_counter values[SIM_MAX_COUNTERS];
    const int room = most - SIM_BOUNDS - 1;
    const int all =
        sim_counters(kernel->result, values, room < SIM_MAX_COUNTERS ? room : SIM_MAX_COUNTERS);
    int count = 0;
    for (int i = 0; i < all; i++)
        if (!isnan(values[i].value))
            counters[count++] = (struct counter){values[i].name, values[i].value, NULL};
    count += take_bounds(kernel, &counters[count]);
    sim_result_clear(kernel->result);
    kernel->least_bytes = 0;
    return count;
}

static void sim_note_counters(struct kernel *kernel) {
    if (!kernel->noted) sim_print_notes(kernel->kernel);
    kernel->noted = true;
}

static bool sim_nothing(void) {
    return true;
}
static bool sim_elapsed(double *milliseconds) {
    *milliseconds = NAN;
    return true;
}
static void sim_read_sensors(struct sensors *s) {
    *s = (struct sensors){NAN, NAN, NAN};
}

// Sets one counter per warp state: the average cycles in it per warp instruction, over the warps of
// the modelled blocks.
static int model_take_counters(struct kernel *kernel, struct counter *counters, int most) {
    const struct sm_totals *t = &kernel->predicted;
    int count = 0;
    for (int s = 0; s < SM_STATES && count < most && t->instructions; s++) {
        counters[count++] = (struct counter){sm_counter_names[s],
                                             (double)t->state[s] / (double)t->instructions, NULL};
    }
    kernel->predicted = (struct sm_totals){0};
    return count;
}

static bool model_start(void) {
    prediction.active = true;
    prediction.milliseconds = 0;
    return true;
}
static bool model_flush(void) {
    prediction.held.count = 0;
    prediction.flushed = true;
    return true;
}
static bool model_stop(void) {
    prediction.active = false;
    return true;
}
static bool model_elapsed(double *milliseconds) {
    *milliseconds = prediction.milliseconds;
    return true;
}
static void model_read_sensors(struct sensors *s) {
    *s = (struct sensors){
        (prediction.clock_ghz > 0 ? prediction.clock_ghz : machine.clock_ghz) * 1000, NAN, NAN};
}

// The functions that both backends share.
#define SIMULATOR \
    .close = sim_close, .load = sim_load, .load_image = sim_load_image, .unload = sim_unload, \
    .occupancy = sim_occupancy, .allocate = sim_backend_allocate, .release = sim_backend_release, \
    .allocate_host = sim_allocate_host, .release_host = sim_release_host, \
    .to_device = sim_to_device, .to_host = sim_to_host, .on_device = sim_on_device, \
    .fill = sim_fill, .make_texture = sim_make_texture, .free_texture = sim_free_texture, \
    .launch = sim_backend_launch, .synchronize = sim_nothing

const struct backend backend_sim = {SIMULATOR,
                                    .name = "sim",
                                    .open = sim_open,
                                    .start = sim_nothing,
                                    .stop = sim_nothing,
                                    .flush_cache = sim_nothing,
                                    .elapsed = sim_elapsed,
                                    .read_sensors = sim_read_sensors,
                                    .take_counters = sim_take_counters,
                                    .note_counters = sim_note_counters};

const struct backend backend_model = {SIMULATOR,
                                      .name = "model",
                                      .timed = true,
                                      .predicted = true,
                                      .open = model_open,
                                      .start = model_start,
                                      .stop = model_stop,
                                      .flush_cache = model_flush,
                                      .elapsed = model_elapsed,
                                      .read_sensors = model_read_sensors,
                                      .take_counters = model_take_counters,
                                      .note_counters = sim_note_counters};
