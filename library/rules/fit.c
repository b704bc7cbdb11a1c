// Fits the costs of dispatch.h to measured times.
//
//     build/order_fit ORDER.csv...           prints a new dispatch_costs.h: all machines of the old
//                                            one, and the machine of these times
//     build/order_fit --report ORDER.csv...  prints for each shape the rules' choice, its time and
//                                            the best measured time
//
// ORDER.csv is written by tools/order.sh. It is results.csv with a first column `parts` and an
// optional column `multiprocessors` (default: H200_SMS). Only the columns in column_names are read.
// A row may leave out leading fields that equal those of the row before (tools/rows.py --keep).
//
// The fit starts with the costs of dispatch_costs.h. It multiplies or divides one cost after the
// other by a factor if that reduces the error, and moves the factor towards 1. The error is first
// the weighted sum of squares of log(predicted / measured), then the time that the rules' choices
// lose against the fastest launches. Times that the model of an SM predicted (backend `model`) are
// used only for kernels without measured times.
#include "base/h200.h"
#include "dispatch.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Factor of the expected time if the costs were fitted to predicted times. It covers the error of
// the fit, and the error of the SM model for launches of one round of blocks.
static const float DOUBT = 1.3f;
static const float LEAST_COST = 1e-4f; // replaces a cost of 0, which no factor could change
// Scale of loss(): a launch that is expected to take this share (4 %) longer than the best one gets
// 1/e of the best one's chance to be chosen.
static const double NEARLY_EQUAL = 0.04;
static const double TRUST = 0.5; // weight of misfit(), relative to that of loss()

enum {
    MAX_SAMPLES = 32768,
    MAX_FIELDS = 64,
    MAX_LINE = 4096,
    MOST_STEPS = 400,
    MEMORY_FITS = 12,
    WEIGHINGS = 3,
    CHOICE_FITS = 3,
    BAD = 2
};

// A measured or predicted time.
struct sample {
    // --- from the file
    int kernel, parts; // kernel is -1 for cuBLAS
    int per_sm;        // number of blocks that an SM holds at once; 0 if unknown
    struct situation shape;
    double us;  // microseconds
    int number; // index in the order of reading

    // --- for the fit
    // small if another kernel is so much faster that no choice depends on the sample
    double weight;
    double fastest; // least time measured for the shape, in microseconds
    // logarithm of the expected time; infinite if the rules never choose the launch
    double expected;

    // --- list of the samples of one shape
    int first; // index of the list's first sample
    int next;  // index of the next sample of the shape; -1 if there is none
};

struct samples {
    // arrange() sorts it: cuBLAS first, then by kernel, shape and parts
    struct sample list[MAX_SAMPLES];
    int count;
    int begin[KERNELS + 1]; // index of each kernel's first sample, and one past the last sample
    bool predicted;         // true if the times were predicted by the model of an SM
    char device[128], commit[64], date[16];
};

// Columns of the file. Those from ALPHA on are optional; defaults: alpha 1, beta 0, no padding.
enum {
    PARTS,
    STEP,
    VARIANT,
    M,
    N,
    K,
    MS,
    DEVICE,
    COMMIT,
    TIME,
    ALPHA,
    BETA,
    LDA,
    CHECK,
    BACKEND,
    PER_SM,
    SMS,
    COLUMNS
};
static const char *const column_names[COLUMNS] = {
    "parts",   "step",          "variant",        "m",     "n",    "k",   "ms_median",
    "device",  "commit",        "time",           "alpha", "beta", "lda", "check",
    "backend", "blocks_per_sm", "multiprocessors"};

// Inserts the leading fields that a row leaves out, because they equal those of the row before.
static void fill_in(char *line, char *before) {
    const size_t missing = strspn(line, ",");
    size_t at = 0;
    bool quoted = false;
    for (size_t i = 0; i < missing && before[at]; at++) {
        if (before[at] == '"') quoted = !quoted;
        i += before[at] == ',' && !quoted;
    }
    const size_t length = strlen(line + missing);
    if (at + length >= MAX_LINE) return; // too long to be valid; read_samples() then skips the line
    memmove(line + at, line + missing, length + 1);
    memcpy(line, before, at);
    strcpy(before, line);
}

