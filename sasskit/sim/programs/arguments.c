// Parses kernel arguments from text, in the syntax that arguments.h describes.
#include "arguments.h"
#include "base/file.h"
#include "base/random.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_BYTES (1ll << 36)

enum number { SIGNED, UNSIGNED, REAL };
struct argument_type {
    const char *name;
    int bytes;
    enum number number;
    int exponent; // exponent bits of a REAL
};
static const struct argument_type types[] = {
    {"i8", 1, SIGNED, 0},  {"u8", 1, UNSIGNED, 0},  {"i16", 2, SIGNED, 0}, {"u16", 2, UNSIGNED, 0},
    {"i32", 4, SIGNED, 0}, {"u32", 4, UNSIGNED, 0}, {"i64", 8, SIGNED, 0}, {"u64", 8, UNSIGNED, 0},
    {"f16", 2, REAL, 5},   {"bf16", 2, REAL, 8},    {"f32", 4, REAL, 8},   {"f64", 8, REAL, 11}};

// Returns the type whose name the text begins with, and sets *rest to the text after the name.
// Returns NULL if there is no such type.
static const struct argument_type *find_type(const char *spec, const char **rest) {
    const size_t length = strcspn(spec, ":[");
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (strlen(types[i].name) != length || strncmp(spec, types[i].name, length) != 0) continue;
        *rest = spec + length;
        return &types[i];
    }
    return NULL;
}

// --- numbers -------------------------------------------------------------------------------------

// Returns the bits of `value` rounded to a floating-point type, to nearest with ties to even.
static uint64_t real_bits(double value, const struct argument_type *type) {
    const int fraction = type->bytes * 8 - 1 - type->exponent,
              bias = (1 << (type->exponent - 1)) - 1;
    const uint64_t sign = (uint64_t)(signbit(value) != 0) << (type->bytes * 8 - 1);
    const uint64_t infinite = ((UINT64_C(1) << type->exponent) - 1) << fraction;
    int exponent;
    if (isnan(value)) return sign | infinite | UINT64_C(1) << (fraction - 1);
    frexp(fabs(value), &exponent); // value = m 2^exponent with 1/2 <= m < 1
    exponent = exponent - 1 < 1 - bias || value == 0 ? 1 - bias : exponent - 1;
    if (isinf(value) || exponent > bias) return sign | infinite;
    const uint64_t digits = (uint64_t)nearbyint(ldexp(fabs(value), fraction - exponent));
    return sign | (((uint64_t)(exponent + bias - 1) << fraction) + digits);
}

static bool in_range(long long value, unsigned long long above, const struct argument_type *type) {
    if (type->bytes == 8) return true;
    if (type->number == UNSIGNED) return above >> type->bytes * 8 == 0;
    const long long limit = 1ll << (type->bytes * 8 - 1);
    return value >= -limit && value < limit;
}

static bool parse_number(const char *spec, const char *text, const struct argument_type *type,
                         uint64_t *bits, struct error *error) {
    char *end = NULL;
    errno = 0;
    if (type->number == REAL) {
        const double value = strtod(text, &end);
        const uint64_t infinite = real_bits(INFINITY, type);
        *bits = real_bits(value, type);
        if (fabs(value) < 1) errno = 0; // an underflow is not an error
        if (isfinite(value) && (*bits & infinite) == infinite) errno = ERANGE;
    } else if (type->number == SIGNED) {
        const long long value = strtoll(text, &end, 0);
        if (!in_range(value, 0, type)) errno = ERANGE;
        *bits = (uint64_t)value;
    } else {
        const unsigned long long value = strtoull(text, &end, 0);
        if (*text == '-' || !in_range(0, value, type)) errno = ERANGE;
        *bits = value;
    }
    if (end == text || *end != '\0')
        return error_refuse(error, "--arg %.200s: '%.100s': expected a number of type %s", spec,
                            text, type->name);
    if (errno == ERANGE)
        return error_refuse(error, "--arg %.200s: the number is out of range for %s", spec,
                            type->name);
    return true;
}

