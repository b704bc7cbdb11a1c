// Builds and copies source lines; each character keeps its source column.
#include "linetext.h"

#include "isa/arena.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void line_put(struct line_text *line, char character, int column) {
    if (line->length + 1 >= line->room) {
        line->room = line->room ? 2 * line->room : 128;
        line->text = sass_resized(line->text, line->room);
        line->columns = sass_resized(line->columns, line->room * sizeof *line->columns);
    }
    line->text[line->length] = character;
    line->columns[line->length++] = column;
    line->text[line->length] = 0;
    line->columns[line->length] = column + 1;
}

void line_put_text(struct line_text *line, const char *text, size_t length, int column) {
    for (size_t i = 0; i < length; i++) line_put(line, text[i], column);
}

void line_print(struct line_text *line, int column, const char *format, ...) {
    char text[48];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    line_put_text(line, text, strlen(text), column);
}

void line_copy(struct line_text *line, const struct line_text *from, size_t first, size_t length) {
    for (size_t i = first; i < first + length; i++) line_put(line, from->text[i], from->columns[i]);
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

bool line_fail(const struct line_text *line, size_t at, struct error *error, const char *format,
               ...) {
    va_list arguments;
    va_start(arguments, format);
    error->column = line->room && at <= line->length ? line->columns[at] : 1;
    vsnprintf(error->message, sizeof error->message, format, arguments);
    va_end(arguments);
    return false;
}
