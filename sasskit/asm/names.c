// The names in an assembler source: constants, functions, registers and parameters.
#include "names.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

size_t name_length(const char *text) {
    size_t length = 0;
    if (!isalpha((unsigned char)*text) && *text != '_') return 0;
    while (isalnum((unsigned char)text[length]) || text[length] == '_') length++;
    return length;
}

bool is_name(const char *name, const char *text, size_t length) {
    return strncmp(name, text, length) == 0 && name[length] == 0;
}

// --- constants -----------------------------------------------------------------------------------

static struct constant *find_constant(const struct names *names, const char *name, size_t length) {
    for (size_t i = names->constant_count; i > 0; i--) {
        if (is_name(names->constants[i - 1].name, name, length)) return &names->constants[i - 1];
    }
    return NULL;
}

bool names_number(const struct names *names, const char *name, size_t length, int64_t *value) {
    const struct constant *constant = find_constant(names, name, length);
    if (constant) *value = constant->value;
    return constant;
}

size_t names_bind(struct names *names, const char *name, size_t length, int64_t value) {
    GROW(names->constants, names->constant_count);
    names->constants[names->constant_count] =
        (struct constant){arena_text(&names->arena, name, length), value, names->depth};
    return names->constant_count++;
}

void names_let(struct names *names, const char *name, size_t length, int64_t value) {
    struct constant *constant = find_constant(names, name, length);
    if (!constant || constant->depth != names->depth)
        names_bind(names, name, length, value);
    else
        constant->value = value;
}

void names_unbind(struct names *names, size_t where) {
    struct constant *items = names->constants;
    memmove(&items[where], &items[where + 1], (names->constant_count - where - 1) * sizeof *items);
    names->constant_count--;
}

void names_leave(struct names *names, size_t constant_count) {
    names->constant_count = constant_count;
}

// --- functions, registers, parameters ------------------------------------------------------------

const struct function *names_function(const struct names *names, const char *name, size_t length) {
    for (size_t i = 0; i < names->function_count; i++) {
        if (is_name(names->functions[i].name, name, length)) return &names->functions[i];
    }
    return NULL;
}

const struct register_name *names_register(const struct names *names, const char *name,
                                           size_t length) {
    for (size_t i = names->register_count; i > 0; i--) {
        if (is_name(names->registers[i - 1].name, name, length)) return &names->registers[i - 1];
    }
    return NULL;
}

const struct parameter *names_parameter(const struct names *names, const char *name,
                                        size_t length) {
    for (size_t i = 0; i < names->parameter_count; i++) {
        if (is_name(names->parameters[i].name, name, length)) return &names->parameters[i];
    }
    for (int i = 0; i < LAUNCH_WORDS; i++) {
        if (names->launch[i].size && is_name(names->launch[i].name, name, length))
            return &names->launch[i];
    }
    return NULL;
}

void names_add_register(struct names *names, struct register_name item) {
    GROW(names->registers, names->register_count);
    names->registers[names->register_count++] = item;
}

void names_free_register(struct names *names, const struct register_name *item) {
    const size_t where = (size_t)(item - names->registers);
    memmove(&names->registers[where], &names->registers[where + 1],
            (names->register_count - where - 1) * sizeof *item);
    names->register_count--;
}

static bool covers(const struct register_name *item, enum register_file file, int number) {
    const int distance = number - item->first;
    return item->file == file && distance >= 0 && distance % item->step == 0 &&
           distance / item->step < item->count;
}

const struct register_name *names_placed_at(const struct names *names, enum register_file file,
                                            int number) {
    for (size_t i = 0; i < names->register_count; i++) {
        if (names->registers[i].placed && covers(&names->registers[i], file, number))
            return &names->registers[i];
    }
    return NULL;
}

static bool is_free(const struct names *names, enum register_file file, int number) {
    if (names->literal[file][number]) return false;
    for (size_t i = 0; i < names->register_count; i++) {
        if (covers(&names->registers[i], file, number)) return false;
    }
    return true;
}

const char *file_prefix(enum register_file file) {
    static const char *const prefixes[] = {"R", "UR", "P", "UP"};
    return prefixes[file];
}

int file_size(enum register_file file) {
    static const int sizes[] = {255, 63, 7, 7};
    return sizes[file];
}

int placement_step(enum placement placement) {
    return placement == PLACE_EVEN || placement == PLACE_ODD ? 2 : 1;
}

int names_place(const struct names *names, enum register_file file, int count,
                enum placement placement) {
    const int step = placement_step(placement), align = placement == PLACE_QUAD  ? 4
                                                        : placement == PLACE_ANY ? 1
                                                                                 : 2;
    const int most = names->limit ? names->limit : MAX_REGISTERS - SPARE_REGISTERS;
    const int size = file == FILE_R ? most : file_size(file);
    for (int first = placement == PLACE_ODD; first + (count - 1) * step < size; first += align) {
        int i = 0;
        while (i < count && is_free(names, file, first + i * step)) i++;
        if (i == count) return first;
    }
    return -1;
}

void names_new_kernel(struct names *names) {
    names->register_count = names->parameter_count = 0;
    names->limit = 0;
    memset(names->literal, 0, sizeof names->literal);
}

void names_clear(struct names *names) {
    free(names->constants);
    free(names->functions);
    free(names->registers);
    free(names->parameters);
    arena_clear(&names->arena);
    *names = (struct names){0};
}