// Splits a line at commas outside double quotes. Returns the number of fields.
static int split(char *line, char **fields) {
    int count = 0;
    line[strcspn(line, "\r\n")] = '\0';
    while (line && count < MAX_FIELDS) {
        const bool quoted = *line == '"';
        if (quoted) line++;
        fields[count++] = strsep(&line, quoted ? "\"" : ",");
        if (quoted && line) strsep(&line, ",");
    }
    return count;
}

static bool find_columns(const char *path, char *line, int *at, int *fields) {
    char *names[MAX_FIELDS];
    *fields = split(line, names);
    for (int c = 0; c < COLUMNS; c++) {
        at[c] = -1;
        for (int i = 0; i < *fields; i++) {
            if (strcmp(names[i], column_names[c]) == 0) at[c] = i;
        }
        if (at[c] >= 0 || c >= ALPHA) continue;
        fprintf(stderr,
                "order_fit: %s:1: no column \"%s\": expected a file written by tools/order.sh\n",
                path, column_names[c]);
        return false;
    }
    return true;
}

// Adds a sample, or replaces an older one of this kernel, shape and number of parts.
static bool keep(struct samples *s, const struct sample *new) {
    for (int i = 0; i < s->count; i++) {
        struct sample *old = &s->list[i];
        if (old->kernel != new->kernel || old->parts != new->parts ||
            old->shape.m != new->shape.m || old->shape.n != new->shape.n ||
            old->shape.k != new->shape.k) {
            continue;
        }
        *old = *new;
        return true;
    }
    if (s->count == MAX_SAMPLES) return false;
    s->list[s->count++] = *new;
    return true;
}

// Returns true if alpha is 1 and beta is 0, and there is no padding.
static bool is_plain(char **f, const int *at) {
    return (at[ALPHA] < 0 || atof(f[at[ALPHA]]) == 1) && (at[BETA] < 0 || atof(f[at[BETA]]) == 0) &&
           (at[LDA] < 0 || atoi(f[at[LDA]]) == atoi(f[at[K]]));
}

// Adds the sample of a row. Skips a row if its kernel is unknown or cannot run with the number of
// parts (not checked for one part), its time is missing, its check failed, or its problem is not
// plain. Returns false if there are too many samples.
static bool read_sample(struct samples *s, char **f, const int *at) {
    const int sms = at[SMS] < 0 ? H200_SMS : atoi(f[at[SMS]]);
    const bool cublas = strcmp(f[at[STEP]], "cublas") == 0;
    struct sample new = {.kernel = cublas ? -1 : kernel_named(strsep(&f[at[VARIANT]], ":")),
                         .us = 1000 * atof(f[at[MS]])};
    // The number of parts follows the variant ("thin:8"), or is in the column `parts`.
    if (!cublas) new.parts = atoi(f[at[VARIANT]] ? f[at[VARIANT]] : f[at[PARTS]]);
    const int least = new.kernel < 0 ? 0 : least_parts(&machines[0].kernels[new.kernel]);
    if (new.parts < least) new.parts = least;
    new.per_sm = at[PER_SM] < 0 ? 0 : atoi(f[at[PER_SM]]);
    new.shape = (struct situation){.m = atoi(f[at[M]]),
                                   .n = atoi(f[at[N]]),
                                   .k = atoi(f[at[K]]),
                                   .multiprocessors = sms,
                                   .machine_code = true};
    if ((new.kernel < 0 && !cublas) || !(new.us > 0) || !is_plain(f, at)) return true;
    if (at[CHECK] >= 0 && strcmp(f[at[CHECK]], "fail") == 0) return true;
    if (!cublas && !may_run(&machines[0].kernels[new.kernel], &new.shape, new.parts) &&
        new.parts > 1)
        return true;
    s->predicted = at[BACKEND] >= 0 && strcmp(f[at[BACKEND]], "model") == 0;
    snprintf(s->device, sizeof s->device, "%s", f[at[DEVICE]]);
    snprintf(s->commit, sizeof s->commit, "%s", f[at[COMMIT]]);
    snprintf(s->date, sizeof s->date, "%.10s", f[at[TIME]]);
    return keep(s, &new);
}

