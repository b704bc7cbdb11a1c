// One line of source: characters with their columns.
#include "linetext.h"

#include "expression.h"
#include "sass/isa/encoding.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool line_put(struct line_text *line, char character, int column) {
    if (line->length + 1 >= line->room) {
        const size_t room = line->room ? 2 * line->room : 128;
        char *text = realloc(line->text, room);
        if (text) line->text = text;
        int *columns = text ? realloc(line->columns, room * sizeof *columns) : NULL;
        if (!columns) return false;
        line->columns = columns;
        line->room = room;
    }
    line->text[line->length] = character;
    line->columns[line->length++] = column;
    line->text[line->length] = 0;
    line->columns[line->length] = column + 1;
    return true;
}

bool line_put_text(struct line_text *line, const char *text, size_t length, int column) {
    for (size_t i = 0; i < length; i++) {
        if (!line_put(line, text[i], column)) return false;
    }
    return true;
}

bool line_copy(struct line_text *line, const struct line_text *from, size_t first, size_t length) {
    for (size_t i = first; i < first + length; i++) {
        if (!line_put(line, from->text[i], from->columns[i])) return false;
    }
    return true;
}

void line_reset(struct line_text *line) {
    line->length = 0;
    if (line->room) line->text[0] = 0;
}

void line_free(struct line_text *line) {
    free(line->text);
    free(line->columns);
    *line = (struct line_text){0};
}

bool line_fail(const struct line_text *line, size_t at, struct sass_error *error, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    error->column = line->room && at <= line->length ? line->columns[at] : 1;
    vsnprintf(error->message, sizeof error->message, format, arguments);
    va_end(arguments);
    return false;
}

static bool expression_failed(const struct line_text *line, const struct expression *expression,
                              struct sass_error *error) {
    return line_fail(line, (size_t)(expression->where - line->text), error, "%s", expression->message);
}

bool line_number(const struct line_text *line, size_t *at, struct names *names, int64_t *value,
                 struct sass_error *error) {
    struct expression expression = {.at = line->text + *at, .names = names};
    if (!expression_number(&expression, value)) return expression_failed(line, &expression, error);
    *at = (size_t)(expression.at - line->text);
    return true;
}

// {5,4,3}: a set in the instruction's own text.
static bool is_set(const struct line_text *line, size_t at) {
    const size_t digits = strspn(line->text + at + 1, "0123456789,");
    if (line->text[at + 1 + digits] != '}') return false;
    return memchr(line->text + at + 1, ',', digits) || strstr(line->text, "DEPBAR");
}

static bool put_braces(const struct line_text *line, size_t *at, struct names *names, struct line_text *out,
                       struct sass_error *error) {
    const size_t start = *at;
    const int column = line->columns[start];
    struct expression expression = {.at = line->text + start + 1, .names = names};
    struct value value;
    char digits[32];
    if (!expression_value(&expression, &value)) return expression_failed(line, &expression, error);
    const char *end = skip_space(expression.at);
    if (*end != '}') return line_fail(line, (size_t)(end - line->text), error, "expected } of the { before");
    *at = (size_t)(end - line->text) + 1;
    snprintf(digits, sizeof digits, "%lld", (long long)value.number);
    const char *text = value.text ? value.text : digits;
    return line_put_text(out, text, value.text ? value.length : strlen(digits), column) ||
           sass_fail(error, "out of memory");
}

bool expand_braces(const struct line_text *line, struct names *names, struct line_text *out, struct sass_error *error) {
    line_reset(out);
    for (size_t at = 0; at < line->length;) {
        if (line->text[at] == '{' && !is_set(line, at)) {
            if (!put_braces(line, &at, names, out, error)) return false;
        } else if (!line_put(out, line->text[at], line->columns[at])) {
            return sass_fail(error, "out of memory");
        } else {
            at++;
        }
    }
    return true;
}

size_t register_literal(const char *text, enum register_file *file, long *number) {
    const bool uniform = text[0] == 'U';
    const char letter = text[uniform];
    const size_t digits = strspn(text + uniform + 1, "0123456789"), length = uniform + 1 + digits;
    if ((letter != 'R' && letter != 'P') || digits == 0 || digits > 9 || name_length(text) != length) return 0;
    *file = letter == 'R' ? (uniform ? FILE_UR : FILE_R) : (uniform ? FILE_UP : FILE_P);
    *number = strtol(text + uniform + 1, NULL, 10);
    return length;
}