// --- buffers -------------------------------------------------------------------------------------

static void fill_random(uint8_t *host, int64_t count, const struct argument_type *type,
                        uint64_t seed) {
    for (int64_t i = 0; i < count; i++) {
        uint64_t bits = random_next(&seed);
        // uniformly distributed in [-1, 1)
        if (type->number == REAL) bits = real_bits((double)(bits >> 40) * 0x1p-23 - 1, type);
        memcpy(host + i * type->bytes, &bits, (size_t)type->bytes);
    }
}

static bool fill_from_file(const char *spec, const char *path, uint8_t *host, int64_t bytes,
                           struct error *error) {
    FILE *file = fopen(path, "rb");
    if (!file) return error_fail(error, "--arg %.200s: %.200s: %s", spec, path, strerror(errno));
    const size_t got = fread(host, 1, (size_t)bytes, file);
    const bool more = fgetc(file) != EOF;
    const int reason = ferror(file) ? errno : 0;
    fclose(file);
    if (reason) return error_fail(error, "--arg %.200s: %.200s: %s", spec, path, strerror(reason));
    if ((int64_t)got != bytes || more)
        return error_fail(error,
                          "--arg %.200s: %.200s has %s bytes than the %" PRId64 " of the buffer",
                          spec, path, more ? "more" : "fewer", bytes);
    return true;
}

static bool fill(const char *spec, const char *how, const struct argument_type *type, int64_t count,
                 uint8_t *host, struct error *error) {
    const int64_t bytes = count * type->bytes;
    if (strcmp(how, "zero") == 0) {
        memset(host, 0, (size_t)bytes);
        return true;
    }
    if (strcmp(how, "nan") == 0) {
        // these bits are a NaN in each floating-point type
        memset(host, 0xff, (size_t)bytes);
        return true;
    }
    if (strncmp(how, "random:", 7) == 0) {
        char *end;
        errno = 0;
        const uint64_t seed = strtoull(how + 7, &end, 0);
        if (end == how + 7 || *end || errno)
            return error_refuse(error, "--arg %.200s: expected random:SEED", spec);
        fill_random(host, count, type, seed);
        return true;
    }
    if (strncmp(how, "file:", 5) == 0) return fill_from_file(spec, how + 5, host, bytes, error);
    return error_refuse(
        error, "--arg %.200s: '%.100s': expected zero, nan, random:SEED or file:PATH", spec, how);
}

// Parses "[COUNT]:CONTENT", perhaps followed by "=out:PATH", and allocates memory for *b. `rest` is
// that part of a copy of the argument; it is changed.
static bool parse_buffer(const char *spec, char *rest, const struct argument_type *type,
                         struct sim_memory *memory, struct argument_buffer *b,
                         struct error *error) {
    char *end;
    errno = 0;
    const long long count = strtoll(rest + 1, &end, 10);
    if (end == rest + 1 || strncmp(end, "]:", 2) != 0)
        return error_refuse(error, "--arg %.200s: expected %s[COUNT]:CONTENT", spec, type->name);
    if (errno || count < 0 || count > MOST_BYTES / type->bytes)
        return error_refuse(error, "--arg %.200s: expected a count from 0 to %lld", spec,
                            MOST_BYTES / type->bytes);
    char *how = end + 2, *out = strstr(how, "=out:");
    if (out) *out = '\0';
    if (out && !out[5])
        return error_refuse(error, "--arg %.200s: expected a file's name after =out:", spec);
    *b = (struct argument_buffer){
        .type = type, .bytes = count * type->bytes, .out = out ? out + 5 : NULL};
    b->starts_as_nan = strcmp(how, "nan") == 0;
    b->address = sim_allocate(memory, b->bytes);
    uint8_t *host = b->address ? sim_host(memory, b->address, b->bytes) : NULL;
    if (!host || (b->starts_as_nan && !sim_mark_unwritten(memory, b->address)))
        return error_fail(error, "--arg %.200s: not enough host memory", spec);
    return fill(spec, how, type, count, host, error);
}

