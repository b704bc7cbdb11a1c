// Kernel arguments from text.
#include "arguments.h"
#include "file/file.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_BYTES (1ll << 36)

enum number { SIGNED, UNSIGNED, REAL };
static const struct type {
    const char *name;
    int bytes;
    enum number number;
} types[] = {{"i32", 4, SIGNED},   {"u32", 4, UNSIGNED}, {"i64", 8, SIGNED},
             {"u64", 8, UNSIGNED}, {"f32", 4, REAL},     {"f64", 8, REAL}};

static const struct type *find_type(const char *spec) {
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (strncmp(spec, types[i].name, 3) == 0) return &types[i];
    }
    return NULL;
}

static uint64_t real_bits(double value, int bytes) {
    uint64_t bits = 0;
    const float narrow = (float)value;
    if (bytes == 4) {
        memcpy(&bits, &narrow, sizeof narrow);
    } else {
        memcpy(&bits, &value, sizeof value);
    }
    return bits;
}

static bool parse_scalar(const char *spec, const char *text, const struct type *type, struct argument *a,
                         struct sim_error *error) {
    char *end = NULL;
    errno = 0;
    if (type->number == REAL) {
        const double value = strtod(text, &end);
        a->value = real_bits(value, type->bytes);
        if (type->bytes == 4 && isfinite(value) && !isfinite((float)value)) errno = ERANGE;
        if (fabs(value) < 1) errno = 0; // an underflow is no mistake
    } else if (type->number == SIGNED) {
        const long long value = strtoll(text, &end, 0);
        if (type->bytes == 4 && (value < INT32_MIN || value > INT32_MAX)) errno = ERANGE;
        a->value = type->bytes == 4 ? (uint32_t)value : (uint64_t)value;
    } else {
        const unsigned long long value = strtoull(text, &end, 0);
        if (*text == '-' || (type->bytes == 4 && value > UINT32_MAX)) errno = ERANGE;
        a->value = value;
    }
    a->bytes = type->bytes;
    if (end == text || *end != '\0')
        return sim_refuse(error, "--arg %.200s: '%.100s' is no %s number", spec, text, type->name);
    if (errno == ERANGE) return sim_refuse(error, "--arg %.200s: out of range for %s", spec, type->name);
    return true;
}

// splitmix64 (public domain, Vigna): the same numbers everywhere.
static uint64_t next_random(uint64_t *state) {
    uint64_t z = *state += 0x9e3779b97f4a7c15ull;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    return z ^ z >> 31;
}

static void fill_random(uint8_t *host, int64_t count, const struct type *type, uint64_t seed) {
    for (int64_t i = 0; i < count; i++) {
        uint64_t bits = next_random(&seed);
        if (type->number == REAL) bits = real_bits((double)(bits >> 40) * 0x1p-23 - 1, type->bytes); // [-1, 1)
        memcpy(host + i * type->bytes, &bits, (size_t)type->bytes);
    }
}

static bool fill_from_file(const char *spec, const char *path, uint8_t *host, int64_t bytes, struct sim_error *error) {
    FILE *file = fopen(path, "rb");
    if (!file) return sim_fail(error, "--arg %.200s: %.200s: %s", spec, path, strerror(errno));
    const size_t got = fread(host, 1, (size_t)bytes, file);
    const bool more = fgetc(file) != EOF;
    const int reason = ferror(file) ? errno : 0;
    fclose(file);
    if (reason) return sim_fail(error, "--arg %.200s: %.200s: %s", spec, path, strerror(reason));
    if ((int64_t)got != bytes || more)
        return sim_fail(error, "--arg %.200s: %.200s has %s than the %" PRId64 " bytes of the buffer", spec, path,
                        more ? "more" : "less", bytes);
    return true;
}

