// Executes the directives except .for and .if: those for constants, functions, macros, kernels and
// their attributes, and names of registers.
#include "expander.h"
#include "expression.h"
#include "isa/encoding.h"
#include "operands.h"

#include <stdlib.h>
#include <string.h>

enum {
    MAX_THREADS = 1024,
    MAX_SHARED = 48 << 10,
    MAX_PARAMETER_BYTES = 4096,
    MAX_VARIABLE_BYTES = 1 << 30
};

static bool expect(struct expander *x, size_t *at, char what) {
    *at = expand_skip(x, *at);
    if (x->line.text[*at] != what) return expand_failed(x, *at, "expected %c", what);
    ++*at;
    return true;
}

static bool read_name(struct expander *x, size_t *at, const char **name, size_t *length) {
    *at = expand_skip(x, *at);
    *name = x->line.text + *at;
    *length = name_length(*name);
    *at += *length;
    return *length || expand_failed(x, *at, "expected a name: letters, digits and _");
}

static bool read_number(struct expander *x, size_t *at, int64_t low, int64_t high, int64_t *value) {
    const size_t start = expand_skip(x, *at);
    if (!line_number(&x->line, at, &x->names, value, x->error)) return false;
    if (*value >= low && *value <= high) return true;
    return expand_failed(x, start, "expected %lld to %lld, not %lld", (long long)low,
                         (long long)high, (long long)*value);
}

static bool in_kernel(struct expander *x) {
    return x->kernel || expand_failed(x, expand_skip(x, 0), "expected .kernel NAME before");
}

// --- constants, functions, macros ----------------------------------------------------------------

bool obey_let(struct expander *x, size_t at) {
    const char *name;
    size_t length;
    int64_t value, known;
    if (!read_name(x, &at, &name, &length)) return false;
    if (names_register(&x->names, name, length) || names_parameter(&x->names, name, length))
        return expand_failed(x, at - length, "%.*s is a register or a parameter already",
                             (int)length, name);
    at = expand_skip(x, at);
    const bool only_default = x->line.text[at] == '?';
    at += only_default;
    if (!expect(x, &at, '=') || !line_number(&x->line, &at, &x->names, &value, x->error))
        return false;
    if (!expand_end(x, at)) return false;
    if (only_default && names_number(&x->names, name, length, &known)) return true;
    names_let(&x->names, name, length, value);
    return true;
}

// Appends a list of names, separated by commas, to names[].
static bool read_names(struct expander *x, size_t *at, const char **names, int *count) {
    const char *name;
    size_t length;
    do {
        if (!read_name(x, at, &name, &length)) return false;
        if (*count == MAX_ARGUMENTS)
            return expand_failed(x, *at - length, "expected at most %d names", MAX_ARGUMENTS);
        names[(*count)++] = arena_text(&x->names.arena, name, length);
        *at = expand_skip(x, *at);
    } while (x->line.text[*at] == ',' && ++*at);
    return true;
}

bool obey_def(struct expander *x, size_t at) {
    const char *name;
    size_t length;
    struct function function = {0};
    if (!read_name(x, &at, &name, &length) || !expect(x, &at, '(')) return false;
    if (names_function(&x->names, name, length) || is_name("min", name, length) ||
        is_name("max", name, length))
        return expand_failed(x, (size_t)(name - x->line.text), "%.*s is a function already",
                             (int)length, name);
    at = expand_skip(x, at);
    if (x->line.text[at] != ')' &&
        !read_names(x, &at, function.arguments, &function.argument_count))
        return false;
    if (!expect(x, &at, ')') || !expect(x, &at, '=')) return false;
    at = expand_skip(x, at);
    if (!x->line.text[at]) return expand_failed(x, at, "expected an expression");
    function.name = arena_text(&x->names.arena, name, length);
    function.body = arena_text(&x->names.arena, x->line.text + at, x->line.length - at);
    GROW(x->names.functions, x->names.function_count);
    x->names.functions[x->names.function_count++] = function;
    return true;
}

bool obey_macro(struct expander *x, size_t at) {
    const char *name;
    size_t length;
    struct macro *macro = arena_take(&x->names.arena, sizeof *macro);
    if (!read_name(x, &at, &name, &length)) return false;
    if (find_macro(x, name, length))
        return expand_failed(x, at - length, "%.*s is a macro already", (int)length, name);
    *macro =
        (struct macro){.name = arena_text(&x->names.arena, name, length), .line = x->number - 1};
    at = expand_skip(x, at);
    if (x->line.text[at] && !read_names(x, &at, macro->parameters, &macro->parameter_count))
        return false;
    if (!expand_end(x, at)) return false;
    GROW(x->macros, x->macro_count);
    x->macros[x->macro_count++] = macro;
    return true;
}