// Appends a member to the argument's value, aligned to the member's size.
static bool append(struct argument *a, const void *value, int bytes, struct error *error) {
    const int at = (a->bytes + bytes - 1) / bytes * bytes;
    if (at + bytes > ARGUMENT_BYTES)
        return error_refuse(error, "--arg %.200s: expected at most %d bytes of parameters", a->spec,
                            ARGUMENT_BYTES);
    memcpy(a->value + at, value, (size_t)bytes);
    a->bytes = at + bytes;
    if (bytes > a->alignment) a->alignment = bytes;
    return true;
}

// Adds a buffer or, if `texture`, a texture of a buffer. `values` is the number of 32-bit values
// per texel; 0 stands for four, of which every fetch must take all.
static bool add_buffer(struct argument *a, char *rest, const struct argument_type *type,
                       bool texture, int values, struct sim_memory *memory, struct error *error) {
    struct argument_buffer *b = &a->buffer[a->buffer_count];
    if (a->buffer_count == ARGUMENT_BUFFERS)
        return error_refuse(error, "--arg %.200s: expected at most %d buffers", a->spec,
                            ARGUMENT_BUFFERS);
    if (!parse_buffer(a->spec, rest, type, memory, b, error)) return false;
    a->buffer_count++;
    if (!texture) return append(a, &b->address, 8, error);
    const int texel = values ? 4 * values : 16;
    if (b->bytes == 0 || b->bytes % texel != 0)
        return error_refuse(error, "--arg %.200s: expected one or more texels of %d bytes each",
                            a->spec, texel);
    const uint64_t handle = sim_texture_open(memory, b->address, b->bytes / texel, values);
    if (!handle) return error_fail(error, "--arg %.200s: not enough host memory", a->spec);
    return append(a, &handle, 8, error);
}

// --- tensor maps ---------------------------------------------------------------------------------

// Parses sizes such as "4x64x128" into sizes[], the last one first. Returns their number, or 0 if
// the text is wrong.
static int parse_sizes(const char *text, uint64_t sizes[SIM_TENSOR_DIMENSIONS]) {
    uint64_t read[SIM_TENSOR_DIMENSIONS];
    int count = 0;
    char *end = NULL;
    do {
        if (count == SIM_TENSOR_DIMENSIONS || *text < '0' || *text > '9') return 0;
        read[count++] = strtoull(text, &end, 10);
        text = end + 1;
    } while (*end == 'x');
    for (int i = 0; i < count; i++) sizes[i] = read[count - 1 - i];
    return *end ? 0 : count;
}

// Parses the text in the brackets of tma: sizes, then ld=, box= and swizzle= in any order.
static bool parse_tensor(const char *spec, char *text, struct sim_tensor *t, uint64_t *ld,
                         struct error *error) {
    uint64_t box[SIM_TENSOR_DIMENSIONS] = {0};
    int boxes = 0;
    char *rest = NULL, *word = strtok_r(text, ",", &rest);
    t->dimensions = word ? parse_sizes(word, t->size) : 0;
    *ld = t->size[0];
    while (t->dimensions && (word = strtok_r(NULL, ",", &rest))) {
        uint64_t value[SIM_TENSOR_DIMENSIONS];
        const char *equals = strchr(word, '=');
        const int count = equals ? parse_sizes(equals + 1, value) : 0;
        if (count == 1 && strncmp(word, "ld=", 3) == 0) {
            *ld = value[0];
        } else if (count == 1 && strncmp(word, "swizzle=", 8) == 0) {
            t->swizzle = (int)value[0];
        } else if (count > 0 && strncmp(word, "box=", 4) == 0) {
            memcpy(box, value, (size_t)count * sizeof *box);
            boxes = count;
        } else {
            t->dimensions = 0;
        }
    }
    for (int i = 0; i < t->dimensions; i++) t->box[i] = (uint32_t)box[i];
    if (t->dimensions && boxes == t->dimensions && *ld >= t->size[0]) return true;
    return error_refuse(error,
                        "--arg %.200s: expected tma:TYPE[SIZES,box=SIZES]:CONTENT, SIZES such as "
                        "64x128, with ld=ELEMENTS and swizzle=BYTES behind the box if wanted",
                        spec);
}

