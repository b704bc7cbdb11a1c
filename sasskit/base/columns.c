// Breaks text for people into lines of at most 100 columns.
#include "columns.h"

#include <stdarg.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

void columns_wrap(FILE *file, const char *text, int column, int indent) {
    bool begins = true;
    while (*(text += strspn(text, " "))) {
        const int word = (int)strcspn(text, " "), room = COLUMNS - indent;
        const int shown = word > room ? room : word;
        if (column + !begins + shown > COLUMNS) {
            fprintf(file, "\n%*s", indent, "");
            column = indent;
            begins = true;
        }
        fprintf(file, "%s%.*s", begins ? "" : " ", shown, text);
        column += !begins + shown;
        begins = false;
        text += shown;
    }
    fputc('\n', file);
}

enum { INDENT = 4 };

void columns_print(FILE *file, const char *format, ...) {
    char text[2048];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (strlen(text) > COLUMNS && isatty(fileno(file)))
        columns_wrap(file, text, 0, INDENT);
    else
        fprintf(file, "%s\n", text);
}

// Returns how many of a line's `length` bytes to print before a break: at most `room` bytes.
static size_t break_at(const char *text, size_t length, size_t room) {
    if (length <= room) return length;
    size_t clause = 0, word = 0;
    for (size_t i = 1; i <= room; i++) {
        if (text[i] != ' ') continue;
        word = i;
        if (strchr(",;", text[i - 1]) || (i + 2 < length && strncmp(text + i, "  //", 4) == 0))
            clause = i;
    }
    return clause > room / 3 ? clause : word ? word : room;
}

void columns_report(FILE *file, const char *format, ...) {
    char text[2048];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    size_t indent = 0;
    for (const char *at = text; *at; indent = INDENT) {
        const size_t length = strcspn(at, "\n"), shown = break_at(at, length, COLUMNS - indent);
        fprintf(file, "%*s%.*s\n", (int)indent, "", (int)shown, at);
        at += shown;
        at += strspn(at, " \n");
    }
}
