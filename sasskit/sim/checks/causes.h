// Declares the rules that find the causes of reports, and the functions that the rules share.
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

// The functions of the rules. If the evidence shows the case in the function's row of causes.def,
// sets the finding's cause and remedy and returns true.
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

// Returns the instruction's source line; in a device function with only one call, the line of the
// call. If the line is unknown, returns the instruction's index.
uint32_t source_position(const struct program *p, uint32_t index);

// Sets text to "line 41", or to "instruction 0x490" if the line is unknown.
const char *name_position(const struct program *p, uint32_t index, char text[32]);

// Returns true if the two instructions have the same opcode and the same source position. They may
// then be copies of one instruction in an unrolled loop.
bool is_alike(const struct program *p, uint32_t index, uint32_t other);
struct code_span common_loop(const struct program *p, uint32_t a, uint32_t b);
bool is_block_barrier(const struct program *p, uint32_t index);

// Returns a barrier whose source position is from `low` to `high`; UINT32_MAX if there is none.
uint32_t barrier_between(const struct program *p, uint32_t low, uint32_t high);

// Returns a barrier in the loop whose source position is not from `low` to `high`; UINT32_MAX if
// there is none.
uint32_t barrier_around(const struct program *p, struct code_span loop, uint32_t low,
                        uint32_t high);

// Returns a barrier among the instructions `first` to `last`; UINT32_MAX if there is none.
uint32_t barrier_in(const struct program *p, uint32_t first, uint32_t last);
bool has_barrier(const struct program *p);

// Returns true if the kernel's source has a fence. A MEMBAR of scope VC does not count, because in
// unoptimised code every kernel ends with one.
bool has_fence(const struct program *p);
enum source_role role_of(const struct code_place *p);

// Sets text to "As[..]" if the array is known, else to `otherwise`.
const char *name_memory(const struct suspect *s, const char *otherwise, char text[80]);

// Returns true if the finding's array is a double buffer (source_is_double()).
bool is_double_buffer(const struct suspect *s);
void name_warp(const struct code_place *p, char text[48]);

// Returns the smallest loop that contains both instructions, or copies of them if `copies` is true.
struct code_span smallest_loop(const struct program *p, uint32_t a, uint32_t b, bool copies);

// Returns the call of the device function that contains the instruction. If there is no such
// function, or if it has no call or several, returns `index`.
uint32_t call_of(const struct program *p, uint32_t index);

// Sets finding->array to the name of the accessed array, if the source shows it: the name that the
// lines of both accesses contain. If only one line is known, it must name only one array, or only
// one __shared__ array.
void find_array(struct suspect *s);

// --- cause_conditions.c --------------------------------------------------------------------------

// Returns the guard of instruction `index`: the last exit or jump before it (or the instruction
// itself) whose predicate is computed from the thread's or block's index and can keep threads from
// executing `index`. Returns UINT32_MAX if there is none.
uint32_t find_guard(const struct program *p, uint32_t index);
bool depends_on_index(const struct program *p, uint32_t index);

// Returns the comparison that computes the guard's predicate, or `guard` if there is none. Skips
// PLOP3s, by which unoptimised code copies predicates.
uint32_t find_condition(const struct program *p, uint32_t guard);

// Returns true if the instruction compares integers by <, <=, > or >=.
bool is_range_check(const struct program *p, uint32_t index);

// Sets text to the loop's lines in the kernel's own file, or to its addresses if none is known.
void name_loop(const struct program *p, struct code_span loop, char text[64]);

// Sets finding->array to the name of parameter finding->argument, if the source line contains it.
void find_parameter(struct suspect *s);

// Corrects the message and the evidence of a wrong address whose nearest allocation was freed, or
// is not the one that the kernel's pointer points to.
void find_buffer(struct suspect *s);

// --- cause_races.c -------------------------------------------------------------------------------

void set_cause_place(struct suspect *s, uint32_t index);

// Returns true if the kernel synchronises by flags or locks: it polls, has strong loads, or uses
// results of atomics. Code of cooperative groups and pipelines does not count.
bool uses_flags(const struct program *p);

// Returns the first bar.arrive of the code; UINT32_MAX if there is none.
uint32_t find_arrival(const struct program *p);

// --- cause_addresses.c ---------------------------------------------------------------------------

void describe_guard(struct suspect *s, uint32_t guard, char where[32]);
bool is_outside_global(const struct suspect *s);

// --- cause_unwritten.c ---------------------------------------------------------------------------

bool is_shared_atomic(const struct program *p, uint32_t index);