// Returns the fastest sample of a shape apart from cuBLAS; NULL if there is none.
static const struct sample *fastest(const struct samples *s, const struct situation *shape) {
    const struct sample *best = NULL;
    for (int i = 0; i < s->count; i++) {
        const struct sample *x = &s->list[i];
        if (x->kernel < 0 || x->shape.m != shape->m || x->shape.n != shape->n ||
            x->shape.k != shape->k)
            continue;
        if (!best || x->us < best->us) best = x;
    }
    return best;
}

// Reads a file. Returns false, with a message, if it cannot be used.
static bool read_samples(const char *path, struct samples *s) {
    char line[MAX_LINE], before[MAX_LINE] = "", *fields[MAX_FIELDS];
    int at[COLUMNS], expected = 0;
    FILE *file = fopen(path, "r");
    if (!file) return fprintf(stderr, "order_fit: %s: %s\n", path, strerror(errno)) < 0;
    bool good = fgets(line, sizeof line, file) && find_columns(path, line, at, &expected);
    if (good) {
        while (good && fgets(line, sizeof line, file)) {
            fill_in(line, before);
            if (split(line, fields) == expected) good = read_sample(s, fields, at);
        }
        if (!good)
            fprintf(stderr, "order_fit: %s: expected at most %d measurements in all files\n", path,
                    MAX_SAMPLES);
    }
    fclose(file);
    return good;
}

static float *cost_at(struct kernel_cost *c, int which) {
    float *const costs[COST_COUNT] = {&c->start, &c->ends, &c->store,  &c->odd_store,
                                      &c->alone, &c->busy, &c->odd,    &c->idle,
                                      &c->join,  &c->part, &c->overlap};
    return costs[which];
}

static bool same_shape(const struct sample *a, const struct sample *b) {
    return a->shape.m == b->shape.m && a->shape.n == b->shape.n && a->shape.k == b->shape.k;
}

static int by_kernel(const void *one, const void *other) {
    const struct sample *a = one, *b = other;
    if (a->kernel < 0 && b->kernel < 0) return a->number < b->number ? -1 : 1;
    const int keys[][2] = {{a->kernel, b->kernel},
                           {a->shape.m, b->shape.m},
                           {a->shape.n, b->shape.n},
                           {a->shape.k, b->shape.k},
                           {a->parts, b->parts}};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        if (keys[i][0] != keys[i][1]) return keys[i][0] < keys[i][1] ? -1 : 1;
    }
    return 0;
}

// Sorts the samples, links those of each shape and sets their `fastest`.
static void arrange(struct samples *s) {
    for (int i = 0; i < s->count; i++) s->list[i].number = i;
    qsort(s->list, (size_t)s->count, sizeof *s->list, by_kernel);
    int at = 0;
    for (int k = 0; k <= KERNELS; k++) {
        while (at < s->count && s->list[at].kernel < k) at++;
        s->begin[k] = at;
    }
    for (int i = s->begin[0]; i < s->count; i++) s->list[i].first = -1;
    for (int i = s->begin[0]; i < s->count; i++) {
        if (s->list[i].first >= 0) continue;
        int last = -1;
        double least = INFINITY;
        for (int j = i; j < s->count; j++) {
            if (!same_shape(&s->list[i], &s->list[j])) continue;
            if (last >= 0) s->list[last].next = j;
            s->list[j].first = i;
            s->list[j].next = -1;
            least = fmin(least, s->list[j].us);
            last = j;
        }
        for (int j = i; j >= 0; j = s->list[j].next) s->list[j].fastest = least;
    }
}

