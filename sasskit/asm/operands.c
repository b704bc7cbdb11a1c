// Replaces names and expressions in the operands of an instruction by numbers, numbered registers
// and c[BANK][OFFSET].
//
// The mnemonic and everything after a dot (modifiers, .reuse, .64) stay unchanged. A name that is
// neither declared nor predefined is an error.
#include "operands.h"

#include "base/near.h"
#include "expression.h"
#include "isa/codec.h"
#include "isa/encoding.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// --- expressions ---------------------------------------------------------------------------------

static bool expression_failed(const struct line_text *line, const struct expression *expression,
                              struct error *error) {
    return line_fail(line, (size_t)(expression->where - line->text), error, "%s",
                     expression->message);
}

bool line_number(const struct line_text *line, size_t *at, struct names *names, int64_t *value,
                 struct error *error) {
    struct expression expression = {.at = line->text + *at, .names = names};
    if (!expression_number(&expression, value)) return expression_failed(line, &expression, error);
    *at = (size_t)(expression.at - line->text);
    return true;
}

// Returns true if the brace at `at` begins a set of scoreboards, such as {5,4,3}.
static bool is_set(const struct line_text *line, size_t at) {
    const size_t digits = strspn(line->text + at + 1, "0123456789,");
    if (line->text[at + 1 + digits] != '}') return false;
    return memchr(line->text + at + 1, ',', digits) || strstr(line->text, "DEPBAR");
}

static bool put_braces(const struct line_text *line, size_t *at, struct names *names,
                       struct line_text *out, struct error *error) {
    const size_t start = *at;
    const int column = line->columns[start];
    struct expression expression = {.at = line->text + start + 1, .names = names};
    struct value value;
    if (!expression_value(&expression, &value)) return expression_failed(line, &expression, error);
    const char *end = skip_space(expression.at);
    if (*end != '}')
        return line_fail(line, (size_t)(end - line->text), error, "expected } of the { before");
    *at = (size_t)(end - line->text) + 1;
    if (value.text)
        line_put_text(out, value.text, value.length, column);
    else
        line_print(out, column, "%" PRId64, value.number);
    return true;
}

bool expand_braces(const struct line_text *line, struct names *names, struct line_text *out,
                   struct error *error) {
    line_reset(out);
    for (size_t at = 0; at < line->length;) {
        if (line->text[at] == '{' && !is_set(line, at)) {
            if (!put_braces(line, &at, names, out, error)) return false;
        } else {
            line_put(out, line->text[at], line->columns[at]);
            at++;
        }
    }
    return true;
}

struct scan {
    const struct line_text *line;
    size_t at;
    struct names *names;
    struct line_text *out;
    struct error *error;
};

static void put_number(struct scan *scan, int64_t value, int column) {
    struct line_text *out = scan->out;
    // An operand has one sign at most: in -(EXPR) with a negative value, both signs vanish.
    if (value < 0 && value > INT64_MIN && out->length && out->text[out->length - 1] == '-') {
        out->length--;
        value = -value;
    }
    line_print(out, column, "%" PRId64, value);
}

// --- registers -----------------------------------------------------------------------------------

size_t register_literal(const char *text, enum register_file *file, long *number) {
    const bool uniform = text[0] == 'U';
    const char letter = text[uniform];
    const size_t digits = strspn(text + uniform + 1, "0123456789"), length = uniform + 1 + digits;
    if ((letter != 'R' && letter != 'P') || digits == 0 || digits > 9 ||
        name_length(text) != length)
        return 0;
    *file = letter == 'R' ? (uniform ? FILE_UR : FILE_R) : (uniform ? FILE_UP : FILE_P);
    *number = strtol(text + uniform + 1, NULL, 10);
    return length;
}

static bool check_index(const struct line_text *line, size_t start,
                        const struct register_name *item, int64_t index, struct error *error) {
    if (index >= 0 && index < item->count) return true;
    return line_fail(line, start, error, "expected an index of %s from 0 to %d, not %lld",
                     item->name, item->count - 1, (long long)index);
}