// Adds tma:TYPE[SIZES,...]:CONTENT: allocates the buffer, and appends the tensor's map. `rest`
// begins with the bracket.
static bool add_tensor(struct argument *a, char *rest, const struct argument_type *type,
                       struct sim_memory *memory, struct error *error) {
    struct sim_tensor t = {.element_bytes = type->bytes};
    struct argument_buffer *b = &a->buffer[a->buffer_count];
    uint8_t map[SIM_TENSOR_MAP_BYTES];
    uint64_t ld, count;
    char *close = strchr(rest, ']'), inside[256], number[32];
    if (!close || (size_t)(close - rest) >= sizeof inside || a->buffer_count == ARGUMENT_BUFFERS)
        return error_refuse(error, "--arg %.200s: %s", a->spec,
                            close ? "the brackets are too long, or there are too many buffers"
                                  : "expected ]");
    snprintf(inside, sizeof inside, "%.*s", (int)(close - rest - 1), rest + 1);
    if (!parse_tensor(a->spec, inside, &t, &ld, error)) return false;
    count = ld;
    for (int i = 1; i < t.dimensions; i++) {
        t.stride[i] = count * (uint64_t)type->bytes;
        if (count == 0 || t.size[i] > (uint64_t)MOST_BYTES / count)
            return error_refuse(error, "--arg %.200s: the tensor is too large", a->spec);
        count *= t.size[i];
    }
    // puts the number of elements in place of the sizes, for parse_buffer()
    snprintf(number, sizeof number, "[%llu", (unsigned long long)count);
    memcpy(close - strlen(number), number, strlen(number));
    if (!parse_buffer(a->spec, close - strlen(number), type, memory, b, error)) return false;
    a->buffer_count++;
    t.address = b->address;
    return sim_tensor_map(&t, map, error) && append(a, map, sizeof map, error);
}

static bool parse_one(struct argument *a, char *text, struct sim_memory *memory,
                      struct error *error);

// Returns the comma or the closing brace that ends the member at `text`; NULL if there is none.
static char *end_of_member(char *text) {
    for (int depth = 0; *text; text++) {
        if (depth == 0 && (*text == ',' || *text == '}')) return text;
        depth += (*text == '{' || *text == '[') - (*text == '}' || *text == ']');
    }
    return NULL;
}

// Parses a structure after its opening brace. The structure's alignment is the largest of its
// members'. Its size is rounded up to that alignment.
static bool parse_structure(struct argument *a, char *text, struct sim_memory *memory,
                            struct error *error) {
    struct argument *inner = calloc(1, sizeof *inner);
    bool good = inner != NULL || error_fail(error, "not enough host memory"), last = false;
    if (inner) *inner = (struct argument){.spec = a->spec, .alignment = 1};
    while (good && !last) {
        char *end = end_of_member(text);
        if (!end) {
            good = error_refuse(error, "--arg %.200s: expected a closing brace", a->spec);
            break;
        }
        last = *end == '}';
        *end = '\0';
        good = parse_one(inner, text, memory, error);
        text = end + 1;
    }
    if (good && *text)
        good = error_refuse(
            error, "--arg %.200s: expected nothing after the closing brace, found '%.100s'",
            a->spec, text);
    if (good) {
        const int size =
            (inner->bytes + inner->alignment - 1) / inner->alignment * inner->alignment;
        const int at = (a->bytes + inner->alignment - 1) / inner->alignment * inner->alignment;
        good = at + size <= ARGUMENT_BYTES &&
               a->buffer_count + inner->buffer_count <= ARGUMENT_BUFFERS;
        if (!good) error_refuse(error, "--arg %.200s: the structure is too large", a->spec);
        for (int i = 0; good && i < inner->buffer_count; i++)
            a->buffer[a->buffer_count++] = inner->buffer[i];
        if (good) memcpy(a->value + at, inner->value, (size_t)size);
        a->bytes = at + size;
        if (inner->alignment > a->alignment) a->alignment = inner->alignment;
    }
    free(inner);
    return good;
}