// Sets the weights of the samples. A sample of the fastest kernel of its shape has weight 1; that
// of a slow kernel has a small weight, because the rules need not know its time exactly. If the
// present costs underestimate a slow kernel, its weight is larger, because the rules might choose
// it.
static void weigh(struct samples *s, const struct machine *machine) {
    for (int i = s->begin[0]; i < s->count; i++) {
        struct sample *x = &s->list[i];
        const double predicted =
            predicted_time(machine, &machine->kernels[x->kernel], &x->shape, x->parts);
        const double share = x->fastest / (predicted < x->us ? predicted : x->us);
        x->weight = share < 1 ? pow(share, 14) : 1;
    }
}

// The error that a fit minimises, for a kernel with costs *c.
typedef double error_of(struct samples *s, int kernel, const struct machine *machine,
                        const struct kernel_cost *c);

// Returns the weighted sum of squares of log(predicted / measured).
static double misfit(struct samples *s, int kernel, const struct machine *machine,
                     const struct kernel_cost *c) {
    double sum = 0;
    for (int i = s->begin[kernel]; i < s->begin[kernel + 1]; i++) {
        const struct sample *x = &s->list[i];
        const double error = log(predicted_time(machine, c, &x->shape, x->parts) / x->us);
        sum += x->weight * error * error;
    }
    return sum;
}

// Sets the expected times of the kernel's samples.
static void expect(struct samples *s, int kernel, const struct machine *machine,
                   const struct kernel_cost *c) {
    for (int i = s->begin[kernel]; i < s->begin[kernel + 1]; i++) {
        struct sample *x = &s->list[i];
        const bool possible = is_possible_launch(c, &x->shape, x->parts);
        x->expected =
            possible ? log(predicted_time(machine, c, &x->shape, x->parts) * c->doubt) : INFINITY;
    }
}

// Returns log(time of the rules' choice / fastest time) for a shape: the mean over its launches,
// weighted by their chances to be chosen (NEARLY_EQUAL).
static double loss(const struct samples *s, int first) {
    double least = INFINITY, chances = 0, sum = 0;
    for (int i = first; i >= 0; i = s->list[i].next) least = fmin(least, s->list[i].expected);
    for (int i = first; i >= 0 && isfinite(least); i = s->list[i].next) {
        const double chance = exp((least - s->list[i].expected) / NEARLY_EQUAL);
        chances += chance;
        sum += chance * log(s->list[i].us / s->list[i].fastest);
    }
    return chances > 0 ? sum / chances : 0;
}

// Returns the sum of the losses on all shapes for which the kernel was measured, plus TRUST times
// its misfit. The misfit keeps the expected times near the measured ones.
static double loss_and_misfit(struct samples *s, int kernel, const struct machine *machine,
                              const struct kernel_cost *c) {
    double sum = TRUST * misfit(s, kernel, machine, c);
    expect(s, kernel, machine, c);
    for (int i = s->begin[kernel]; i < s->begin[kernel + 1]; i++) {
        if (i == s->begin[kernel] || !same_shape(&s->list[i], &s->list[i - 1]))
            sum += loss(s, s->list[i].first);
    }
    return sum;
}

// Returns true if the costs are physically possible. Latencies must be positive. The factors `odd`
// and `odd_store` must not exceed the ratio by which requests, wavefronts or sectors grow.
static bool is_possible(const struct kernel_cost *c) {
    return c->odd >= 1 && c->odd <= (is_for_columns(c) ? SECTOR_FLOATS : 2) && c->odd_store >= 1 &&
           c->odd_store <= 8 && c->start >= 1 && c->ends >= 0.1f && c->alone >= 1e-4f &&
           c->busy >= 1e-4f && c->idle <= 1 && c->overlap >= 1 && c->overlap <= 4;
}