// Parses NAME or NAME[EXPR] at *at. Sets *number to the register's number.
static bool named_register(const struct line_text *line, size_t *at,
                           const struct register_name *item, struct names *names, int *number,
                           struct error *error) {
    const size_t bracket = *at + strlen(item->name);
    int64_t index = 0;
    if (!item->range) {
        *at = bracket;
        *number = item->first;
        return line->text[bracket] != '[' ||
               line_fail(line, bracket, error, "%s is one register: expected no index", item->name);
    }
    if (line->text[bracket] != '[')
        return line_fail(line, *at, error, "%s names %d registers: expected %s[0] to %s[%d]",
                         item->name, item->count, item->name, item->name, item->count - 1);
    *at = bracket + 1;
    if (!line_number(line, at, names, &index, error)) return false;
    *at = (size_t)(skip_space(line->text + *at) - line->text);
    if (line->text[*at] != ']') return line_fail(line, *at, error, "expected ] of the index");
    ++*at;
    *number = item->first + (int)(index >= 0 && index < item->count ? index : 0) * item->step;
    return check_index(line, bracket + 1, item, index, error);
}

bool line_register(const struct line_text *line, size_t *at, struct names *names,
                   struct register_place *place, struct error *error) {
    const char *text = line->text + *at;
    long number = 0;
    place->step = 1;
    const size_t literal = register_literal(text, &place->file, &number),
                 length = name_length(text);
    const struct register_name *item = names_register(names, text, length);
    if (literal) {
        place->number = (int)number;
        if (number >= file_size(place->file))
            return line_fail(line, *at, error, "expected %s0 to %s%d", file_prefix(place->file),
                             file_prefix(place->file), file_size(place->file) - 1);
        *at += literal;
        return true;
    }
    if (!length || !item)
        return line_fail(line, *at, error,
                         "expected a register: R12, UR4, P0, UP0 or a name of one");
    place->file = item->file;
    place->step = item->step;
    return named_register(line, at, item, names, &place->number, error);
}

static bool put_literal(struct scan *scan, size_t length, enum register_file file, long number) {
    const size_t start = scan->at;
    const char *prefix = file_prefix(file);
    // Some chips have fewer UR registers than this limit; the encoder rejects the others.
    if (number >= (file == FILE_UR ? SASS_URZ : file_size(file)))
        return line_fail(scan->line, start, scan->error,
                         "register out of range: expected %s0 to %s%d or %s%s", prefix, prefix,
                         file_size(file) - 1, prefix,
                         file == FILE_R || file == FILE_UR ? "Z" : "T");
    const struct register_name *owner = names_placed_at(scan->names, file, (int)number);
    if (owner)
        return line_fail(scan->line, start, scan->error,
                         "%s%ld was given to %s: use that name, or place %s yourself (.reg %s = "
                         "R40)",
                         prefix, number, owner->name, owner->name, owner->name);
    scan->names->literal[file][number] = true;
    scan->at += length;
    line_copy(scan->out, scan->line, start, length);
    return true;
}

// --- constants and parameters --------------------------------------------------------------------

// Replaces c[EXPR], such as c[n] or c[n + 4] of a parameter n, by c[BANK][OFFSET]. Leaves
// c[0x0][...] unchanged and sets *done to false.
static bool put_constant(struct scan *scan, bool *done) {
    const struct line_text *line = scan->line;
    const int column = line->columns[scan->at];
    const char *close = strchr(line->text + scan->at, ']');
    size_t at = scan->at + 2;
    int64_t offset;
    *done = false;
    if (!close || close[1] == '[') return true;
    const size_t length = name_length(line->text + at);
    const struct parameter *parameter = names_parameter(scan->names, line->text + at, length);
    if (length && !parameter)
        return line_fail(line, at, scan->error, "no parameter %.*s: expected a .param of it before",
                         (int)length, line->text + at);
    const size_t start = at;
    if (!line_number(line, &at, scan->names, &offset, scan->error)) return false;
    if (line->text[at] != ']') return line_fail(line, at, scan->error, "expected ]");
    if (parameter && (offset < parameter->offset || offset >= parameter->offset + parameter->size))
        return line_fail(line, start, scan->error, "%s has %d bytes: expected an offset below that",
                         parameter->name, parameter->size);
    scan->at = at + 1;
    *done = true;
    line_print(scan->out, column, "c[0x%x][0x%" PRIx64 "]",
               parameter ? (unsigned)parameter->bank : 0, (uint64_t)offset);
    return true;
}