static bool parse_one(struct argument *a, char *text, struct sim_memory *memory,
                      struct error *error) {
    const bool tensor = strncmp(text, "tma:", 4) == 0;
    const int values = strncmp(text, "tex", 3) == 0 && strchr("124", text[3]) ? text[3] - '0' : 0;
    const bool texture = strncmp(text, "tex:", 4) == 0 || (values > 0 && text[4] == ':');
    const char *rest = NULL;
    if (*text == '{') return parse_structure(a, text + 1, memory, error);
    const struct argument_type *type =
        find_type(text + (texture || tensor ? 4 + (values > 0) : 0), &rest);
    if (type && tensor && *rest == '[')
        return add_tensor(a, text + (rest - text), type, memory, error);
    if (type && *rest == '[')
        return add_buffer(a, text + (rest - text), type, texture, values, memory, error);
    if (tensor)
        return error_refuse(error, "--arg %.200s: expected tma:TYPE[SIZES,box=SIZES]:CONTENT",
                            a->spec);
    if (texture)
        return error_refuse(error, "--arg %.200s: expected a buffer, tex:TYPE[COUNT]:CONTENT",
                            a->spec);
    uint64_t bits;
    if (type && *rest == ':')
        return parse_number(a->spec, rest + 1, type, &bits, error) &&
               append(a, &bits, type->bytes, error);
    return error_refuse(
        error,
        "--arg %.200s: expected TYPE:VALUE, TYPE[COUNT]:CONTENT, tex:TYPE[COUNT]:CONTENT, "
        "tma:TYPE[SIZES,box=SIZES]:CONTENT or {MEMBER,...}, TYPE i8 u8 i16 u16 i32 u32 i64 u64 "
        "f16 bf16 f32 or f64",
        a->spec);
}

bool dimensions_parse(const char *text, uint32_t dimensions[3]) {
    char *end;
    for (int i = 0; i < 3; i++) {
        const unsigned long value = strtoul(text, &end, 10);
        if (end == text || *text == '-' || value == 0 || value > INT32_MAX) return false;
        dimensions[i] = (uint32_t)value;
        if (*end == '\0') return true;
        if (*end != ',') return false;
        text = end + 1;
    }
    return false;
}

bool argument_parse(const char *spec, struct sim_memory *memory, struct argument *a,
                    struct error *error) {
    *a = (struct argument){.spec = spec, .alignment = 1, .words = strdup(spec)};
    return a->words ? parse_one(a, a->words, memory, error)
                    : error_fail(error, "not enough host memory");
}

void argument_close(struct argument *a) {
    free(a->words);
    a->words = NULL;
}

bool arguments_counted(int count, const struct sim_kernel *kernel, struct error *error) {
    const struct sim_kernel_facts facts = sim_kernel_facts(kernel);
    return facts.parameter_count == count ||
           error_refuse(error,
                        "%s has %d parameters: expected one --arg for each, found %d (simrun "
                        "--list shows them)",
                        facts.name, facts.parameter_count, count);
}

bool argument_fits(const struct argument *a, const struct sim_kernel *kernel, int i,
                   struct error *error) {
    const int bytes = sim_parameter_size(kernel, i);
    return a->bytes == bytes ||
           error_refuse(
               error, "--arg %.200s has %d bytes, expected those of parameter %d of the kernel: %d",
               a->spec, a->bytes, i, bytes);
}

