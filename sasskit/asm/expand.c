// Expands assembler source: executes .for, .if, .macro and the other directives, and replaces names
// and expressions in all other lines by numbers and registers.
//
// The source is interpreted line by line. In a macro's body, the arguments first replace the
// parameters as text. Then a line with a directive is executed, and a line with a macro call runs
// the macro's body. In any other line, {EXPR} and the names in operands are replaced, and the line
// is kept.
//
// Limits: the enum below bounds lines, nesting and executed lines, so every expansion ends.
#include "expand.h"
#include "base/near.h"
#include "isa/codec.h"

#include "expander.h"
#include "expression.h"
#include "isa/encoding.h"
#include "operands.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_NESTING = 64,
    MAX_CALLS = 64,
    MAX_LINES = 1 << 18,
    MAX_WORK = 1 << 20,
    MAX_SOURCE_LINES = 1 << 20
};

static bool run(struct expander *x, int first, int last);

static bool count_work(struct expander *x) {
    return ++x->work <= MAX_WORK ||
           expand_failed(x, 0, "the text runs away: more than %d lines obeyed", MAX_WORK);
}

// --- the source's lines and blocks ---------------------------------------------------------------

// Returns the line's length without its comment and trailing blanks.
static size_t code_length(const char *line, size_t length) {
    bool quoted = false;
    for (size_t i = 0; i < length; i++) {
        if (line[i] == '"') quoted = !quoted;
        if (!quoted && line[i] == '/' && i + 1 < length && line[i + 1] == '/') length = i;
    }
    while (length &&
           (line[length - 1] == ' ' || line[length - 1] == '\t' || line[length - 1] == '\r'))
        length--;
    return length;
}

static bool is_directive(const char *text, const char *name) {
    const size_t length = strlen(name);
    text = skip_space(text);
    return strncmp(text, name, length) == 0 &&
           (!text[length] || text[length] == ' ' || text[length] == '\t');
}

static bool split_lines(struct expander *x, const char *source) {
    while (*source) {
        const size_t length = strcspn(source, "\n");
        if (x->line_count == MAX_SOURCE_LINES)
            return error_fail(x->error, "expected at most %d lines", MAX_SOURCE_LINES);
        GROW(x->lines, (size_t)x->line_count);
        const char *text = arena_text(&x->names.arena, source, length);
        const bool disassembled =
            is_directive(text, ".kernel") && strstr(text, " bytes of shared memory, ");
        x->lines[x->line_count++] = (struct source_line){
            arena_text(&x->names.arena, source, code_length(source, length)), -1, -1, disassembled};
        source += length + (source[length] == '\n');
    }
    return true;
}

static bool block_failed(struct expander *x, int line, const char *message) {
    x->error->line = line + 1;
    x->error->column = (int)(skip_space(x->lines[line].text) - x->lines[line].text) + 1;
    return error_fail(x->error, "%s", message);
}

// Matches .for, .if, .macro with .elif, .else, .end: sets `end` and `next` of their source lines.
static bool match_blocks(struct expander *x) {
    int open[MAX_NESTING], latest[MAX_NESTING], depth = 0;
    for (int i = 0; i < x->line_count; i++) {
        const char *text = x->lines[i].text;
        const bool end = is_directive(text, ".end"),
                   branch = is_directive(text, ".elif") || is_directive(text, ".else");
        if (is_directive(text, ".for") || is_directive(text, ".if") ||
            is_directive(text, ".macro")) {
            if (depth == MAX_NESTING)
                return block_failed(x, i, "expected at most 64 blocks inside one another");
            open[depth] = latest[depth] = i;
            depth++;
        } else if (end || branch) {
            if (!depth) return block_failed(x, i, "expected a .for, .if or .macro before");
            if (branch && !is_directive(x->lines[open[depth - 1]].text, ".if"))
                return block_failed(x, i, "expected an .if before, and its .end");
            if (branch && is_directive(x->lines[latest[depth - 1]].text, ".else"))
                return block_failed(x, i, "expected .end: .else was before");
            x->lines[latest[depth - 1]].next = i;
            latest[depth - 1] = i;
            if (end) x->lines[open[--depth]].end = i;
        }
    }
    return !depth ||
           block_failed(x, open[depth - 1], "expected an .end of this block; the text ends before");
}

