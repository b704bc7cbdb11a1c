// The channel carries a program's findings: text for people, JSON lines for programs
// (docs/json.md). A process has one channel.
#pragma once

#include "json.h"

#include <stddef.h>

// Opens the channel. Requires: the first call of a program that has --json. path: NULL without that
// option; "": JSON lines go to the standard output and text is left out; otherwise the lines go to
// this file. Returns false with one line in `message`.
bool channel_open(const char *program, const char *path, char *message, size_t size);
// Prints the line `end` and closes the channel. Returns the status.
int channel_close(int status);

// Returns NULL if no JSON lines are wanted.
FILE *channel_json(void);
// Returns true if text is wanted.
bool channel_text(void);
const char *channel_program(void);
// Begins a line of this type. Requires: channel_json() is not NULL.
struct json channel_line(const char *type);
// Counts a finding for the line `end`.
void channel_count(bool is_warning);

// An error of the program itself, the line `error`. kind: "usage", "refused", "file", "syntax" or
// "failed". code: the driver's; 0 if none. file, text, context and remedy may be NULL; line 0:
// none.
struct channel_error {
    const char *kind, *message, *file, *text, *context, *remedy;
    int code, line, column;
};
void channel_error(const struct channel_error *error);
// Prints the line `note`.
void channel_note(const char *kind, const char *message);
