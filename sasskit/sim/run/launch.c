// Runs a launch: checks it, fills the constant banks, runs the blocks, prints the reports.
#include "launch.h"

#include "isa/chip.h"

#include "system.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>

// Default limit of the instructions per warp. The course's longest launch, at N = 16384, takes 2e8.
#define DEFAULT_LIMIT 400000000ull
enum { MAX_THREADS = 1024, MAX_DEPTH = 64, DEFAULT_REPORTS = 10, WORKSPACE_BYTES = 64 };

static const volatile sig_atomic_t never;

// Writes words to the driver's part of bank 0 if the architecture has a place for them.
static void put_words(uint8_t *bank, int offset, const uint32_t *words, int count) {
    if (offset != SASS_NOT_THERE) memcpy(bank + offset, words, (size_t)count * sizeof *words);
}

// Fills the constants from which %clusterid and similar registers are computed. Inverses are
// rounded up, so that no quotient is too small.
static void fill_cluster(uint8_t *bank, const struct sass_bank0 *at, const struct launch_state *l) {
    const uint32_t size = l->cluster[0] * l->cluster[1] * l->cluster[2], clustered = size > 1;
    uint32_t inverses[3], clusters[3];
    for (int i = 0; i < 3; i++) {
        const float inverse =
            nextafterf(1.0f / (float)l->cluster[i], l->cluster[i] > 1 ? 2.0f : 1.0f);
        memcpy(&inverses[i], &inverse, sizeof inverse);
        clusters[i] = l->grid[i] / l->cluster[i];
    }
    put_words(bank, at->clustered, &clustered, 1);
    put_words(bank, at->cluster, l->cluster, 3);
    put_words(bank, at->cluster_inverse, inverses, 3);
    put_words(bank, at->cluster_grid, clusters, 3);
    put_words(bank, at->cluster_size, &size, 1);
}

// Copies the parameters and __constant__ variables to device memory, where pointers can access
// them, and gives the kernel their addresses.
static void copy_banks(struct launch_state *l, const struct sass_kernel *k) {
    uint8_t *bank = l->constant[0];
    const struct sass_bank0 *at = k->chip->bank0;
    const uint64_t constants = l->constants;
    if (l->parameters)
        memcpy(sim_host(l->memory, l->parameters, k->param_bytes), bank + k->param_base,
               (size_t)k->param_bytes);
    if (constants)
        memcpy(sim_host(l->memory, constants, l->constant_bytes[3]), l->constant[3],
               l->constant_bytes[3]);
    put_words(bank, at->parameters,
              (const uint32_t[]){(uint32_t)l->parameters, (uint32_t)(l->parameters >> 32)}, 2);
    put_words(bank, at->constants,
              (const uint32_t[]){(uint32_t)constants, (uint32_t)(constants >> 32)}, 2);
}

static bool fill_banks(struct launch_state *l, struct sim_kernel *kernel,
                       const struct sim_launch *launch) {
    const struct sass_kernel *k = kernel->code;
    for (int bank = 0; bank < 8; bank++) {
        const size_t bytes = k->constant_bytes[bank];
        const size_t size = bank == 0 && bytes < (size_t)k->param_base + (size_t)k->param_bytes
                                ? (size_t)k->param_base + (size_t)k->param_bytes
                                : bytes;
        if (size == 0) continue;
        l->constant[bank] = calloc(1, size + 64);
        if (!l->constant[bank]) return false;
        if (k->constant[bank]) memcpy(l->constant[bank], k->constant[bank], bytes);
        l->constant_bytes[bank] = (uint32_t)size;
        variables_relocate(kernel->variables, bank, l->constant[bank], (uint32_t)size);
    }
    uint8_t *bank = l->constant[0];
    const struct sass_bank0 *at = k->chip->bank0;
    if (!bank || l->constant_bytes[0] < (uint32_t)at->param_base) return false;
    put_words(bank, at->block_dim, l->block, 3);
    put_words(bank, at->grid_dim, l->grid, 3);
    fill_cluster(bank, at, l);
    put_words(bank, at->stack, &l->local_bytes, 1);
    put_words(bank, at->dynamic_shared, &launch->shared_bytes, 1);
    const uint32_t behind =
        l->shared_end > l->shared_bytes ? system_shared_begin(l) : l->shared_end;
    put_words(bank, at->reserved_shared,
              (const uint32_t[]){l->shared_reserved + l->shared_end - behind}, 1);
    if (at->reserved_one != SASS_NOT_THERE) {
        put_words(bank, at->reserved_end, &l->shared_end, 1);
        put_words(bank, at->reserved_one, &behind, 1);
    }
    put_words(bank, at->shared_window, (const uint32_t[]){0, SHARED_WINDOW}, 2);
    put_words(bank, at->local_window, (const uint32_t[]){0, LOCAL_WINDOW}, 2);
    put_words(bank, at->workspace,
              (const uint32_t[]){(uint32_t)(l->workspace >> 32), (uint32_t)l->workspace}, 2);
    for (int i = 0; i < k->parameter_count; i++) {
        const struct sass_parameter *p = &k->parameters[i];
        if ((uint32_t)k->param_base + p->offset + p->size > l->constant_bytes[0]) return false;
        memcpy(bank + k->param_base + p->offset, launch->arguments[i], p->size);
    }
    copy_banks(l, k);
    return true;
}