// Multiplies or divides one cost by a factor. Returns false if neither reduces the error.
static bool improve(struct samples *s, error_of *error, int kernel, const struct machine *machine,
                    struct kernel_cost *c, int which, double factor, double *least) {
    for (int up_or_down = 0; up_or_down < 2; up_or_down++) {
        struct kernel_cost moved = *c;
        *cost_at(&moved, which) *= (float)(up_or_down ? 1 / factor : factor);
        if (!is_possible(&moved)) continue;
        const double now = error(s, kernel, machine, &moved);
        if (now >= *least * (1 - 1e-9)) continue;
        *c = moved;
        *least = now;
        return true;
    }
    return false;
}

// Returns true if a cost is not fitted. `overlap` is not fitted to predicted times, because the
// model of an SM leaves out memory. odd_store is not fitted for a kernel for one row or column,
// which stores float by float anyway.
static bool is_fixed(const struct samples *s, struct kernel_cost *c, int which) {
    const float *cost = cost_at(c, which);
    if (s->predicted && cost == &c->overlap) return true;
    return (c->block_m == 1 || c->block_n == 1) && cost == &c->odd_store;
}

static void fit(struct samples *s, error_of *error, int kernel, const struct machine *machine,
                struct kernel_cost *c) {
    for (int which = 0; which < COST_COUNT; which++) {
        if (*cost_at(c, which) < LEAST_COST && !is_fixed(s, c, which))
            *cost_at(c, which) = LEAST_COST;
    }
    double least = error(s, kernel, machine, c), factor = 1.5;
    for (int step = 0; step < MOST_STEPS && factor > 1.001; step++) {
        bool better = false;
        for (int which = 0; which < COST_COUNT; which++) {
            if (is_fixed(s, c, which)) continue;
            better |= improve(s, error, kernel, machine, c, which, factor, &least);
        }
        if (!better) factor = 1 + (factor - 1) / 2;
    }
}

static int samples_of(const struct samples *s, int kernel, double *weight) {
    *weight = 0;
    for (int i = s->begin[kernel]; i < s->begin[kernel + 1]; i++) *weight += s->list[i].weight;
    return s->begin[kernel + 1] - s->begin[kernel];
}

// Returns the number of blocks per SM that the driver reported for the kernel; `otherwise` if it is
// unknown.
static int per_sm_of(const struct samples *s, int kernel, int otherwise) {
    for (int i = s->begin[kernel]; i < s->begin[kernel + 1]; i++) {
        if (s->list[i].per_sm > 0) otherwise = s->list[i].per_sm;
    }
    return otherwise;
}

static int least_k_of(const struct samples *s, int kernel) {
    int least = INT_MAX;
    for (int i = s->begin[kernel]; i < s->begin[kernel + 1]; i++) {
        if (s->list[i].shape.k < least) least = s->list[i].shape.k;
    }
    return least;
}

// Returns false for a kernel without samples. If the samples are predicted, also returns false for
// a kernel with measured costs.
static bool is_fitted(const struct samples *s, int kernel, const struct kernel_cost *c) {
    return s->begin[kernel + 1] > s->begin[kernel] && !(s->predicted && c->doubt == 1);
}

// Fits the costs of the kernels that have samples.
static void fit_kernels(struct samples *s, error_of *error, struct machine *machine) {
    // With misfit() and measured times, the fits of the kernels are independent of each other.
#pragma omp parallel for schedule(dynamic) if (error == misfit && !s->predicted)
    for (int k = 0; k < KERNELS; k++) {
        struct kernel_cost *c = &machine->kernels[k];
        double weight;
        if (!is_fitted(s, k, c)) continue;
        c->doubt = s->predicted ? DOUBT : 1;
        c->least_k = least_k_of(s, k);
        c->per_sm = per_sm_of(s, k, c->per_sm);
        fit(s, error, k, machine, c);
        expect(s, k, machine, c); // the last attempt of fit() may have set worse expected times
        c->times = samples_of(s, k, &weight);
        c->deviation = (float)(100 * sqrt(misfit(s, k, machine, c) / weight));
        // The model of an SM leaves out that blocks wait for each other. The costs of these waits
        // are those of `thin`, which were measured.
        if (s->predicted && c->max_blocks > 0)
            c->join = machine->kernels[0].join, c->part = machine->kernels[0].part;
    }
}