bool obey_error(struct expander *x, size_t at) {
    const size_t start = expand_skip(x, 0);
    at = expand_skip(x, at);
    const char *text = x->line.text + at, *end = *text == '"' ? strchr(text + 1, '"') : NULL;
    if (!end || end == text + 1) return expand_failed(x, at, "expected a text between \"\"");
    return expand_failed(x, start, "%.*s", (int)(end - text - 1), text + 1);
}

// --- a kernel and its attributes -----------------------------------------------------------------

bool obey_kernel(struct expander *x, size_t at) {
    const char *name;
    size_t length;
    struct asm_program *program = x->program;
    if (!read_name(x, &at, &name, &length) || !expand_end(x, at)) return false;
    for (size_t i = 0; i < program->kernel_count; i++) {
        if (is_name(program->kernels[i].name, name, length))
            return expand_failed(x, at - length, "%.*s is a kernel already", (int)length, name);
    }
    GROW(program->kernels, program->kernel_count);
    x->kernel = &program->kernels[program->kernel_count++];
    *x->kernel = (struct program_kernel){.name = arena_text(&program->arena, name, length),
                                         .line = x->number,
                                         .scoreboards = ALL_SCOREBOARDS};
    names_new_kernel(&x->names);
    x->kernel->disassembled = x->lines[x->number - 1].disassembled;
    return true;
}

static bool one_number(struct expander *x, size_t at, int64_t low, int64_t high, int *out) {
    int64_t value;
    if (!in_kernel(x) || !read_number(x, &at, low, high, &value) || !expand_end(x, at))
        return false;
    *out = (int)value;
    return true;
}

bool obey_threads(struct expander *x, size_t at) {
    int value = 0;
    if (!one_number(x, at, 1, MAX_THREADS, &value)) return false;
    x->kernel->threads = value;
    return true;
}

bool obey_shared(struct expander *x, size_t at) {
    int value = 0;
    if (!one_number(x, at, 0, MAX_SHARED, &value)) return false;
    x->kernel->shared_bytes = value;
    return true;
}

bool obey_registers(struct expander *x, size_t at) {
    int value = 0;
    if (!one_number(x, at, SPARE_REGISTERS + 1, MAX_REGISTERS, &value)) return false;
    x->kernel->registers = value;
    x->names.limit = value - SPARE_REGISTERS;
    return true;
}

bool obey_scoreboards(struct expander *x, size_t at) {
    int64_t value;
    uint8_t mask = 0;
    if (!in_kernel(x)) return false;
    do {
        if (!read_number(x, &at, 0, 5, &value)) return false;
        mask |= (uint8_t)(1U << value);
        at = expand_skip(x, at);
    } while (x->line.text[at] == ',' && ++at);
    x->kernel->scoreboards = mask;
    return expand_end(x, at);
}

static int type_size(const char *name, size_t length) {
    static const struct {
        const char *name;
        int size;
    } types[] = {{"i32", 4}, {"u32", 4}, {"f32", 4}, {"i64", 8},
                 {"u64", 8}, {"f64", 8}, {"ptr", 8}};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (is_name(types[i].name, name, length)) return types[i].size;
    }
    return 0;
}

// Makes c[NAME] denote `item`, a constant at an offset in a constant bank.
static bool name_constant(struct expander *x, struct parameter item, size_t length, size_t at) {
    struct names *names = &x->names;
    int64_t known;
    if (names_parameter(names, item.name, length) || names_register(names, item.name, length) ||
        names_number(names, item.name, length, &known))
        return expand_failed(x, at, "%.*s is a name already", (int)length, item.name);
    GROW(names->parameters, names->parameter_count);
    item.name = arena_text(&names->arena, item.name, length);
    names->parameters[names->parameter_count++] = item;
    return true;
}

