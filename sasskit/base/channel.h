// The channel carries a program's findings, as text for people and as JSON lines for programs
// (docs/json.md). A process has one channel.
#pragma once

#include "json.h"

#include <stddef.h>

// Opens the channel. Requires: it is the first call of a program that has the option --json. `path`
// is NULL without that option. If it is "", JSON lines go to the standard output, and text is left
// out; otherwise the lines go to that file. Returns false with one line in `message`.
bool channel_open(const char *program, const char *path, char *message, size_t size);
// Prints the line `end` and closes the channel. Returns `status`.
int channel_close(int status);

// Returns the stream for JSON lines; NULL if none are wanted.
FILE *channel_json(void);
// Returns true if text is wanted.
bool channel_text(void);
const char *channel_program(void);
// Begins a line of this type. Requires: channel_json() is not NULL.
struct json channel_line(const char *type);
// Counts a finding for the line `end`.
void channel_count(bool is_warning);

// An error of the program itself, for the line `error`. `kind` is "usage", "refused", "file",
// "syntax" or "failed". `code` is the driver's error code, or 0. `file`, `text`, `context` and
// `remedy` may be NULL; `line` and `column` are 0 if there is none.
struct channel_error {
    const char *kind, *message, *file, *text, *context, *remedy;
    int code, line, column;
};
void channel_error(const struct channel_error *error);
// Prints the line `note`.
void channel_note(const char *kind, const char *message);