static double misfit_of_all(struct samples *s, const struct machine *machine) {
    double sum = 0;
    for (int k = 0; k < KERNELS; k++) sum += misfit(s, k, machine, &machine->kernels[k]);
    return sum;
}

// Fits the throughput of memory and the costs of the kernels alternately, because each depends on
// the other.
static void fit_machine(struct samples *s, struct machine *machine) {
    fit_kernels(s, misfit, machine);
    bool better = !s->predicted;
    for (int round = 0; round < MEMORY_FITS && better; round++) {
        better = false;
        for (int i = 0; i < 4; i++) {
            struct machine moved = *machine;
            *(i % 2 ? &moved.write : &moved.read) *= i < 2 ? 1.02 : 1 / 1.02;
            if (misfit_of_all(s, &moved) >= misfit_of_all(s, machine)) continue;
            *machine = moved;
            better = true;
        }
        if (better) fit_kernels(s, misfit, machine);
    }
}

static void print_machine(const struct machine *m) {
    printf("    {\n        \"%s\",\n        \"%s\",\n        %.0f,\n        %.0f,\n        {\n",
           m->device, m->measured, m->read, m->write);
    for (int k = 0; k < KERNELS; k++) {
        const struct kernel_cost *c = &m->kernels[k];
        printf("            {\"%s\", %d, %d, %d, %d, %d, %s, %.3g, ", c->variant, c->block_m,
               c->block_n, c->warps, c->per_sm, c->max_blocks, c->stream ? "true" : "false",
               c->doubt);
        printf("%.2f, %.2f, %.6f, %.2f, %.6f, %.6f, %.2f, %.2f, %.2f, %.3f, %.2f, %d, %.1f, %d},\n",
               c->start, c->ends, c->store, c->odd_store, c->alone, c->busy, c->odd, c->idle,
               c->join, c->part, c->overlap, c->times, c->deviation, c->least_k);
    }
    printf("        },\n    },\n");
}

// Prints a new dispatch_costs.h: all machines, with fitted costs for the machine of the samples, or
// for the first machine if the samples are predicted. A new machine is printed last; its kernels
// without samples get the first machine's costs and DOUBT. Returns the exit status.
static int print_costs(struct samples *s) {
    char measured[256];
    bool known = s->predicted;
    double weight;
    for (int m = 0; m < MACHINES; m++) known = known || strcmp(machines[m].device, s->device) == 0;
    const char *device = s->predicted ? machines[0].device : s->device;
    struct machine fitted = *machine_of(device);
    int times = 0;
    for (int k = 0; k < KERNELS; k++) {
        times += samples_of(s, k, &weight);
        if (!known) fitted.kernels[k].doubt = DOUBT;
    }
    if (times == 0) {
        fprintf(
            stderr,
            "order_fit: no time of any kernel of dispatch_costs.h: run tools/order.sh measure\n");
        return EXIT_FAILURE;
    }
    for (int round = 0; round < WEIGHINGS; round++) {
        weigh(s, &fitted);
        fit_machine(s, &fitted);
    }
    for (int k = 0; k < KERNELS; k++) expect(s, k, &fitted, &fitted.kernels[k]);
    for (int round = 0; round < CHOICE_FITS; round++) fit_kernels(s, loss_and_misfit, &fitted);
    snprintf(measured, sizeof measured, "%s, commit %s", s->date, s->commit);
    if (!s->predicted) fitted.measured = measured;
    fitted.device = device;
    printf("// Costs of the kernels (dispatch.h), one table per machine. build/order_fit writes "
           "this file.\n"
           "// clang-format off\nstatic const struct machine machines[] = {\n");
    for (int m = 0; m < MACHINES; m++) {
        print_machine(strcmp(machines[m].device, device) == 0 ? &fitted : &machines[m]);
        if (m == 0) printf("#ifndef __wasm__ // the browser edition uses only the first machine\n");
    }
    if (!known) print_machine(&fitted);
    printf("#endif\n};\n");
    return EXIT_SUCCESS;
}