static bool add_parameter(struct expander *x, int size, const char *name, size_t length,
                          size_t at) {
    struct program_kernel *kernel = x->kernel;
    const int offset = (kernel->parameter_bytes + size - 1) / size * size;
    if (kernel->parameter_count == MAX_PARAMETERS || offset + size > MAX_PARAMETER_BYTES)
        return expand_failed(x, at, "expected at most %d parameters of %d bytes together",
                             MAX_PARAMETERS, MAX_PARAMETER_BYTES);
    const int base = x->program->chip->bank0->param_base;
    if (!name_constant(x, (struct parameter){name, 0, base + offset, size}, length, at))
        return false;
    kernel->parameters[kernel->parameter_count++] = (struct program_parameter){offset, size};
    kernel->parameter_bytes = offset + size;
    return true;
}

bool obey_param(struct expander *x, size_t at) {
    const char *name;
    size_t length;
    if (!in_kernel(x)) return false;
    do {
        if (!read_name(x, &at, &name, &length)) return false;
        const int size = type_size(name, length);
        if (!size)
            return expand_failed(x, at - length, "expected a type: i32 u32 f32 i64 u64 f64 ptr");
        if (!read_name(x, &at, &name, &length) ||
            !add_parameter(x, size, name, length, at - length))
            return false;
        at = expand_skip(x, at);
    } while (x->line.text[at] == ',' && ++at);
    return expand_end(x, at);
}

// .global NAME BYTES declares a device variable that starts as zeros. c[NAME] is its address, which
// the driver writes into constant bank 4.
bool obey_global(struct expander *x, size_t at) {
    const char *name;
    size_t length;
    int64_t bytes;
    if (!in_kernel(x) || !read_name(x, &at, &name, &length)) return false;
    const size_t end = at;
    if (!read_number(x, &at, 1, MAX_VARIABLE_BYTES, &bytes)) return false;
    struct program_kernel *kernel = x->kernel;
    if (kernel->variable_count == MAX_VARIABLES)
        return expand_failed(x, end, "expected at most %d variables in a kernel", MAX_VARIABLES);
    // Bank 4 holds the addresses of all kernels' variables, eight bytes each, in source order.
    int before = 0;
    for (size_t i = 0; i < x->program->kernel_count; i++)
        before += x->program->kernels[i].variable_count;
    if (!name_constant(x, (struct parameter){name, 4, 8 * before, 8}, length, end - length))
        return false;
    kernel->variables[kernel->variable_count++] =
        (struct program_variable){arena_text(&x->program->arena, name, length), bytes};
    return expand_end(x, at);
}

// --- names of registers --------------------------------------------------------------------------

struct declaration {
    const char *name;
    size_t length;
    size_t start;       // position of the name in the line
    size_t register_at; // position of the register behind =
    int64_t count;
    // true if the declaration has a range [count]; a register; a step; a word such as `even`
    bool range, given, stepped, placed_word;
    int64_t step;
    struct register_place place;
    enum placement placement;
};

static bool read_placement(struct expander *x, size_t *at, struct declaration *d) {
    static const char *const words[] = {"any", "even", "odd", "pair", "quad"};
    const char *name;
    size_t length;
    *at = expand_skip(x, *at);
    if (!x->line.text[*at] || x->line.text[*at] == ',') return true;
    if (!read_name(x, at, &name, &length)) return false;
    for (int i = 0; i < 5; i++) {
        if (!is_name(words[i], name, length)) continue;
        d->placement = (enum placement)i;
        d->placed_word = true;
        *at = expand_skip(x, *at);
        return x->line.text[*at] == ',' || expand_end(x, *at);
    }
    return expand_failed(x, *at - length, "expected step, even, odd, pair, quad or any");
}

// Reads `= REGISTER` or `= REGISTER step EXPR` behind the declared name.
static bool read_start(struct expander *x, size_t *at, struct declaration *d) {
    *at = d->register_at = expand_skip(x, *at + 1);
    if (!line_register(&x->line, at, &x->names, &d->place, x->error)) return false;
    d->step = d->place.step;
    d->given = true;
    *at = expand_skip(x, *at);
    if (strncmp(x->line.text + *at, "step ", 5) != 0) return true;
    *at += 5;
    d->stepped = true;
    return read_number(x, at, 1, 254, &d->step);
}

static bool read_declaration(struct expander *x, size_t *at, struct declaration *d) {
    *d = (struct declaration){.count = 1, .step = 1};
    if (!in_kernel(x) || !read_name(x, at, &d->name, &d->length)) return false;
    d->start = *at - d->length;
    if (x->line.text[*at] == '[') {
        ++*at;
        if (!read_number(x, at, 1, 255, &d->count) || !expect(x, at, ']')) return false;
        d->range = true;
    }
    *at = expand_skip(x, *at);
    if (x->line.text[*at] == '=' && !read_start(x, at, d)) return false;
    return read_placement(x, at, d);
}

