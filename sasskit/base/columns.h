// Prints text for people in lines of at most 100 columns.
#pragma once

#include <stdio.h>

enum { COLUMNS = 100 };

// Prints `text`, broken between words. Its first word stands at column `column`, and further lines
// begin at column `indent`.
void columns_wrap(FILE *file, const char *text, int column, int indent);
// Prints a line. It is broken only if `file` is a terminal, because programs read other output.
void columns_print(FILE *file, const char *format, ...) __attribute__((format(printf, 2, 3)));
// Prints a report in lines of at most 100 columns, on a terminal or not. The text's newlines end
// lines. Longer lines are broken after , or ; or before "  //", otherwise between words. Lines
// after the first begin with four spaces, so that programs can join them.
void columns_report(FILE *file, const char *format, ...) __attribute__((format(printf, 2, 3)));
