// Prints the table of results on the terminal.
#include "table.h"
#include "base/arith.h"
#include "figures.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 100, SCHEDULERS = 4, MOST_COLUMNS = 16 };

struct table_row {
    const struct result *result;
    const struct counts *counts; // NULL if the row has times
};

// A column of the table, except those of step, variant and problem.
struct column {
    const char *above, *below; // the two lines of the column's head
    const char *figure;        // a figure of figures.def; NULL if there is none
    // if `figure` is NULL: the offset of a double in struct result, or 0 for bound_cycles()
    size_t member;
    int width, digits;
    // 0 if the column is always shown; each other one is added if it fits, by ascending rank
    int rank;
    bool significant; // `digits` counts significant digits instead of decimals
};

// Returns a lower bound of the time, in scheduler cycles per FFMA or DFMA of a warp.
static double bound_cycles(const struct table_row *row) {
    const struct counts *c = row->counts;
    const struct counter *bound = binding_bound(c->counters, c->count);
    const double fma = figure_value(c->element == FP64 ? "dfma" : "ffma", c->counters, c->count);
    return bound && fma > 0 ? bound->value * c->multiprocessors * SCHEDULERS / fma : NAN;
}

static double value_of(const struct column *column, const struct table_row *row) {
    if (column->figure)
        return figure_value(column->figure, row->counts->counters, row->counts->count);
    return column->member
               ? *(const double *)(const void *)((const char *)row->result + column->member)
               : bound_cycles(row);
}

// These macros make columns from a figure of figures.def or from a member of struct result.
#define MEMBER(name) offsetof(struct result, name)
#define FIGURE_COLUMN(above, below, name, wide, places, at) \
    { above, below, name, .width = wide, .digits = places, .rank = at }
#define VALUE_COLUMN(above, below, name, wide, places, at) \
    { above, below, .member = MEMBER(name), .width = wide, .digits = places, .rank = at }
#define SIGNIFICANT_COLUMN(below, name, wide, places) \
    { "", below, .member = MEMBER(name), .width = wide, .digits = places, .significant = true }

// The possible first columns of a table of counts. The `figure` in a lesson's step.c chooses one.
static const struct column focuses[] = {
    FIGURE_COLUMN("*sectors per", "load request", "sectors_per_load", 12, 2, 0),
    FIGURE_COLUMN("*global loads", "per FFMA", "global_loads_per_ffma", 13, 3, 0),
    FIGURE_COLUMN("*wavefronts", "per FFMA", "wavefronts_per_ffma", 11, 3, 0),
    FIGURE_COLUMN("*wavefronts", "per DFMA", "wavefronts_per_dfma", 11, 3, 0),
    FIGURE_COLUMN("*instructions", "per FFMA", "instructions_per_ffma", 13, 3, 0),
    FIGURE_COLUMN("*conflicts", "of stores", "store_conflicts", 10, 0, 0),
    FIGURE_COLUMN("*register-bank", "cycles/FFMA", "register_bank_cycles_per_ffma", 14, 3, 0),
};

