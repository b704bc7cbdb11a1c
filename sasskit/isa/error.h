// What is wrong with a text, a word or a file, as one line and its place.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sass_error {
    char message[320]; // a single line
    uint64_t offset;   // byte in the code or file; only if the message refers to it
    int line, column;  // position in a text, from 1; 0: none
    // "in NAME(...), called from line 7": the macro calls around the line; "": none
    char context[160];
    bool misuse; // the command line (-D) is wrong
};
