// Writes JSON lines: one object per line (sasskit/docs/json.md). A member without a value is null,
// never 0.
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { JSON_SCHEMA = 1 };

struct json {
    FILE *file;
    bool follows; // true if the next member needs a comma before it
};

// Begins a line with the members that every line has (schema, type, program).
struct json json_begin(FILE *file, const char *program, const char *type);
void json_end(struct json *j);
// The functions below write a member of the open object; `name` is NULL in an array. json_text()
// writes null if `text` is NULL, and U+FFFD for each byte that is not valid UTF-8.
void json_text(struct json *j, const char *name, const char *text);
// Writes the number; "nan", "inf" or "-inf" if it is not finite.
void json_number(struct json *j, const char *name, double value);
void json_integer(struct json *j, const char *name, long long value);
// Writes the address as a string such as "0x700000000".
void json_address(struct json *j, const char *name, uint64_t address);
void json_bool(struct json *j, const char *name, bool value);
void json_null(struct json *j, const char *name);
void json_open(struct json *j, const char *name, char bracket); // bracket: { or [
void json_close(struct json *j, char bracket);                  // bracket: } or ]
// Writes [x, y, z], or null if `value` is NULL.
void json_triple(struct json *j, const char *name, const uint32_t value[3]);
