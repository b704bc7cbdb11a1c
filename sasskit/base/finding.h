// A finding: a fault that a kernel committed or that its code contains. It has the one or two
// instructions involved, what was expected, the cause and the remedy. It is stored as data
// (sasskit/docs/json.md, line `report`); the text for people is made from it.
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
    // inlined code only, otherwise NULL: a line of the inlined function if that function is in
    // another file than `file`; the line of the call if it is in the same file
    const char *inlined_file;
    uint32_t inlined_line;
    const char *sass_file; // assembler source, and the line in it; NULL if unknown
    uint32_t sass_line;
    const char *action; // "reads", "writes" and so on; NULL if there is none
    int warp, lane;     // NOBODY_KNOWN if unknown
    bool has_block;
    uint32_t block[3];
};

// A quantity that was expected or found; `unit` is NULL if there is no quantity.
struct quantity {
    long long value;
    const char *unit;
};

struct finding {
    int id;
    int caused_by; // id of the finding whose cause explains this one, or 0
    int merged;    // number of further findings with the same cause, which are not printed
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
    uint32_t bytes;    // size of the access, in bytes
    char array[64];    // the array's name in the source; "" if unknown
    // index of the kernel argument that points to the nearest allocation, or NOBODY_KNOWN
    int argument;
    struct quantity expected, actual;
    uint64_t repeats;
    const char *rule; // name of the rule that found the cause; NULL if the cause is unknown
    char cause[560], remedy[320];
    char also[160]; // source lines of merged findings that no excerpt shows; "" if none
    struct code_place cause_place;
};

struct json;
// Writes a place as member `name` of the open JSON object; null if the place is unknown.
void place_to_json(struct json *j, const char *name, const struct code_place *place);
void finding_to_json(const struct finding *f);
// Returns the id of a new finding; ids count from 1.
int finding_new_id(void);
// Counts a finding and prints it: as JSON, as text on standard error, or both (channel.h).
void finding_print(const struct finding *f);

// Returns a line of a file without trailing blanks; NULL if it cannot be read. The text stays valid
// during the next seven calls.
const char *source_line(const char *file, uint32_t line);
// How a line accesses an array element: `a[i] = 0` only writes it, `a[i] += 1` reads and writes it.
enum source_role { SOURCE_ANY, SOURCE_READS, SOURCE_WRITES };
enum { SOURCE_NAME = 64, SOURCE_NAMES = 8 };
// Sets names[] to the arrays that a line accesses in this role, each once ("As" for `As[i]`).
// Returns their number.
int source_names(const char *line, enum source_role role, char names[SOURCE_NAMES][SOURCE_NAME]);
// How a statement changes an array element.
enum source_change {
    CHANGE_UNKNOWN,
    CHANGE_STORES,    // a[i] = x
    CHANGE_ADDS,      // a[i] += x, a[i]++, a[i] *= x, a[i] = a[i] + x
    CHANGE_COMPUTES,  // a[i] = f(a[i])
    CHANGE_NEIGHBOURS // a[i] = f(a[j]), or += f(a[j])
};
// Returns how the line changes the first array element that it writes.
enum source_change source_change(const char *line);
// A vector type of CUDA in a line, such as float4; `bytes` is 0 if there is none.
struct source_vector {
    const char *name;
    uint32_t bytes;
    int elements;
};
// Sets `name` to the name of parameter `parameter`, counted from 0. `kernel` is the kernel's name
// in the cubin or in the source. Returns false if the file has no such parameter.
bool source_parameter(const char *file, const char *kernel, int parameter, char name[SOURCE_NAME]);
// Returns the largest vector type in the line. If the line has none, returns the type with which
// one of its arrays is declared before.
struct source_vector source_vector(const char *file, uint32_t line);
// Returns true if a line of the file declares `name` as __shared__.
bool source_is_shared(const char *file, const char *name);
// Returns true if the array is a double buffer: the first dimension of its last declaration up to
// `line` is 2.
bool source_is_double(const char *file, const char *name, uint32_t line);