// --- kept lines ----------------------------------------------------------------------------------

static bool keep_line(struct expander *x, enum program_line_kind kind,
                      const struct line_text *text) {
    struct program_kernel *kernel = x->kernel;
    if (!kernel) return expand_failed(x, expand_skip(x, 0), "expected .kernel NAME before");
    if (x->kept++ == MAX_LINES)
        return expand_failed(x, 0, "expected at most %d lines after expansion", MAX_LINES);
    int *columns;
    ARENA_NEW(&x->program->arena, columns, text->length + 1);
    memcpy(columns, text->columns, (text->length + 1) * sizeof *columns);
    GROW(kernel->lines, kernel->line_count);
    kernel->lines[kernel->line_count++] =
        (struct program_line){kind, arena_text(&x->program->arena, text->text, text->length),
                              columns, x->number, x->call ? &x->call->call : NULL};
    return true;
}

static bool is_label(const char *text) {
    const size_t length = strcspn(text, ": \t");
    return length && text[length] == ':' && !*skip_space(text + length + 1);
}

static bool keep(struct expander *x) {
    struct line_text *braced = &x->scratch[0], *named = &x->scratch[1];
    if (!expand_braces(&x->line, &x->names, braced, x->error)) return false;
    const char *text = skip_space(braced->text);
    if (is_label(text)) return keep_line(x, PROGRAM_LABEL, braced);
    if (strncmp(text, ".word ", 6) == 0) return keep_line(x, PROGRAM_WORD, braced);
    return expand_operands(braced, &x->names, named, x->error) &&
           keep_line(x, PROGRAM_INSTRUCTION, named);
}

// --- macro calls ---------------------------------------------------------------------------------

// Sets x->line to the source line `text`. In a macro's body, the call's arguments replace the
// macro's parameters.
static void load_line(struct expander *x, const char *text) {
    bool quoted = false;
    line_reset(&x->line);
    line_put(&x->line, ' ', 1); // allocates text and columns, which an empty line needs as well
    line_reset(&x->line);
    x->line.columns[0] = 1;
    for (size_t i = 0; text[i];) {
        const int column = (int)i + 1;
        const size_t length = quoted ? 0 : name_length(text + i);
        const char *argument = NULL;
        const bool modifier = i > 0 && text[i - 1] == '.';
        for (int k = 0; length && !modifier && x->call && k < x->call->macro->parameter_count;
             k++) {
            if (is_name(x->call->macro->parameters[k], text + i, length))
                argument = x->call->arguments[k];
        }
        size_t taken = length ? length : 1;
        // Letters that follow a digit belong to a number, as in 0x1f.
        if (!length && !quoted && text[i] >= '0' && text[i] <= '9')
            taken =
                strspn(text + i, "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_");
        if (text[i] == '"') quoted = !quoted;
        for (size_t k = 0; !argument && k < taken; k++)
            line_put(&x->line, text[i + k], column + (int)k);
        if (argument) line_put_text(&x->line, argument, strlen(argument), column);
        i += taken;
    }
}

// Returns the length of an argument, which ends at a comma or ) outside brackets and quotes.
static size_t argument_end(const char *text) {
    int depth = 0;
    bool quoted = false;
    size_t i = 0;
    for (; text[i]; i++) {
        if (text[i] == '"') quoted = !quoted;
        if (quoted) continue;
        if (strchr("([{", text[i])) depth++;
        if (depth == 0 && (text[i] == ',' || text[i] == ')')) break;
        if (strchr(")]}", text[i])) depth--;
    }
    return i;
}

static void put_number(struct line_text *out, int64_t value) {
    line_print(out, 1, value < 0 ? "(%" PRId64 ")" : "%" PRId64, value);
}

