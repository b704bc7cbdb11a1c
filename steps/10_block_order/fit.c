// Fits the costs of rules.h to measured times.
//
//     build/order_fit ORDER.csv           prints a new costs.h
//     build/order_fit --report ORDER.csv  what the rules choose for each shape, its time, and the best time measured
//
// ORDER.csv (tools/order.sh): results.csv with a column `parts` in front. Each kernel's costs are moved up and down in turn, by
// smaller and smaller factors, as long as the weighted sum of squared logarithms of predicted / measured gets less.
// It begins with the costs of costs.h; where two of them can stand in for each other, a second fit moves them a little.
#include "file/file.h"
#include "rules.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_SAMPLES = 8192, MAX_FIELDS = 64, MAX_LINE = 4096, MOST_STEPS = 400, BAD = 2 };

struct sample {
    int kernel, parts; // kernel -1: cuBLAS
    struct situation shape;
    double us;
    double weight; // little where another kernel is faster: there nothing depends on the estimate
};

struct samples {
    struct sample list[MAX_SAMPLES];
    int count;
    char device[128], commit[64], date[16];
};

// Columns of the file that are read, and where they are.
enum { PARTS, STEP, VARIANT, M, N, K, ALPHA, BETA, LDA, MS, CHECK, DEVICE, COMMIT, TIME, COLUMNS };
static const char *const column_names[COLUMNS] = {"parts", "step", "variant",   "m",     "n",      "k",      "alpha",
                                                  "beta",  "lda",  "ms_median", "check", "device", "commit", "time"};

static int split(char *line, char **fields) {
    int count = 0;
    line[strcspn(line, "\r\n")] = '\0';
    while (line && count < MAX_FIELDS) fields[count++] = strsep(&line, ",");
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
        if (at[c] >= 0) continue;
        fprintf(stderr, "order_fit: %s:1: no column \"%s\"; expected what tools/order.sh writes\n", path,
                column_names[c]);
        return false;
    }
    return true;
}

static int kernel_named(const char *variant) {
    for (int k = 0; k < KERNELS; k++) {
        if (strcmp(kernel_costs[k].variant, variant) == 0) return k;
    }
    return -1;
}

// The newest time of a kernel, shape and number of parts is kept.
static bool keep(struct samples *s, const struct sample *new) {
    for (int i = 0; i < s->count; i++) {
        struct sample *old = &s->list[i];
        if (old->kernel != new->kernel || old->parts != new->parts || old->shape.m != new->shape.m ||
            old->shape.n != new->shape.n || old->shape.k != new->shape.k) {
            continue;
        }
        *old = *new;
        return true;
    }
    if (s->count == MAX_SAMPLES) return false;
    s->list[s->count++] = *new;
    return true;
}

// A line is a sample when it has a time and is the plain problem; others are passed over.
static bool read_sample(struct samples *s, char **f, const int *at) {
    const bool cublas = strcmp(f[at[STEP]], "cublas") == 0;
    struct sample new = {.kernel = cublas ? -1 : kernel_named(f[at[VARIANT]]), .us = 1000 * atof(f[at[MS]])};
    new.parts = cublas ? 0 : atoi(f[at[PARTS]]);
    new.shape = (struct situation){
        .m = atoi(f[at[M]]), .n = atoi(f[at[N]]), .k = atoi(f[at[K]]), .multiprocessors = 132, .machine_code = true};
    if ((new.kernel < 0 && !cublas) || !(new.us > 0) || strcmp(f[at[CHECK]], "fail") == 0) return true;
    if (atof(f[at[ALPHA]]) != 1 || atof(f[at[BETA]]) != 0 || atoi(f[at[LDA]]) != new.shape.k) return true;
    if (!cublas && !may_run(&kernel_costs[new.kernel], &new.shape, new.parts) && new.parts > 1) return true;
    snprintf(s->device, sizeof s->device, "%s", f[at[DEVICE]]);
    snprintf(s->commit, sizeof s->commit, "%s", f[at[COMMIT]]);
    snprintf(s->date, sizeof s->date, "%.10s", f[at[TIME]]);
    return keep(s, &new);
}

// The fastest of our measurements of a shape.
static const struct sample *fastest(const struct samples *s, const struct situation *shape) {
    const struct sample *best = NULL;
    for (int i = 0; i < s->count; i++) {
        const struct sample *x = &s->list[i];
        if (x->kernel < 0 || x->shape.m != shape->m || x->shape.n != shape->n || x->shape.k != shape->k) continue;
        if (!best || x->us < best->us) best = x;
    }
    return best;
}

// Lines of the file to samples, with their weights.
static bool read_samples(const char *path, struct samples *s) {
    char line[MAX_LINE], *fields[MAX_FIELDS];
    int at[COLUMNS], expected = 0;
    FILE *file = fopen(path, "r");
    if (!file) return fprintf(stderr, "order_fit: %s: %s\n", path, strerror(errno)) < 0;
    bool good = fgets(line, sizeof line, file) && find_columns(path, line, at, &expected);
    if (good) {
        while (good && fgets(line, sizeof line, file)) {
            if (split(line, fields) == expected) good = read_sample(s, fields, at);
        }
        if (!good) fprintf(stderr, "order_fit: %s: more than %d measurements\n", path, MAX_SAMPLES);
    }
    fclose(file);
    for (int i = 0; good && i < s->count; i++) {
        if (s->list[i].kernel < 0) continue;
        const double share = fastest(s, &s->list[i].shape)->us / s->list[i].us;
        s->list[i].weight = pow(share, 6);
    }
    return good;
}