// Checks the register behind =: its file, the alignment or bank that the declaration requires, and
// that the last register of the range exists.
static bool check_place(struct expander *x, struct declaration *d, enum register_file file) {
    static const int aligns[] = {1, 2, 2, 2, 4};
    const int align = aligns[d->placement], rest = d->placement == PLACE_ODD;
    const char *prefix = file_prefix(d->place.file);
    const int last = d->place.number + (int)((d->count - 1) * d->step),
              size = file_size(d->place.file);
    if (file != FILE_R && d->place.file != file)
        return expand_failed(x, d->register_at, "expected a register %s0 to %s%d",
                             file_prefix(file), file_prefix(file), file_size(file) - 1);
    if (d->place.number % align != rest)
        return expand_failed(x, d->register_at, "%s%d is not %s: expected %s%d", prefix,
                             d->place.number,
                             d->placement == PLACE_ODD ? "odd"
                             : align == 4              ? "a multiple of 4"
                                                       : "even",
                             prefix, d->place.number / align * align + rest);
    if (last < size) return true;
    return expand_failed(x, d->start, "%.*s would end at %s%d: expected at most %s%d",
                         (int)d->length, d->name, prefix, last, prefix, size - 1);
}

static bool place(struct expander *x, struct declaration *d, enum register_file file) {
    const int first = names_place(&x->names, file, (int)d->count, d->placement);
    if (first < 0)
        return expand_failed(x, d->start,
                             "no %d free registers %s of this kind for %.*s: .free some",
                             (int)d->count, file_prefix(file), (int)d->length, d->name);
    d->place = (struct register_place){file, first, 1};
    d->step = placement_step(d->placement);
    return true;
}

static bool declare_one(struct expander *x, size_t *at, enum register_file file) {
    struct declaration d;
    int64_t known;
    enum register_file machine;
    long number;
    if (!read_declaration(x, at, &d)) return false;
    if (names_register(&x->names, d.name, d.length) ||
        names_parameter(&x->names, d.name, d.length) ||
        names_number(&x->names, d.name, d.length, &known))
        return expand_failed(x, d.start, "%.*s is a name already: .free it first", (int)d.length,
                             d.name);
    if (register_literal(d.name, &machine, &number))
        return expand_failed(x, d.start, "expected a name that is no register's own");
    const bool banked = d.placed_word && (d.placement == PLACE_EVEN || d.placement == PLACE_ODD);
    if (d.given && banked && !d.stepped && d.step == 1) d.step = 2;
    if (d.given && banked && d.step % 2 != 0)
        return expand_failed(x, d.start, "step %d leaves the bank: expected an even step",
                             (int)d.step);
    if (d.given ? !check_place(x, &d, file) : !place(x, &d, file)) return false;
    const char *copy = arena_text(&x->names.arena, d.name, d.length);
    const struct register_name item = {copy,        d.place.file, d.place.number, (int)d.count,
                                       (int)d.step, d.range,      !d.given};
    names_add_register(&x->names, item);
    return true;
}

static bool declare(struct expander *x, size_t at, enum register_file file) {
    do {
        if (!declare_one(x, &at, file)) return false;
        at = expand_skip(x, at);
    } while (x->line.text[at] == ',' && ++at);
    return expand_end(x, at);
}

bool obey_reg(struct expander *x, size_t at) {
    return declare(x, at, FILE_R);
}

bool obey_ureg(struct expander *x, size_t at) {
    return declare(x, at, FILE_UR);
}

bool obey_pred(struct expander *x, size_t at) {
    return declare(x, at, FILE_P);
}

bool obey_upred(struct expander *x, size_t at) {
    return declare(x, at, FILE_UP);
}

bool obey_free(struct expander *x, size_t at) {
    const char *name;
    size_t length;
    do {
        if (!read_name(x, &at, &name, &length)) return false;
        const struct register_name *item = names_register(&x->names, name, length);
        if (!item)
            return expand_failed(x, at - length, "no register is named %.*s", (int)length, name);
        names_free_register(&x->names, item);
        at = expand_skip(x, at);
    } while (x->line.text[at] == ',' && ++at);
    return expand_end(x, at);
}
