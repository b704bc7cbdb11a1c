// A finding: something that a kernel did or that its code does, with both places, what was expected, its cause and its remedy. Data
// first (docs/json.md, line `report`); the text for people is made from it.
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum severity { SEVERITY_ERROR, SEVERITY_WARNING, SEVERITY_NOTE };

enum { NOBODY_KNOWN = -1 };

// An instruction, its source lines, and who executed it.
struct code_place {
    bool known;
    uint32_t address; // in the kernel, bytes
    char instruction[256];
    const char *file, *inlined_file,
        *sass_file; // CUDA source; where a function is inlined, the other line; NULL: not known
    uint32_t line, inlined_line, sass_line;
    const char *action; // "reads", "writes", ...; NULL
    int warp, lane;     // NOBODY_KNOWN
    bool has_block;
    uint32_t block[3];
};

struct quantity { // unit NULL: nothing was expected
    long long value;
    const char *unit;
};

struct finding {
    int id, caused_by, merged; // caused_by: id of the finding whose cause explains this one, 0 none
    const char *kind;
    enum severity severity;
    char message[1024];
    const char *kernel;
    bool has_block, has_thread;
    uint32_t block[3], thread[3];
    int warp; // NOBODY_KNOWN
    struct code_place place, other;
    const char *space; // of memory; NULL: none is concerned
    uint64_t at;
    uint32_t bytes;
    int argument; // of the nearest allocation; NOBODY_KNOWN
    struct quantity expected, actual;
    uint64_t repeats;
    const char *rule; // NULL: the cause is not known
    char cause[560], remedy[320];
    struct code_place cause_place;
};

struct json;
void place_to_json(struct json *j, const char *name,
                   const struct code_place *place); // a member; null where it is not known
// One JSON line.
void finding_to_json(const struct finding *f);
// For people: what happened, an excerpt of the source with a caret, cause and remedy, in 100 columns; in colour where `file` is a
// terminal and NO_COLOR is not set. Nothing for a finding that another one explains.
void finding_to_text(const struct finding *f, FILE *file);
// Numbers findings of the process from 1 on.
int finding_new_id(void);
// To whichever the channel wants; text goes to standard error. The channel counts it.
void finding_print(const struct finding *f);

// The line of a file, without blanks at its end; NULL: the file cannot be read or has no such line. Valid until the next call but seven.
const char *source_line(const char *file, uint32_t line);
// The first and the length of what a caret should mark on a line: an element access that both lines have, else the statement.
void source_mark(const char *line, const char *other, bool writes, int *from, int *length);
// The name of the array that is accessed on both lines (or on the one, other NULL), for "As[..]"; false: there is none.
bool source_name(const char *line, const char *other, char *name, size_t size);