bool argument_save(const struct argument *a, const struct sim_memory *memory, struct error *error) {
    for (int i = 0; i < a->buffer_count; i++) {
        const struct argument_buffer *b = &a->buffer[i];
        if (b->out && !file_write(b->out, sim_host(memory, b->address, b->bytes), (size_t)b->bytes,
                                  error->message, sizeof error->message))
            return false;
    }
    return true;
}

// --- elements ------------------------------------------------------------------------------------

static double real_value(uint64_t bits, const struct argument_type *type) {
    const int fraction = type->bytes * 8 - 1 - type->exponent,
              bias = (1 << (type->exponent - 1)) - 1;
    const uint64_t low = bits & ((UINT64_C(1) << fraction) - 1);
    const int exponent = (int)(bits >> fraction & ((UINT64_C(1) << type->exponent) - 1));
    const double sign = bits >> (type->bytes * 8 - 1) & 1 ? -1 : 1;
    if (exponent == (1 << type->exponent) - 1) return low ? (double)NAN : sign * (double)INFINITY;
    if (exponent == 0) return sign * ldexp((double)low, 1 - bias - fraction);
    return sign * ldexp((double)(low | UINT64_C(1) << fraction), exponent - bias - fraction);
}

static double number_value(const uint8_t *bytes, const struct argument_type *type) {
    uint64_t bits = 0;
    float single;
    if (type->number == REAL && type->bytes == sizeof single) { // the most common type
        memcpy(&single, bytes, sizeof single);
        return (double)single;
    }
    memcpy(&bits, bytes, (size_t)type->bytes);
    if (type->number == REAL) return real_value(bits, type);
    const int unused = 64 - 8 * type->bytes;
    return type->number == SIGNED ? (double)((int64_t)(bits << unused) >> unused) : (double)bits;
}

bool argument_element(const struct argument_buffer *b, const uint8_t *bytes, int64_t index,
                      double *value) {
    *value = number_value(bytes + index * b->type->bytes, b->type);
    return b->type->number == REAL || b->type->bytes < 8;
}

int argument_element_bytes(const struct argument_buffer *b) {
    return b->type->bytes;
}

bool argument_is_real(const struct argument_buffer *b) {
    return b->type->number == REAL;
}

bool argument_scalar(const struct argument *a, bool *is_real, double *value) {
    const char *rest;
    const struct argument_type *type = find_type(a->spec, &rest);
    if (!type || *rest != ':' || a->buffer_count) return false;
    *is_real = type->number == REAL;
    *value = number_value(a->value, type);
    return true;
}

// --- variables -----------------------------------------------------------------------------------

bool argument_set(const char *text, struct sim_kernel *kernel, struct sim_memory *memory,
                  struct argument *a, struct error *error) {
    const char *equals = strchr(text, '=');
    char name[256];
    int64_t bytes;
    uint64_t address;
    if (!equals || equals == text || (size_t)(equals - text) >= sizeof name)
        return error_refuse(error, "--set %.200s: expected NAME=SPEC", text);
    snprintf(name, sizeof name, "%.*s", (int)(equals - text), text);
    uint8_t *to = sim_variable(kernel, memory, name, &address, &bytes, error);
    if (!to || !argument_parse(equals + 1, memory, a, error)) return false;
    const bool array = a->buffer_count == 1 && equals[1] != '{';
    struct argument_buffer *b = &a->buffer[0];
    const int64_t given = array ? b->bytes : a->bytes;
    if (given != bytes)
        return error_refuse(
            error, "--set %.200s: has %" PRId64 " bytes, expected those of the variable: %" PRId64,
            text, given, bytes);
    if (array && b->out && !address)
        return error_refuse(
            error,
            "--set %.200s: a kernel cannot change a __constant__ variable: leave out =out:", text);
    memcpy(to, array ? sim_host(memory, b->address, bytes) : a->value, (size_t)bytes);
    if (!array) return true;
    sim_release(memory, b->address);
    b->address = address;
    if (!address) a->buffer_count = 0;
    return true;
}
