// An error, described in one line for the user.
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct error {
    char message[512]; // a single line
    bool misuse;       // true if the user's request is invalid: an option, an argument or a -D

    // --- the place, if the message refers to one
    uint64_t offset;  // byte offset in the code or file
    int line, column; // position in a text, from 1; 0 if unknown
    // the macro calls around the line: "in NAME(...), called from line 7"; "" if there are none
    char context[160];

    // --- a launch in the simulator
    // kind of the launch's first finding, for example "race"; NULL if there is no finding
    const char *report;
    bool printed; // true if the error was printed already, as a finding
    int code; // CUDA driver's error code if the launch is impossible, for example 701; otherwise 0
    char remedy[200]; // what to do; "" if unknown
};

// Sets the message and `misuse` only. Always returns false.
bool error_say(struct error *error, bool misuse, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
#define error_fail(error, ...)   error_say(error, false, __VA_ARGS__)
#define error_refuse(error, ...) error_say(error, true, __VA_ARGS__)