// Returns true for a predefined name that is no numbered register, such as RZ, INF or SR_LANEID.
static bool is_machine_name(const char *text, size_t length) {
    static const char *const names[] = {"RZ",   "URZ",  "PT",   "UPT",   "PR",   "UPR", "INF",
                                        "QNAN", "SNAN", "desc", "gdesc", "gsb0", "c"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (is_name(names[i], text, length)) return true;
    }
    for (unsigned i = 16; i < 64; i++) {
        const char *name = convergence_name(i);
        if (name && is_name(name, text, length)) return true;
    }
    const size_t letters = text[0] == 'S' ? strspn(text, "SBR") : strspn(text, "B");
    if (letters && letters < length && letters + strspn(text + letters, "0123456789") == length)
        return true;
    size_t dotted = length;
    while (isalnum((unsigned char)text[dotted]) || text[dotted] == '_' || text[dotted] == '.')
        dotted++;
    return special_number(text, dotted) >= 0 || special_number(text, length) >= 0;
}

// Returns the name that is most similar to an undefined one.
static struct near nearest_name(const struct names *names, const char *text, size_t length) {
    struct near near = {.word = text, .length = length};
    for (size_t i = 0; i < names->register_count; i++)
        near_offer(&near, names->registers[i].name, strlen(names->registers[i].name));
    for (size_t i = 0; i < names->constant_count; i++)
        near_offer(&near, names->constants[i].name, strlen(names->constants[i].name));
    while (text[near.length] == '.' || name_length(text + near.length)) near.length++;
    for (unsigned i = 0; i < 256; i++) {
        const char *const name = special_name(i);
        if (name) near_offer(&near, name, strlen(name));
    }
    return near;
}

// Reports a name that stands for nothing.
static bool undefined_name(const struct scan *scan, size_t length) {
    const char *const text = scan->line->text + scan->at;
    enum { MOST = 40 };
    char meant[MOST + 8] = "";
    enum register_file file;
    long number;
    struct near near = nearest_name(scan->names, text, length);
    const int whole = (int)(near.length < MOST ? near.length : MOST);
    if (sass_is_mnemonic(text))
        return line_fail(scan->line, scan->at, scan->error,
                         "expected %.*s first in its line: only a control field (--:-:-:-:1) and a "
                         "guard (@P0) may stand before it, and a label has its own line",
                         (int)length, text);
    for (int i = 0; i < whole; i++) meant[i] = (char)toupper((unsigned char)text[i]);
    if (register_literal(meant, &file, &number) || special_number(meant, (size_t)whole) >= 0)
        near.best = meant;
    if (!near.best) {
        snprintf(meant, sizeof meant, "SR_%.*s", whole, text);
        if (strncmp(skip_space(scan->line->text), "BRA", 3) == 0)
            snprintf(meant, sizeof meant, "`(%.*s)", whole, text);
        else if (strspn(text, "0123456789abcdefABCDEF") == length)
            snprintf(meant, sizeof meant, "0x%.*s", whole, text);
        else if (special_number(meant, strlen(meant)) < 0)
            meant[0] = '\0';
    }
    const char *const best = near.best ? near.best : meant;
    return line_fail(scan->line, scan->at, scan->error,
                     *best ? "undefined name %.*s: did you mean %s?"
                           : "undefined name %.*s: expected a register, a .reg, .let or .param",
                     (int)length, text, best);
}

