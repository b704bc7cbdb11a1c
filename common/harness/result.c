// The columns of results.csv.
#include "csv.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum column_kind { TEXT, WHOLE, REAL };

static const struct column {
    const char *name;
    enum column_kind kind;
    size_t offset;
} columns[] = {
#define COLUMN(name, kind) \
    { #name, kind, offsetof(struct result, name) }
    COLUMN(time, TEXT),
    COLUMN(commit, TEXT),
    COLUMN(backend, TEXT),
    COLUMN(device, TEXT),
    COLUMN(driver, TEXT),
    COLUMN(step, TEXT),
    COLUMN(variant, TEXT),
    COLUMN(m, WHOLE),
    COLUMN(n, WHOLE),
    COLUMN(k, WHOLE),
    COLUMN(lda, WHOLE),
    COLUMN(ldb, WHOLE),
    COLUMN(ldc, WHOLE),
    COLUMN(alpha, REAL),
    COLUMN(beta, REAL),
    COLUMN(mode, TEXT),
    COLUMN(rounds, WHOLE),
    COLUMN(ms_median, REAL),
    COLUMN(ms_min, REAL),
    COLUMN(ms_max, REAL),
    COLUMN(tflops, REAL),
    COLUMN(pct_peak, REAL),
    COLUMN(vs_cublas, REAL),
    COLUMN(error_ratio, REAL),
    COLUMN(check, TEXT),
    COLUMN(sm_mhz, REAL),
    COLUMN(watts, REAL),
    COLUMN(registers, WHOLE),
    COLUMN(shared_bytes, WHOLE),
    COLUMN(threads, WHOLE),
    COLUMN(blocks_per_sm, WHOLE),
    COLUMN(gpus, WHOLE),
    COLUMN(error_rms, REAL),
    COLUMN(error_bias, REAL),
    COLUMN(cublas_error_max, REAL),
    COLUMN(cublas_error_rms, REAL),
    COLUMN(inputs, TEXT),
    COLUMN(code_hash, TEXT),
};

enum { COLUMN_COUNT = sizeof columns / sizeof *columns };

struct result result_unmeasured(void) {
    struct result result = {0};
    for (int i = 0; i < COLUMN_COUNT; i++) {
        char *at = (char *)&result + columns[i].offset;
        if (columns[i].kind == REAL) *(double *)at = NAN;
        if (columns[i].kind == WHOLE) *(int64_t *)at = -1;
    }
    return result;
}

const char *result_header(void) {
    static char header[1024];
    header[0] = '\0';
    for (int i = 0; i < COLUMN_COUNT; i++) {
        if (i > 0) strcat(header, ",");
        strcat(header, columns[i].name);
    }
    return header;
}

// Writes a text field, in quotes if it has a comma, a quote or a newline (RFC 4180).
static void put_text(FILE *out, const char *text) {
    if (!text) return;
    const bool quoted = strpbrk(text, ",\"\r\n") != NULL;
    if (quoted) fputc('"', out);
    for (; *text; text++) {
        if (*text == '"') fputc('"', out);
        fputc(*text, out);
    }
    if (quoted) fputc('"', out);
}

static void put_field(FILE *out, const struct column *column, const struct result *result) {
    const char *field = (const char *)result + column->offset;
    const char *text;
    int64_t whole;
    double real;
    switch (column->kind) {
    case TEXT:
        memcpy(&text, field, sizeof text);
        put_text(out, text);
        break;
    case WHOLE:
        memcpy(&whole, field, sizeof whole);
        if (whole >= 0) fprintf(out, "%lld", (long long)whole);
        break;
    case REAL:
        memcpy(&real, field, sizeof real);
        if (!isnan(real)) fprintf(out, "%.6g", real);
        break;
    }
}

bool result_line(const struct result *result, char *line, int size) {
    FILE *out = fmemopen(line, (size_t)size, "w");
    if (!out) return false;
    for (int i = 0; i < COLUMN_COUNT; i++) {
        if (i > 0) fputc(',', out);
        put_field(out, &columns[i], result);
    }
    const bool fits = fflush(out) == 0 && ftell(out) < size;
    fclose(out);
    return fits;
}

const char *time_now(void) {
    static char text[32];
    const time_t now = time(NULL);
    struct tm parts;
    strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &parts));
    return text;
}
