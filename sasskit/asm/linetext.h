// A source line during expansion: characters, each with its column in the source.
#pragma once

#include "base/error.h"

#include <stddef.h>

struct line_text {
    char *text; // NUL-terminated
    int *columns;
    size_t length, room;
};

void line_put(struct line_text *line, char character, int column);
void line_put_text(struct line_text *line, const char *text, size_t length, int column);
// Appends formatted text, at most 47 characters, all with the same column.
void line_print(struct line_text *line, int column, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void line_copy(struct line_text *line, const struct line_text *from, size_t first, size_t length);
void line_reset(struct line_text *line);
void line_free(struct line_text *line);
// Reports an error at character `at`: sets error->column and the message, returns false.
bool line_fail(const struct line_text *line, size_t at, struct error *error, const char *format,
               ...) __attribute__((format(printf, 4, 5)));