static bool put_name(struct scan *scan, size_t length) {
    const struct line_text *line = scan->line;
    const char *text = line->text + scan->at;
    const int column = line->columns[scan->at];
    enum register_file file;
    long literal;
    int number;
    int64_t value;
    bool done = false;
    const struct register_name *item = names_register(scan->names, text, length);
    if (length == 1 && text[0] == 'c' && text[1] == '[' && (!put_constant(scan, &done) || done))
        return done;
    if (item) {
        if (!named_register(line, &scan->at, item, scan->names, &number, scan->error)) return false;
        line_print(scan->out, column, "%s%d", file_prefix(item->file), number);
        return true;
    }
    const struct parameter *parameter = names_parameter(scan->names, text, length);
    if (names_number(scan->names, text, length, &value) ||
        (parameter && (value = parameter->offset, true))) {
        scan->at += length;
        put_number(scan, value, column);
        return true;
    }
    if (register_literal(text, &file, &literal)) return put_literal(scan, length, file, literal);
    if (!is_machine_name(text, length)) return undefined_name(scan, length);
    scan->at += length;
    line_copy(scan->out, line, (size_t)(text - line->text), length);
    return true;
}

// --- the line ------------------------------------------------------------------------------------

static void copy_while(struct scan *scan, bool (*more)(char)) {
    const size_t start = scan->at;
    while (scan->line->text[scan->at] && more(scan->line->text[scan->at])) scan->at++;
    line_copy(scan->out, scan->line, start, scan->at - start);
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t';
}

static bool is_dark(char c) {
    return !is_blank(c);
}

static bool is_word(char c) {
    return isalnum((unsigned char)c) || c == '_' || c == '.';
}

static bool before_parenthesis(char c) {
    return c != ')';
}

static bool put_expression(struct scan *scan) {
    const int column = scan->line->columns[scan->at];
    int64_t value;
    size_t at = scan->at + 1;
    if (!line_number(scan->line, &at, scan->names, &value, scan->error)) return false;
    at = (size_t)(skip_space(scan->line->text + at) - scan->line->text);
    if (scan->line->text[at] != ')') return line_fail(scan->line, at, scan->error, "expected )");
    scan->at = at + 1;
    put_number(scan, value, column);
    return true;
}

// Replaces NAME in a guard, @NAME or @!NAME. @P0 stays unchanged.
static bool put_guard(struct scan *scan) {
    const char *text = scan->line->text + scan->at;
    if (*text != '@') return true;
    const size_t signs = text[1] == '!' ? 2 : 1;
    line_copy(scan->out, scan->line, scan->at, signs);
    scan->at += signs;
    const size_t length = name_length(text + signs);
    if (length && !put_name(scan, length)) return false;
    copy_while(scan, is_blank);
    return true;
}

static bool is_comment(const char *text) {
    return *text == '#' || (text[0] == '/' && text[1] == '*');
}

static bool refuse_comment(const struct scan *scan) {
    return line_fail(scan->line, scan->at, scan->error,
                     "expected // before a comment, and a number without #");
}

static bool put_operand_part(struct scan *scan) {
    const char c = scan->line->text[scan->at];
    const size_t length = name_length(scan->line->text + scan->at);
    if (length) return put_name(scan, length);
    if (is_comment(scan->line->text + scan->at)) return refuse_comment(scan);
    if (c == '(') return put_expression(scan);
    if (c == '`')
        copy_while(scan, before_parenthesis);
    else if (isdigit((unsigned char)c) || c == '.')
        copy_while(scan, is_word);
    else
        line_put(scan->out, c, scan->line->columns[scan->at++]);
    return true;
}

bool expand_operands(const struct line_text *line, struct names *names, struct line_text *out,
                     struct error *error) {
    struct scan scan = {line, 0, names, out, error};
    line_reset(out);
    copy_while(&scan, is_blank);
    const char *text = line->text + scan.at;
    if (is_comment(text)) return refuse_comment(&scan);
    if (text[0] && text[1] && text[2] == ':') { // copies the control column
        copy_while(&scan, is_dark);
        copy_while(&scan, is_blank);
    }
    if (!put_guard(&scan)) return false;
    copy_while(&scan, is_dark);
    while (scan.at < line->length) {
        if (!put_operand_part(&scan)) return false;
    }
    return true;
}