// Returns the text that replaces a parameter in the macro's body. An argument with a numeric value
// becomes that value. In any other argument, names of constants become their values, so that the
// macro's own constants cannot hide the caller's.
static const char *argument_text(struct expander *x, const char *text, size_t length) {
    struct line_text out = {0};
    const char *copy = arena_text(&x->names.arena, text, length);
    int64_t value;
    struct expression expression = {.at = copy, .names = &x->names};
    const bool whole = expression_number(&expression, &value) && !*skip_space(expression.at);
    if (whole) put_number(&out, value);
    bool quoted = false;
    for (size_t i = 0, taken; !whole && copy[i]; i += taken) {
        const size_t name = quoted || (i && (copy[i - 1] == '.')) ? 0 : name_length(copy + i);
        taken = name ? name : 1;
        if (copy[i] >= '0' && copy[i] <= '9') taken = strspn(copy + i, "0123456789xabcdefABCDEF");
        if (copy[i] == '"') quoted = !quoted;
        if (name && names_number(&x->names, copy + i, name, &value)) {
            put_number(&out, value);
        } else {
            line_put_text(&out, copy + i, taken, 1);
        }
    }
    const char *result = arena_text(&x->names.arena, out.length ? out.text : "", out.length);
    line_free(&out);
    return result;
}

static bool read_arguments(struct expander *x, const struct line_text *line, size_t at,
                           struct call *call) {
    const int wanted = call->macro->parameter_count;
    const size_t open = at++;
    for (int i = 0; i < wanted; i++) {
        at = (size_t)(skip_space(line->text + at) - line->text);
        size_t length = argument_end(line->text + at);
        const char end = line->text[at + length];
        if (!end) return line_fail(line, at, x->error, "expected )");
        if (end != (i + 1 < wanted ? ',' : ')'))
            return line_fail(line, open, x->error, "expected %d arguments of %s", wanted,
                             call->macro->name);
        const size_t next = at + length + 1;
        while (length && strchr(" \t", line->text[at + length - 1])) length--;
        if (!length) return line_fail(line, at, x->error, "expected an argument");
        call->arguments[i] = argument_text(x, line->text + at, length);
        at = next;
    }
    at = (size_t)(skip_space(line->text + at) - line->text);
    if (!wanted && line->text[at++] != ')')
        return line_fail(line, open, x->error, "expected no arguments of %s", call->macro->name);
    at = (size_t)(skip_space(line->text + at) - line->text);
    return !line->text[at] || line_fail(line, at, x->error, "expected the end of the line");
}

static bool call_macro(struct expander *x, const struct macro *macro, size_t open) {
    struct call *call = arena_take(&x->program->arena, sizeof *call), *const caller = x->call;
    const size_t constants = x->names.constant_count;
    struct line_text *braced = &x->scratch[0];
    *call = (struct call){{caller ? &caller->call : NULL, NULL, x->number}, macro, {NULL}};
    call->call.name = arena_text(&x->program->arena, macro->name, strlen(macro->name));
    if (x->names.depth == MAX_CALLS)
        return expand_failed(x, 0, "macro calls run away: more than %d in one", MAX_CALLS);
    // `open` stays the position of the parenthesis, because only text behind it can have braces.
    if (!expand_braces(&x->line, &x->names, braced, x->error)) return false;
    if (!read_arguments(x, braced, open, call)) return false;
    x->call = call;
    x->names.depth++;
    const bool good = run(x, macro->line + 1, x->lines[macro->line].end);
    if (!good) return false;
    x->names.depth--;
    names_leave(&x->names, constants);
    x->call = caller;
    return true;
}

static bool try_macro(struct expander *x, bool *done) {
    const size_t start = expand_skip(x, 0), length = name_length(x->line.text + start);
    *done = length && x->line.text[start + length] == '(';
    if (!*done) return true;
    const struct macro *macro = find_macro(x, x->line.text + start, length);
    if (macro) return call_macro(x, macro, start + length);
    return expand_failed(x, start, "no macro %.*s: expected a .macro of it before", (int)length,
                         x->line.text + start);
}

// --- blocks and directives -----------------------------------------------------------------------

struct line_range {
    char name[64];
    int64_t first, last, step;
};