static const struct column counted_fp32[] = {
    FIGURE_COLUMN("warp", "instructions", "warp_instructions", 12, 0, 3),
    FIGURE_COLUMN("of which", "FFMA, %", "ffma_share", 8, 1, 4),
    FIGURE_COLUMN("sectors", "per load", "sectors_per_load", 8, 2, 2),
    FIGURE_COLUMN("wavefronts", "per FFMA", "wavefronts_per_ffma", 10, 3, 1),
    FIGURE_COLUMN("bank", "conflicts", "bank_conflicts", 9, 0, 5),
    {"cycles/FFMA", "at least", .width = 11, .digits = 3},
    VALUE_COLUMN("", "error", error_ratio, 6, 3, 6),
    {0},
};
static const struct column counted_fp64[] = {
    FIGURE_COLUMN("warp", "instructions", "warp_instructions", 12, 0, 3),
    FIGURE_COLUMN("of which", "DFMA, %", "dfma_share", 8, 1, 4),
    FIGURE_COLUMN("sectors", "per load", "sectors_per_load", 8, 2, 2),
    FIGURE_COLUMN("wavefronts", "per DFMA", "wavefronts_per_dfma", 10, 3, 1),
    FIGURE_COLUMN("bank", "conflicts", "bank_conflicts", 9, 0, 5),
    {"cycles/DFMA", "at least", .width = 11, .digits = 3},
    VALUE_COLUMN("", "error", error_ratio, 6, 3, 6),
    {0},
};
static const struct column measured[] = {
    VALUE_COLUMN("", "ms", ms_median, 8, 4, 0),
    VALUE_COLUMN("", "TFLOP/s", tflops, 7, 2, 0),
    VALUE_COLUMN("", "% peak", pct_peak, 6, 1, 0),
    VALUE_COLUMN("", "x cuBLAS", vs_cublas, 8, 3, 1),
    VALUE_COLUMN("", "error", error_ratio, 6, 3, 2),
    VALUE_COLUMN("", "MHz", sm_mhz, 5, 0, 3),
    VALUE_COLUMN("", "W", watts, 4, 0, 4),
    {0},
};
static const struct column predicted[] = {
    SIGNIFICANT_COLUMN("ms", ms_median, 8, 3),
    SIGNIFICANT_COLUMN("TFLOP/s", tflops, 7, 3),
    SIGNIFICANT_COLUMN("% peak", pct_peak, 6, 3),
    VALUE_COLUMN("", "error", error_ratio, 6, 3, 1),
    {0},
};

static struct table {
    struct column columns[MOST_COLUMNS];
    int count;                  // number of columns besides those of step, variant and problem
    int step, variant, problem; // widths of the columns of step, variant and problem
    bool counted, focused, headed;
} table;

// Returns the column of the figure that all steps of the table share; NULL if they share none.
static const struct column *find_focus(const struct table_plan *plan) {
    const char *figure = NULL;
    for (int i = 0; plan->counted && i < plan->count; i++) {
        const struct step *step = plan->contenders[i].step;
        if (!step) continue;
        if (!step->figure || (figure && strcmp(figure, step->figure) != 0)) return NULL;
        figure = step->figure;
    }
    for (size_t i = 0; figure && i < sizeof focuses / sizeof *focuses; i++) {
        if (strcmp(focuses[i].figure, figure) == 0) return &focuses[i];
    }
    return NULL;
}

static bool is_shown(const struct column *column, const struct table_plan *plan,
                     const struct column *focus) {
    if (focus && column->figure && strcmp(column->figure, focus->figure) == 0) return false;
    if (column->member == MEMBER(error_ratio)) return plan->checked;
    return column->member != MEMBER(vs_cublas) || plan->baseline;
}

// Adds the columns that are always shown. Then adds each other column for which the line has room.
static void choose_columns(const struct table_plan *plan, const struct column *all, int used) {
    bool taken[MOST_COLUMNS] = {false};
    const struct column *focus = find_focus(plan);
    table.focused = focus != NULL;
    if (focus) {
        table.columns[table.count++] = *focus;
        used += 1 + focus->width;
    }
    for (int rank = 0; rank < MOST_COLUMNS; rank++) {
        for (int i = 0; all[i].width; i++) {
            if (all[i].rank != rank || !is_shown(&all[i], plan, focus)) continue;
            if (rank > 0 && !plan->wide && used + 1 + all[i].width > LINE) continue;
            taken[i] = true;
            used += 1 + all[i].width;
        }
    }
    for (int i = 0; all[i].width; i++) {
        if (taken[i]) table.columns[table.count++] = all[i];
    }
}

