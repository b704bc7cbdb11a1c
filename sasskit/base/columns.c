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

void columns_print(FILE *file, const char *format, ...) {
    enum { INDENT = 4 };
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