static bool read_range(struct expander *x, size_t at, struct line_range *range) {
    at = expand_skip(x, at);
    const size_t length = name_length(x->line.text + at);
    if (!length || length >= sizeof range->name) return expand_failed(x, at, "expected a name");
    memcpy(range->name, x->line.text + at, length);
    range->name[length] = 0;
    range->step = 1;
    at = expand_skip(x, at + length);
    if (x->line.text[at] != '=') return expand_failed(x, at, "expected =");
    ++at;
    if (!line_number(&x->line, &at, &x->names, &range->first, x->error)) return false;
    at = expand_skip(x, at);
    if (strncmp(x->line.text + at, "..", 2) != 0)
        return expand_failed(x, at, "expected .. and the last value");
    at += 2;
    if (!line_number(&x->line, &at, &x->names, &range->last, x->error)) return false;
    at = expand_skip(x, at);
    if (strncmp(x->line.text + at, "step ", 5) == 0) {
        const size_t step = at + 5;
        at = step;
        if (!line_number(&x->line, &at, &x->names, &range->step, x->error)) return false;
        if (range->step == 0) return expand_failed(x, step, "expected a step that is not 0");
    }
    return expand_end(x, at);
}

static bool run_for(struct expander *x, size_t at) {
    const int line = x->number - 1;
    struct line_range range;
    if (!read_range(x, at, &range)) return false;
    int64_t value = range.first;
    const size_t where = names_bind(&x->names, range.name, strlen(range.name), value);
    while (range.step > 0 ? value <= range.last : value >= range.last) {
        x->names.constants[where].value = value;
        if (!count_work(x) || !run(x, line + 1, x->lines[line].end)) return false;
        if (__builtin_add_overflow(value, range.step, &value)) break;
    }
    names_unbind(&x->names, where);
    return true;
}

// Executes the lines of the first branch whose condition is true.
static bool run_if(struct expander *x, size_t at) {
    const int line = x->number - 1, end = x->lines[line].end;
    for (int branch = line;;) {
        int64_t holds = 1;
        const int next = x->lines[branch].next;
        if (branch != line) {
            x->number = branch + 1;
            load_line(x, x->lines[branch].text);
            at = expand_skip(x, 0) + 5; // .elif and .else have five characters each
        }
        const bool otherwise = is_directive(x->lines[branch].text, ".else");
        if (!otherwise && !line_number(&x->line, &at, &x->names, &holds, x->error)) return false;
        if (!expand_end(x, at)) return false;
        if (holds) return run(x, branch + 1, next);
        if (next == end) return true;
        branch = next;
    }
}

static const struct {
    const char *name;
    bool (*obey)(struct expander *x, size_t at);
    bool braces; // true if obey() must first replace {EXPR} in the line
} directives[] = {
    {".for", run_for, false},
    {".if", run_if, false},
    {".let", obey_let, false},
    {".def", obey_def, false},
    {".macro", obey_macro, false},
    {".error", obey_error, false},
    {".kernel", obey_kernel, true},
    {".threads", obey_threads, false},
    {".shared", obey_shared, false},
    {".registers", obey_registers, false},
    {".param", obey_param, false},
    {".global", obey_global, false},
    {".scoreboards", obey_scoreboards, false},
    {".reg", obey_reg, true},
    {".ureg", obey_ureg, true},
    {".pred", obey_pred, true},
    {".upred", obey_upred, true},
    {".free", obey_free, true},
};

static bool unknown_directive(struct expander *x, size_t start) {
    const char *const text = x->line.text + start;
    struct near near = {.word = text, .length = strcspn(text, " \t")};
    for (size_t i = 0; i < sizeof directives / sizeof *directives; i++)
        near_offer(&near, directives[i].name, strlen(directives[i].name));
    return line_fail(&x->line, start, x->error,
                     near.best ? "unknown directive: did you mean %s?"
                               : "unknown directive: expected .kernel, .reg, .let, .for, .if, "
                                 ".macro ...",
                     near.best);
}

static bool obey(struct expander *x, bool *done) {
    const size_t start = expand_skip(x, 0);
    *done = false;
    for (size_t i = 0; x->line.text[start] == '.' && i < sizeof directives / sizeof *directives;
         i++) {
        if (!is_directive(x->line.text + start, directives[i].name)) continue;
        *done = true;
        if (directives[i].braces) {
            struct line_text *braced = &x->scratch[0];
            if (!expand_braces(&x->line, &x->names, braced, x->error)) return false;
            line_reset(&x->line);
            line_copy(&x->line, braced, 0, braced->length);
        }
        return directives[i].obey(x, start + strlen(directives[i].name));
    }
    return x->line.text[start] != '.' || is_label(x->line.text + start) ||
           is_directive(x->line.text + start, ".word") || unknown_directive(x, start);
}