static const struct sample *find(const struct samples *s, const struct situation *shape, int kernel,
                                 int parts) {
    for (int i = 0; i < s->count; i++) {
        const struct sample *x = &s->list[i];
        if (x->shape.m != shape->m || x->shape.n != shape->n || x->shape.k != shape->k) continue;
        if (x->kernel == kernel && x->parts == parts) return x;
    }
    return NULL;
}

// The totals of a report.
struct fit_tally {
    int shapes;
    int chosen; // number of shapes whose chosen launch was measured
    int near;   // number of shapes whose chosen launch takes at most 5 % longer than the best
    double logarithms; // sum over shapes of log(cuBLAS's time / best time)
};

static void print_tally(const struct fit_tally *t) {
    if (t->shapes == 0) return;
    printf("%d shapes: the best launch measured is %.3f times as fast as cuBLAS (geometric mean);\n"
           "of %d choices that were measured, %d are within 5 %% of it\n",
           t->shapes, exp(t->logarithms / t->shapes), t->chosen, t->near);
}

// Prints one line per shape for which cuBLAS was timed. A plan of several launches has no measured
// time in the report, because launches for parts of C were not measured. Returns the exit status.
static int print_report(const struct samples *s) {
    struct fit_tally tally = {0};
    printf("%-15s %-11s %4s %9s %7s %7s %-11s %4s %7s %7s %5s\n", "shape", "chosen", "of K", "of C",
           "by rule", "timed", "best", "of K", "timed", "cuBLAS", "gain");
    for (int i = 0; i < s->count; i++) {
        const struct sample *cublas = &s->list[i];
        const struct sample *best = fastest(s, &cublas->shape);
        if (cublas->kernel >= 0 || !best) continue;
        double predicted;
        struct situation shape_here = cublas->shape;
        shape_here.device = s->device;
        const struct plan plan = best_launches(&shape_here, &predicted);
        const struct planned *first = &plan.launches[0];
        const struct sample *chosen =
            plan.count > 1 ? NULL
                           : find(s, &cublas->shape, kernel_named(first->variant), first->parts);
        char shape[64], part[32] = "all";
        if (plan.count > 1) snprintf(part, sizeof part, "%dx%d", first->rows, first->cols);
        snprintf(shape, sizeof shape, "%dx%dx%d", best->shape.m, best->shape.n, best->shape.k);
        printf("%-15s %-11s %4d %9s %7.1f ", shape, first->variant, first->parts, part, predicted);
        tally.shapes++;
        tally.chosen += chosen != NULL;
        tally.near += chosen && chosen->us <= 1.05 * best->us;
        tally.logarithms += log(cublas->us / best->us);
        if (chosen) printf("%7.1f", chosen->us);
        if (!chosen) printf("%7s", "-");
        printf(" %-11s %4d %7.1f %7.1f %5.3f\n", machines[0].kernels[best->kernel].variant,
               best->parts, best->us, cublas->us, cublas->us / best->us);
    }
    print_tally(&tally);
    return EXIT_SUCCESS;
}

// The program build/order_fit with its arguments. Returns the exit status.
int order_fit(int count, char **words) {
    static struct samples samples;
    const bool report = count > 2 && strcmp(words[1], "--report") == 0;
    if (count < 2) {
        fprintf(stderr,
                "order_fit: expected a file; usage: build/order_fit [--report] ORDER.csv...\n");
        return BAD;
    }
    for (int i = report ? 2 : 1; i < count; i++) {
        if (!read_samples(words[i], &samples)) return BAD;
    }
    arrange(&samples);
    return report ? print_report(&samples) : print_costs(&samples);
}