static bool fill(const char *spec, const char *how, const struct type *type, int64_t count, uint8_t *host,
                 struct sim_error *error) {
    const int64_t bytes = count * type->bytes;
    if (strcmp(how, "zero") == 0) {
        memset(host, 0, (size_t)bytes);
        return true;
    }
    if (strcmp(how, "nan") == 0) {
        memset(host, 0xff, (size_t)bytes);
        return true;
    }
    if (strncmp(how, "random:", 7) == 0) {
        char *end;
        errno = 0;
        const uint64_t seed = strtoull(how + 7, &end, 0);
        if (end == how + 7 || *end || errno) return sim_refuse(error, "--arg %.200s: expected random:SEED", spec);
        fill_random(host, count, type, seed);
        return true;
    }
    if (strncmp(how, "file:", 5) == 0) return fill_from_file(spec, how + 5, host, bytes, error);
    return sim_refuse(error, "--arg %.200s: '%.100s': expected zero, nan, random:SEED or file:PATH", spec, how);
}

static bool parse_buffer(const char *spec, const struct type *type, struct sim_memory *memory, struct argument *a,
                         struct sim_error *error) {
    char *end;
    errno = 0;
    const long long count = strtoll(spec + 4, &end, 10);
    if (end == spec + 4 || strncmp(end, "]:", 2) != 0)
        return sim_refuse(error, "--arg %.200s: expected %s[COUNT]:CONTENT", spec, type->name);
    if (errno || count < 0 || count > MOST_BYTES / type->bytes)
        return sim_refuse(error, "--arg %.200s: a count of 0 to %lld", spec, MOST_BYTES / type->bytes);
    char *how = strdup(end + 2), *out = how ? strstr(how, "=out:") : NULL;
    if (!how) return sim_fail(error, "not enough host memory");
    if (out) {
        *out = '\0';
        a->out = spec + (end + 2 - spec) + (out - how) + 5;
    }
    if (out && !*a->out) {
        free(how);
        return sim_refuse(error, "--arg %.200s: expected a file's name after =out:", spec);
    }
    a->buffer = true;
    a->bytes = 8;
    a->buffer_bytes = count * type->bytes;
    a->value = a->address = sim_allocate(memory, a->buffer_bytes);
    uint8_t *host = a->address ? sim_host(memory, a->address, a->buffer_bytes) : NULL;
    const bool done = host ? fill(spec, how, type, count, host, error)
                           : sim_fail(error, "--arg %.200s: not enough host memory", spec);
    free(how);
    return done;
}

static bool parse_texture(const char *spec, struct sim_memory *memory, struct argument *a, struct sim_error *error) {
    const struct type *type = find_type(spec + 4);
    if (!type || spec[7] != '[')
        return sim_refuse(error, "--arg %.200s: expected a buffer, tex:TYPE[COUNT]:CONTENT", spec);
    if (!parse_buffer(spec + 4, type, memory, a, error)) return false;
    if (a->buffer_bytes == 0 || a->buffer_bytes % 16 != 0)
        return sim_refuse(error, "--arg %.200s: a texture is one texel of 16 bytes or more of them", spec);
    a->value = sim_texture_open(memory, a->address, a->buffer_bytes / 16);
    return a->value || sim_fail(error, "--arg %.200s: not enough host memory", spec);
}

bool argument_parse(const char *spec, struct sim_memory *memory, struct argument *a, struct sim_error *error) {
    const struct type *type = find_type(spec);
    *a = (struct argument){.spec = spec};
    if (strncmp(spec, "tex:", 4) == 0) return parse_texture(spec, memory, a, error);
    if (type && spec[3] == ':') return parse_scalar(spec, spec + 4, type, a, error);
    if (type && spec[3] == '[') return parse_buffer(spec, type, memory, a, error);
    return sim_refuse(
        error,
        "--arg %.200s: expected TYPE:VALUE, TYPE[COUNT]:CONTENT or tex:TYPE[COUNT]:CONTENT, TYPE i32 u32 i64 "
        "u64 f32 or f64",
        spec);
}

bool argument_save(const struct argument *a, const struct sim_memory *memory, struct sim_error *error) {
    if (!a->out) return true;
    const void *host = sim_host(memory, a->address, a->buffer_bytes);
    return file_write(a->out, host, (size_t)a->buffer_bytes, error->message, sizeof error->message);
}
