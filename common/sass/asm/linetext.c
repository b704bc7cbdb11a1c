// One line of source: characters with their columns.
#include "linetext.h"

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
