// A finding: a fault that a kernel committed or that its code contains, with the one or two
// instructions involved, what was expected, the cause and the remedy. It is stored as data
// (sasskit/docs/json.md, line `report`), from which the text for people is made.
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum severity { SEVERITY_ERROR, SEVERITY_WARNING, SEVERITY_NOTE };

enum { NOBODY_KNOWN = -1 };

// An instruction, its source lines, and the thread that executed it.
struct code_place {
    bool known;
    uint32_t address; // byte offset of the instruction in the kernel
    char instruction[256];
    const char *file; // CUDA source, and the line in it; NULL if unknown
    uint32_t line;
    // for an instruction of an inlined function: the line in that function if it is in another file
    // than `file`, otherwise the line of the call
    const char *inlined_file;
    uint32_t inlined_line;
    const char *sass_file; // assembler source, and the line in it; NULL if unknown
    uint32_t sass_line;
    const char *action; // "reads", "writes" and so on; NULL if there is none
    int warp, lane;     // NOBODY_KNOWN if unknown
    bool has_block;
    uint32_t block[3];
};

// A quantity that was expected or found; `unit` is NULL if there is none.
struct quantity {
    long long value;
    const char *unit;
};

struct finding {
    int id;
    int caused_by; // id of the finding whose cause explains this one, or 0
    int merged;    // number of findings with the same cause that are not printed
    const char *kind;
    enum severity severity;
    char message[1024];
    const char *kernel;
    bool has_block, has_thread;
    uint32_t block[3], thread[3];
    int warp; // NOBODY_KNOWN if unknown
    struct code_place place, other;
    const char *space; // memory space; NULL if no memory is concerned
    uint64_t at;       // address in the memory space
    uint32_t bytes;    // size of the access
    char array[64];    // the array's name in the source; "" if unknown
    // index of the kernel argument that points to the nearest allocation; NOBODY_KNOWN if unknown
    int argument;
    struct quantity expected, actual;
    uint64_t repeats;
    const char *rule; // name of the rule that found the cause; NULL if the cause is unknown
    char cause[560], remedy[320];
    char also[160]; // lines of merged findings that no excerpt shows; "" if there are none
    struct code_place cause_place;
};

struct json;
// Writes a place as a member of the open JSON object; null if the place is unknown.
void place_to_json(struct json *j, const char *name, const struct code_place *place);
void finding_to_json(const struct finding *f);
// Returns the id of a new finding; ids count from 1.
int finding_new_id(void);
// Prints a finding as JSON, as text on standard error, or both, as the channel is set; counts it.
void finding_print(const struct finding *f);

// Returns a line of a file without trailing blanks; NULL if it cannot be read. The text stays valid
// during the next seven calls.
const char *source_line(const char *file, uint32_t line);
// How a statement accesses an element: `a[i] = 0` only writes it, `a[i] += 1` also reads it.
enum source_role { SOURCE_ANY, SOURCE_READS, SOURCE_WRITES };
enum { SOURCE_NAME = 64, SOURCE_NAMES = 8 };
// Sets names[] to the distinct arrays that a line accesses in this role ("As" for "As[..]").
// Returns how many there are.
int source_names(const char *line, enum source_role role, char names[SOURCE_NAMES][SOURCE_NAME]);
// How a statement changes an element: it stores a value, adds to the element, or computes the new
// value from the old one or from other elements of the array.
enum source_change {
    CHANGE_UNKNOWN,
    CHANGE_STORES,
    CHANGE_ADDS,
    CHANGE_COMPUTES,
    CHANGE_NEIGHBOURS
};
// Returns how the line changes the first element that it writes.
enum source_change source_change(const char *line);
// A vector type of CUDA that a line names, such as float4; `bytes` is 0 if it names none.
struct source_vector {
    const char *name;
    uint32_t bytes;
    int elements;
};
// Sets `name` to the name of parameter number `parameter`, from 0. `kernel` is the kernel's name in
// the cubin or the source. Returns false if the file has no such parameter.
bool source_parameter(const char *file, const char *kernel, int parameter, char name[SOURCE_NAME]);
// Returns the largest vector type that the line names; if it names none, the type with which an
// array of the line is declared.
struct source_vector source_vector(const char *file, uint32_t line);
// Returns true if a line of the file declares `name` as __shared__.
bool source_is_shared(const char *file, const char *name);
// Returns true if the array is a double buffer: the first dimension of its last declaration up to
// `line` is 2.
bool source_is_double(const char *file, const char *name, uint32_t line);