void table_begin(const struct table_plan *plan) {
    table = (struct table){.step = (int)strlen("step"),
                           .variant = (int)strlen("variant"),
                           .problem = (int)strlen("M x N x K"),
                           .counted = plan->counted};
    for (int i = 0; i < plan->count; i++) {
        table.step = (int)max(table.step, (int)strlen(contender_step(&plan->contenders[i])));
        table.variant =
            (int)max(table.variant, (int)strlen(contender_variant(&plan->contenders[i])));
    }
    for (int i = 0; i < plan->shape_count; i++) {
        const struct shape *s = &plan->shapes[i];
        const int width = snprintf(NULL, 0, "%dx%dx%d", s->m, s->n, s->k);
        table.problem =
            (int)max(table.problem, width + (plan->plain ? 0 : (int)strlen("+1 a1 b1")));
    }
    const int part = plan->counted ? (int)strlen("  shared memory") : 0,
              check = (int)strlen(" check");
    choose_columns(plan,
                   !plan->counted          ? plan->predicted ? predicted : measured
                   : plan->element == FP64 ? counted_fp64
                                           : counted_fp32,
                   table.step + 1 + table.variant + 1 + table.problem + part + check);
}

static void put_head(void) {
    if (table.focused) printf("*: what this lesson is about; --wide prints more columns\n");
    if (table.counted) {
        printf("%*s", table.step + 1 + table.variant + 1 + table.problem, "");
        for (int i = 0; i < table.count; i++)
            printf(" %*s", table.columns[i].width, table.columns[i].above);
        printf("  %s\n", "what");
    }
    printf("%-*s %-*s %-*s", table.step, "step", table.variant, "variant", table.problem,
           "M x N x K");
    for (int i = 0; i < table.count; i++)
        printf(" %*s", table.columns[i].width, table.columns[i].below);
    if (table.counted) printf("  %-13s", "binds");
    printf(" check\n");
}

// Prints a value right-aligned, or `-` if there is none.
static void put_value(const struct column *column, double value) {
    int digits = column->digits;
    if (column->member == MEMBER(ms_median) && !column->significant && value >= 10) digits = 1;
    if (column->significant && value > 0)
        digits = (int)max(0, digits - 1 - (int)floor(log10(value)));
    if (isnan(value)) {
        printf(" %*s", column->width, "-");
    } else {
        printf(" %*.*f", column->width, digits, value);
    }
}

static void put_problem(const struct result *r) {
    // the gaps between rows, in elements
    const long long a = r->lda - r->k, b = r->ldb - r->n, c = r->ldc - r->n;
    char text[96];
    int used = snprintf(text, sizeof text, "%lldx%lldx%lld", (long long)r->m, (long long)r->n,
                        (long long)r->k);
    if (a == b && b == c && a > 0) {
        used += snprintf(text + used, sizeof text - (size_t)used, "+%lld", a);
    } else if (a != b || b != c) {
        used += snprintf(text + used, sizeof text - (size_t)used, "+%lld,%lld,%lld", a, b, c);
    }
    if (r->alpha != 1) used += snprintf(text + used, sizeof text - (size_t)used, " a%g", r->alpha);
    if (r->beta != 0) snprintf(text + used, sizeof text - (size_t)used, " b%g", r->beta);
    printf(" %-*s", table.problem, text);
}

// Ends the row of a launch with a finding. Such a launch has no bound, so FAILED stands in the
// columns of bound and check. The finding is named if the line has room for it.
static void put_finding(const char *finding) {
    int used = table.step + 1 + table.variant + 1 + table.problem;
    for (int i = 0; i < table.count; i++) used += 1 + table.columns[i].width;
    const bool fits = used + (int)strlen("  FAILED ()") + (int)strlen(finding) <= LINE;
    printf(fits ? "  FAILED (%s)\n" : "  FAILED\n", finding);
}

static void put_verdict(const struct result *r) {
    printf(" %5s\n", strcmp(r->check, "fail") != 0 ? r->check : "FAILED");
}

void table_row(const struct result *r, const char *finding, const struct counts *counts) {
    const struct table_row row = {r, counts};
    if (!table.headed) put_head();
    table.headed = true;
    printf("%-*s %-*s", table.step, r->step, table.variant, r->variant);
    put_problem(r);
    for (int i = 0; i < table.count; i++) {
        const struct column *c = &table.columns[i];
        put_value(c, value_of(c, &row));
    }
    if (finding) {
        put_finding(finding);
        return;
    }
    if (counts) {
        const struct counter *bound = binding_bound(counts->counters, counts->count);
        printf("  %-13s", bound ? bound->part : "-");
    }
    put_verdict(r);
}