static double *cost_at(struct kernel_cost *c, int which) {
    double *const costs[COST_COUNT] = {&c->start, &c->ends, &c->alone, &c->busy, &c->odd, &c->join, &c->part};
    return costs[which];
}

static double misfit(const struct samples *s, int kernel, const struct kernel_cost *c) {
    double sum = 0;
    for (int i = 0; i < s->count; i++) {
        const struct sample *x = &s->list[i];
        if (x->kernel != kernel) continue;
        const double error = log(predicted_time(c, &x->shape, x->parts) / x->us);
        sum += x->weight * error * error;
    }
    return sum;
}

// No launch is free, and no tile begins and ends in no time.
static bool is_possible(const struct kernel_cost *c) {
    return c->odd >= 1 && c->start >= 1 && c->ends >= 0.1;
}

// Moves one cost by a factor where that helps.
static bool improve(const struct samples *s, int kernel, struct kernel_cost *c, int which, double factor,
                    double *least) {
    for (int up_or_down = 0; up_or_down < 2; up_or_down++) {
        struct kernel_cost moved = *c;
        *cost_at(&moved, which) *= up_or_down ? 1 / factor : factor;
        const double error = misfit(s, kernel, &moved);
        if (error >= *least * (1 - 1e-9) || !is_possible(&moved)) continue;
        *c = moved;
        *least = error;
        return true;
    }
    return false;
}

static void fit(const struct samples *s, int kernel, struct kernel_cost *c) {
    double least = misfit(s, kernel, c), factor = 1.5;
    for (int step = 0; step < MOST_STEPS && factor > 1.001; step++) {
        bool better = false;
        for (int which = 0; which < COST_COUNT; which++) better |= improve(s, kernel, c, which, factor, &least);
        if (!better) factor = 1 + (factor - 1) / 2;
    }
}

static int samples_of(const struct samples *s, int kernel, double *weight) {
    int count = 0;
    *weight = 0;
    for (int i = 0; i < s->count; i++) {
        if (s->list[i].kernel != kernel) continue;
        *weight += s->list[i].weight;
        count++;
    }
    return count;
}

static int print_costs(const struct samples *s) {
    printf("// Costs of the kernels in microseconds (rules.h), fitted by build/order_fit to times measured on an %s,\n"
           "// %s, commit %s. Behind each row: the number of times and their weighted root mean square deviation.\n"
           "static const struct kernel_cost kernel_costs[] = {\n",
           s->device, s->date, s->commit);
    for (int k = 0; k < KERNELS; k++) {
        struct kernel_cost c = kernel_costs[k];
        double weight;
        const int count = samples_of(s, k, &weight);
        if (count == 0) {
            fprintf(stderr, "order_fit: no time of %s: run tools/order.sh measure\n", c.variant);
            return EXIT_FAILURE;
        }
        fit(s, k, &c);
        printf("    {\"%s\", %d, %d, %d, %d, %s, %.2f, %.2f, %.4f, %.4f, %.2f, %.2f, %.3f}, // %d, %.1f %%\n",
               c.variant, c.block_m, c.block_n, c.per_sm, c.slots, c.stream ? "true" : "false", c.start, c.ends,
               c.alone, c.busy, c.odd, c.join, c.part, count, 100 * sqrt(misfit(s, k, &c) / weight));
    }
    printf("};\n");
    return EXIT_SUCCESS;
}

static const struct sample *find(const struct samples *s, const struct situation *shape, int kernel, int parts) {
    for (int i = 0; i < s->count; i++) {
        const struct sample *x = &s->list[i];
        if (x->shape.m != shape->m || x->shape.n != shape->n || x->shape.k != shape->k) continue;
        if (x->kernel == kernel && x->parts == parts) return x;
    }
    return NULL;
}

// One line for each shape that cuBLAS was timed on. A launch for some of the rows was not measured by itself.
static int print_report(const struct samples *s) {
    printf("%-20s %-14s %5s %5s %9s %9s  %-14s %5s %9s %9s %8s\n", "shape", "chosen", "parts", "rows", "predicted",
           "measured", "best", "parts", "measured", "cuBLAS", "x cuBLAS");
    for (int i = 0; i < s->count; i++) {
        const struct sample *cublas = &s->list[i];
        const struct sample *best = fastest(s, &cublas->shape);
        if (cublas->kernel >= 0 || !best) continue;
        double predicted;
        const struct plan plan = best_launches(&cublas->shape, &predicted);
        const struct sample *chosen =
            plan.rows > 0 ? NULL : find(s, &cublas->shape, kernel_named(plan.variant), plan.parts);
        char shape[64], rows[16] = "all";
        if (plan.rows > 0) snprintf(rows, sizeof rows, "%d", plan.rows);
        snprintf(shape, sizeof shape, "%dx%dx%d", best->shape.m, best->shape.n, best->shape.k);
        printf("%-20s %-14s %5d %5s %9.1f ", shape, plan.variant, plan.parts, rows, predicted);
        if (chosen) printf("%9.1f", chosen->us);
        if (!chosen) printf("%9s", "");
        printf("  %-14s %5d %9.1f %9.1f %8.3f\n", kernel_costs[best->kernel].variant, best->parts, best->us, cublas->us,
               cublas->us / best->us);
    }
    return EXIT_SUCCESS;
}

int main(int argc, char **argv) {
    static struct samples samples;
    const bool report = argc == 3 && strcmp(argv[1], "--report") == 0;
    streams_guard();
    if (argc != 2 && !report) {
        fprintf(stderr, "order_fit: expected a file; usage: build/order_fit [--report] ORDER.csv\n");
        return BAD;
    }
    if (!read_samples(argv[argc - 1], &samples)) return BAD;
    return report ? print_report(&samples) : print_costs(&samples);
}
