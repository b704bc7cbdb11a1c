// The channel carries a program's findings, as text for people and as JSON lines for programs
// (sasskit/docs/json.md). A process has one channel.
#pragma once

#include "json.h"

#include <stddef.h>

// Opens the channel. Requires: the program has an option --json and has printed nothing yet. `path`
// is NULL without that option, "" for JSON lines on standard output and no text, otherwise the file
// for JSON lines. On failure returns false and sets `message`, one line.
bool channel_open(const char *program, const char *path, char *message, size_t size);
// Prints the JSON line of type `end` and closes the channel. Returns `status`, but 1 instead of 0
// if JSON lines could not be written.
int channel_close(int status);

// Returns the stream for JSON lines; NULL if the user wants none.
FILE *channel_json(void);
// Returns true if the user wants text.
bool channel_text(void);
const char *channel_program(void);
// Begins a JSON line of this type. Requires: channel_json() is not NULL.
struct json channel_line(const char *type);
// Counts a warning or an error; the line `end` reports both totals.
void channel_count(bool is_warning);

// An error of the program's use or run, not a fault of a kernel. `kind` is "usage", "refused",
// "file", "syntax" or "failed". `code` is the CUDA driver's error code, or 0. Texts other than
// `kind` and `message` may be NULL. `line` and `column` count from 1; 0 if unknown.
struct channel_error {
    const char *kind, *message, *file, *text, *context, *remedy;
    int code, line, column;
};
// Counts the error; prints the JSON line of type `error` if JSON lines are wanted.
void channel_error(const struct channel_error *error);
// Prints the JSON line of type `note` if JSON lines are wanted.
void channel_note(const char *kind, const char *message);
