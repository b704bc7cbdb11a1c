// The rules that find the causes of reports, and what they share.
#pragma once

#include "isa/place.h"
#include "reports.h"

// A report whose cause is looked for.
struct suspect {
    const struct scene *scene;
    struct entry *entry;
    struct finding *finding;
    const struct evidence *evidence;
    const struct program *program;
};

// Sets a text of the suspect's finding, such as its cause or remedy.
#define TEXT(s, to, ...) snprintf((s)->finding->to, sizeof(s)->finding->to, __VA_ARGS__)

// Each returns true if the evidence shows the case that its row of causes.def states, and then sets
// the finding's cause and remedy.
#define RULE(kind, name, evidence, holds) bool holds(struct suspect *s);
#include "causes.def"
#undef RULE

// --- cause_code.c --------------------------------------------------------------------------------

struct code_span {
    uint32_t first, last; // instruction indices
    bool found;
};

const struct sass_instruction *code_at(const struct program *p, uint32_t index);
bool is_opcode(const struct program *p, uint32_t index, enum sass_opcode opcode);

// Returns the instruction's source line (in a device function, the line of its only call), or the
// instruction's index if the line is unknown.
uint32_t source_position(const struct program *p, uint32_t index);

// Sets text to "line 41", or to "instruction 0x490" if the line is unknown.
const char *name_position(const struct program *p, uint32_t index, char text[32]);

// Returns true if the instruction has the opcode and the position of `other`, so that both may be
// copies of one instruction in an unrolled loop.
bool is_alike(const struct program *p, uint32_t index, uint32_t other);
struct code_span common_loop(const struct program *p, uint32_t a, uint32_t b);
bool is_block_barrier(const struct program *p, uint32_t index);

// Returns a barrier between two positions, both included; UINT32_MAX if there is none.
uint32_t barrier_between(const struct program *p, uint32_t low, uint32_t high);

// Returns a barrier that is in the loop but not between the two positions; UINT32_MAX if there is
// none.
uint32_t barrier_around(const struct program *p, struct code_span loop, uint32_t low,
                        uint32_t high);

// Returns a barrier among these instructions; UINT32_MAX if there is none.
uint32_t barrier_in(const struct program *p, uint32_t first, uint32_t last);
bool has_barrier(const struct program *p);

// Returns true if the kernel's source has a fence. Fences of scope VC do not count, because
// unoptimised code of every kernel ends with one.
bool has_fence(const struct program *p);
enum source_role role_of(const struct code_place *p);

// Sets text to "As[..]" if the array is known, else to `otherwise`.
const char *name_memory(const struct suspect *s, const char *otherwise, char text[80]);

// Returns true for a double buffer (source_is_double()).
bool is_double_buffer(const struct suspect *s);
void name_warp(const struct code_place *p, char text[48]);

// Returns the smallest loop that contains both instructions or, if `copies` is set, copies of them.
struct code_span smallest_loop(const struct program *p, uint32_t a, uint32_t b, bool copies);

// Returns the only call of the device function that contains the instruction; the instruction
// itself if there is no such function or not just one call.
uint32_t call_of(const struct program *p, uint32_t index);

// Sets finding->array to the name of the array accessed, if the source shows it: a name that the
// other access's line has, too; without that line, the only name or the only __shared__ array.
void find_array(struct suspect *s);

// --- cause_conditions.c --------------------------------------------------------------------------

// Returns the instruction whose predicate, computed from the thread's index, keeps some threads
// from executing `index`: an exit or a jump before it, or `index` itself; UINT32_MAX if there is
// none. Reads the code twice, since loops carry values into their next iteration.
uint32_t find_guard(const struct program *p, uint32_t index);
bool depends_on_index(const struct program *p, uint32_t index);

// Returns the comparison that computes the guard's predicate; its line is the condition's. Skips
// PLOP3s, by which unoptimised code copies predicates.
uint32_t find_condition(const struct program *p, uint32_t guard);

// Returns true if the instruction compares integers by <, <=, > or >=.
bool is_range_check(const struct program *p, uint32_t index);

// Sets text to the loop's lines in the kernel's own file, or to its addresses if it has none there.
void name_loop(const struct program *p, struct code_span loop, char text[64]);

// Sets finding->array to the name of parameter finding->argument, if the source line contains it.
void find_parameter(struct suspect *s);

// Corrects message and evidence if the nearest allocation is not the one that the kernel's pointer
// points to, or if the access past a buffer has reached memory that was freed.
void find_buffer(struct suspect *s);

// --- cause_races.c -------------------------------------------------------------------------------

void set_cause_place(struct suspect *s, uint32_t index);

// Returns true if the kernel synchronises by flags or locks: it polls, has strong loads, or uses
// results of atomics.
bool uses_flags(const struct program *p);

// Returns the first bar.arrive of the code; UINT32_MAX if there is none.
uint32_t find_arrival(const struct program *p);

// --- cause_addresses.c ---------------------------------------------------------------------------

void describe_guard(struct suspect *s, uint32_t guard, char where[32]);
bool is_outside_global(const struct suspect *s);

// --- cause_unwritten.c ---------------------------------------------------------------------------

bool is_shared_atomic(const struct program *p, uint32_t index);