// Error codes of the driver (cuLaunchKernel) for impossible launches; unit of allocated registers.
enum { INVALID_VALUE = 1, OUT_OF_RESOURCES = 701, INVALID_CLUSTER = 912, REGISTER_UNIT = 256 };

static const char *name_of(int code) {
    return code == OUT_OF_RESOURCES  ? "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES"
           : code == INVALID_CLUSTER ? "CUDA_ERROR_INVALID_CLUSTER_SIZE"
                                     : "CUDA_ERROR_INVALID_VALUE";
}

static bool driver_refuses(struct error *error, int code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static bool driver_refuses(struct error *error, int code, const char *format, ...) {
    char reason[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    error_refuse(error, "%s (the driver's error %d, %s)", reason, code, name_of(code));
    error->code = code;
    return false;
}

static bool refuse_registers(const struct launch_state *l, int available, struct error *error) {
    const struct sass_kernel *k = l->program->kernel;
    driver_refuses(error, OUT_OF_RESOURCES,
                   "%d registers per thread times %u threads are more than the %d of an SM",
                   k->registers, l->threads, available);
    snprintf(error->remedy, sizeof error->remedy,
             "use smaller blocks, or compile with __launch_bounds__(%u) or -maxrregcount=%d",
             l->threads,
             (int)((uint32_t)available / l->warps / REGISTER_UNIT * REGISTER_UNIT / LANES));
    return false;
}

static bool check_launch(const struct sim_launch *launch, const struct launch_state *l,
                         struct error *error) {
    const struct sass_kernel *k = l->program->kernel;
    const struct sass_chip *chip = k->chip;
    const struct sim_sm sm = sim_sm_of(chip->capability);
    const uint64_t threads = (uint64_t)launch->block[0] * launch->block[1] * launch->block[2];
    for (int i = 0; i < 3; i++) {
        if (launch->grid[i] == 0 || launch->block[i] == 0)
            return error_refuse(
                error, "the grid or the block is empty: expected 1 or more in each dimension");
    }
    if (launch->grid[0] > INT32_MAX || launch->grid[1] > 65535 || launch->grid[2] > 65535)
        return driver_refuses(
            error, INVALID_VALUE,
            "a grid of %u x %u x %u blocks: expected at most 2147483647 x 65535 x 65535",
            launch->grid[0], launch->grid[1], launch->grid[2]);
    if (launch->block[2] > MAX_DEPTH || threads > MAX_THREADS)
        return driver_refuses(
            error, INVALID_VALUE,
            "a block of %u x %u x %u threads: expected at most %d in all, %d along z",
            launch->block[0], launch->block[1], launch->block[2], MAX_THREADS, MAX_DEPTH);
    for (int i = 0; i < 3; i++) {
        if (launch->grid[i] % l->cluster[i])
            return driver_refuses(error, INVALID_CLUSTER,
                                  "the grid of %u x %u x %u blocks is not a multiple of the "
                                  "kernel's clusters, %u x %u x %u",
                                  launch->grid[0], launch->grid[1], launch->grid[2], l->cluster[0],
                                  l->cluster[1], l->cluster[2]);
    }
    if (l->cluster[0] * l->cluster[1] * l->cluster[2] > MAX_CLUSTER)
        return driver_refuses(
            error, INVALID_CLUSTER,
            "clusters of %u blocks: expected at most %d, and 8 without the non-portable attribute",
            l->cluster[0] * l->cluster[1] * l->cluster[2], MAX_CLUSTER);
    if (l->shared_bytes - l->shared_reserved > (uint32_t)chip->block_kbytes * 1024)
        return driver_refuses(error, INVALID_VALUE,
                              "the kernel needs %u bytes of shared memory per block, and %s has %d",
                              l->shared_bytes - l->shared_reserved, chip->name,
                              chip->block_kbytes * 1024);
    if (k->max_threads && threads > (uint64_t)k->max_threads)
        return driver_refuses(
            error, INVALID_VALUE,
            "a block of %llu threads: the kernel is compiled for at most %d (__launch_bounds__)",
            (unsigned long long)threads, k->max_threads);
    // Registers are allocated per warp, in units of 256.
    const uint32_t per_warp =
        ((uint32_t)k->registers * LANES + REGISTER_UNIT - 1) / REGISTER_UNIT * REGISTER_UNIT;
    if (per_warp * l->warps > (uint32_t)sm.registers)
        return refuse_registers(l, sm.registers, error);
    return true;
}

bool launch_prepare(struct launch_state *l, struct sim_kernel *kernel, struct sim_memory *memory,
                    const struct sim_launch *launch, struct error *error) {
    const struct sass_kernel *k = kernel->code;
    struct program *program = kernel_program(kernel);
    *l = (struct launch_state){.program = program, .memory = memory};
    if (!program) return error_fail(error, "not enough host memory");
    memcpy(l->grid, launch->grid, sizeof l->grid);
    memcpy(l->block, launch->block, sizeof l->block);
    for (int i = 0; i < 3; i++) l->cluster[i] = k->cluster[i] ? (uint32_t)k->cluster[i] : 1;
    l->threads = l->block[0] * l->block[1] * l->block[2];
    l->warps = (l->threads + LANES - 1) / LANES;
    l->shared_reserved = (uint32_t)k->chip->shared_reserved;
    const uint32_t fixed = (uint32_t)k->shared_bytes > l->shared_reserved
                               ? (uint32_t)k->shared_bytes
                               : l->shared_reserved;
    enum { SYSTEM_SHARED = 1024 };
    l->shared_bytes = fixed + launch->shared_bytes;
    l->shared_end = l->shared_bytes;
    if (program->reads_reserved) l->shared_end = system_shared_begin(l) + SYSTEM_SHARED;
    l->local_bytes = (uint32_t)((k->local_bytes + (k->symbol_count > 0 ? 4096 : 0) + 15) & ~15);
    l->picture = launch->picture;
    l->asked_to_stop = launch->stop ? launch->stop : &never;
    l->limit = launch->limit ? launch->limit : DEFAULT_LIMIT;
    l->limit_is_given = launch->limit != 0;
    l->granule = program->shared_bytes ? 0 : 2;
    if (!check_launch(launch, l, error)) return false;
    l->reports = reports_open(launch->reports,
                              launch->most_reports ? launch->most_reports : DEFAULT_REPORTS);
    l->dynamic_shared = launch->shared_bytes;
    l->global_granule = program->global_bytes ? 0 : 2;
    l->most_looks = launch->most_looks;
    l->watches_global = launch->global_races || memory_is_watched(memory);
    // The copy of the parameters is aligned as in the bank.
    if (program->reads_parameters)
        l->parameters =
            sim_allocate_past(memory, k->param_bytes + 1, k->param_base % SIM_ALIGNMENT);
    if (program->reads_constants && k->constant_bytes[3])
        l->constants = sim_allocate(memory, (int64_t)k->constant_bytes[3]);
    // grid.sync() of cooperative groups needs the workspace.
    if (program->reads_workspace && resident_holds_all(l))
        l->workspace = sim_allocate(memory, WORKSPACE_BYTES);
    if (l->workspace) memset(sim_host(memory, l->workspace, WORKSPACE_BYTES), 0, WORKSPACE_BYTES);
    if (!l->reports || !variables_place(kernel->variables, memory) ||
        !fill_banks(l, kernel, launch) || (launch->global_races && !global_begin_races(l)))
        return error_fail(error, "not enough host memory, or the cubin is damaged");
    program_fill_constants(program, l->constant, l->constant_bytes);
    return true;
}

bool launch_finish(struct launch_state *l, struct error *error) {
    if (l->reports) reports_find_writers(l, global_last_writer);
    global_end_races(l);
    global_end_overlaps(l);
    if (l->workspace) sim_release(l->memory, l->workspace);
    if (l->parameters) sim_release(l->memory, l->parameters);
    if (l->constants) sim_release(l->memory, l->constants);
    system_release_heap(l);
    const bool good = !l->reports || reports_print(l, error);
    for (int i = 0; i < 8; i++) free(l->constant[i]);
    free(l->lowest);
    reports_close(l->reports);
    return good;
}

bool sim_run(struct sim_kernel *kernel, struct sim_memory *memory, const struct sim_launch *launch,
             struct sim_result *result, struct error *error) {
    struct launch_state l;
    bool done = launch_prepare(&l, kernel, memory, launch, error);
    if (done) {
        // race checks in device memory and malloc() take no locks, so they get one host thread
        const bool alone = launch->global_races || l.program->calls_out;
        l.watches_overlaps = global_must_not_overlap(&l);
        // If this is NULL, the launch runs, but no report names a shifted index as its cause.
        l.lowest = calloc(l.program->count, sizeof *l.lowest);
        done = resident_run(&l, result, alone ? 1 : launch->host_threads) ||
               error_fail(error, "not enough host memory, or the cubin is damaged");
        result->launches++;
        l.counted = result->tally;
    }
    done = launch_finish(&l, error) && done;
    return done && *l.asked_to_stop ? error_fail(error, "interrupted") : done;
}