static bool run(struct expander *x, int first, int last) {
    for (int i = first; i < last; i++) {
        bool done;
        x->number = i + 1;
        if (!count_work(x)) return false;
        load_line(x, x->lines[i].text);
        if (sass_is_foreign(x->lines[i].text, x->error)) return false;
        const size_t start = expand_skip(x, 0);
        if (!x->line.text[start]) continue;
        if (!obey(x, &done)) return false;
        if (!done && !try_macro(x, &done)) return false;
        if (!done && !keep(x)) return false;
        if (x->lines[i].end > 0) i = x->lines[i].end;
    }
    return true;
}

// --- the whole source ----------------------------------------------------------------------------

static bool define(struct expander *x, const char *text) {
    const size_t length = name_length(text);
    int64_t value;
    struct expression expression = {.at = text + length + 1, .names = &x->names};
    if (!length || text[length] != '=')
        return error_fail(x->error, "-D %.80s: expected NAME=VALUE", text);
    if (!expression_number(&expression, &value))
        return error_fail(x->error, "-D %.80s: %.200s", text, expression.message);
    if (*skip_space(expression.at))
        return error_fail(x->error, "-D %.80s: expected NAME=VALUE, a number", text);
    return names_let(&x->names, text, length, value), true;
}

// Defines c[block] and c[grid] (the dimensions x, y, z) and c[descriptor] (describes global memory;
// not on Turing). Their offsets in constant bank 0 depend on the chip.
static void name_launch(struct expander *x) {
    const struct sass_chip *chip = x->program->chip;
    const struct sass_bank0 *at = chip->bank0;
    const struct parameter words[LAUNCH_WORDS] = {
        {.name = "block", .offset = at->block_dim, .size = 12},
        {.name = "grid", .offset = at->grid_dim, .size = 12},
        {.name = "descriptor",
         .offset = at->descriptor,
         .size = chip->generation == SASS_TURING ? 0 : 8}};
    memcpy(x->names.launch, words, sizeof words);
}

// Rejects output of `sass dis` without an added .param, .shared or .threads line: `sass dis` prints
// them at most in a comment, and without them the kernel would be a different one.
static bool check_disassembled(const struct program_kernel *k, struct error *error) {
    if (!k->disassembled || k->parameter_count || k->shared_bytes || k->threads) return true;
    error->line = k->line;
    error->column = 1;
    return error_fail(error, "expected .param, .shared and .threads lines: sass dis's text does "
                             "not have them. To put it back into its cubin: sass asm FILE.sass "
                             "--into FILE.cubin");
}

static bool expand_all(struct expander *x, const char *source, const struct program_define *defines,
                       int count) {
    for (int i = 0; i < count; i++) {
        x->error->misuse = !define(x, defines[i].text);
        if (x->error->misuse) return false;
    }
    names_let(&x->names, "ARCH", strlen("ARCH"), x->program->chip->capability);
    names_let(&x->names, "SMS", strlen("SMS"), x->program->chip->most_sms);
    name_launch(x);
    if (!split_lines(x, source) || !match_blocks(x)) return false;
    if (!run(x, 0, x->line_count)) {
        x->error->line = x->number;
        program_place_calls(x->call ? &x->call->call : NULL, x->error);
        return false;
    }
    for (size_t i = 0; i < x->program->kernel_count; i++)
        if (!check_disassembled(&x->program->kernels[i], x->error)) return false;
    return x->program->kernel_count || error_fail(x->error, "expected a .kernel line in it");
}

bool program_expand(const char *source, const struct program_define *defines, int define_count,
                    struct asm_program *out, struct error *error) {
    struct expander x = {.program = out, .error = error};
    error->line = error->column = 0;
    error->context[0] = 0;
    const bool good = expand_all(&x, source, defines, define_count);
    for (int i = 0; i < 2; i++) line_free(&x.scratch[i]);
    line_free(&x.line);
    names_clear(&x.names);
    free(x.lines);
    free(x.macros);
    if (!good) program_clear(out);
    return good;
}
