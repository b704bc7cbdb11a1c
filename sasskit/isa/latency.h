// Hazards: when a result may be read and when a register may be overwritten. `sass lint` and the
// simulator both judge by these rules. The assembler and the rewriter keep at least these
// distances.
//
// A distance is a number of issue cycles: the sum of the stall counts from the producer up to the
// instruction before the reader (sass_cycles() for a stall count of 0). The least distance of a
// pair has a source if it was measured or found in ptxas's code; otherwise distances.def has a
// guess.
#pragma once

#include "touches.h"

// The least stall count of an instruction that sets a scoreboard, if the next instruction waits for
// that scoreboard. After one cycle, the wait passes too early and the register is read before it is
// written (seen on an H200; nvcc always uses two).
enum { SASS_SET_CYCLES = 2 };

// Returns the least distance from a producer of fixed latency to a consumer; `read` is the
// consumer's read of the result. Returns 0 if a scoreboard protects the result, or if the distance
// has no source. Code with a shorter distance is wrong, even if it happens to work.
int sass_distance(const struct sass_instruction *producer, const struct sass_instruction *consumer,
                  const struct sass_touch *read);
// Returns a guess that is surely long enough if the pair's distance has no source; otherwise 0.
int sass_guessed_distance(const struct sass_instruction *producer,
                          const struct sass_instruction *consumer, const struct sass_touch *read);
// Returns the largest sass_distance() from a result (a predicate if `predicate`, else a register);
// for uniform predicates, it may return more. Returns 0 if a scoreboard protects the result.
int sass_longest_distance(const struct sass_instruction *producer, bool predicate);

// Return the distances that the assembler keeps between automatic lines: sass_kept_distance() to
// one reader, at least sass_distance(); sass_longest_kept() to the end of a basic block.
int sass_kept_distance(const struct sass_instruction *producer,
                       const struct sass_instruction *reader, const struct sass_touch *read);
int sass_longest_kept(const struct sass_instruction *producer, bool predicate);

// Returns true if the results have no known fixed latency on the chip, and so need a scoreboard.
bool sass_by_scoreboard(const struct sass_instruction *in);

// Row and column of distances.def: enum sass_producer and enum sass_reader (facts.h); for a
// predicate, enum sass_predicate and enum sass_predicate_reader.
struct sass_pair {
    uint8_t from, to;
};
struct sass_pair sass_pair(const struct sass_instruction *producer,
                           const struct sass_instruction *consumer, const struct sass_touch *read);

// Returns true if the results have no fixed latency, or if the instruction sets a write scoreboard
// (which one of fixed latency may also do). In the branch unit (CBU), only the scoreboard counts.
bool sass_is_variable(const struct sass_instruction *in);

// Returns true for the predicate in which a generic atomic reports whether the address is in shared
// memory. The predicate is set at once, and no scoreboard protects it.
bool sass_is_there_at_once(const struct sass_instruction *in, const struct sass_touch *touch);

// Returns true for a warpgroup MMA. It is in flight until a WARPGROUP.DEPBAR waits for its group.
// Warpgroup MMAs complete in order.
bool sass_runs_on(const struct sass_form *form);

// Returns true for a stall count of 0 with the yield flag Y (bit 109 is clear), except for
// warpgroup MMAs. The next instruction is then delayed until this one has read its sources and its
// results have arrived. Without optimisation, ptxas 13.0 relies on it after a warp's MMAs, and
// ptxas 13.5 after every instruction.
bool sass_holds_back(const struct sass_instruction *in);
// Returns the least number of cycles until the next instruction issues: the stall count, if it is
// not 0. If it is 0: 2 where sass_holds_back() is true (16 in the memory pipe), otherwise 1.
int sass_cycles(const struct sass_instruction *in);

// Returns the mask of the scoreboards that a DEPBAR waits for: its set, and the scoreboard that a
// DEPBAR.LE names. Returns 0 for another instruction.
unsigned sass_depbar_waits(const struct sass_instruction *in);

// A unit returns results and reads sources in issue order. So if a result sets no scoreboard, the
// scoreboard of any later result of the unit covers it.
enum sass_unit {
    SASS_UNIT_NONE,    // no known order: an LDC may overtake others (seen on an H200)
    SASS_UNIT_SHARED,  // LDS, LDSM, ATOMS (not .CAS, .POPC), SHFL, MOVM
    SASS_UNIT_LOCAL,   // LDL
    SASS_UNIT_GLOBAL,  // LDG
    SASS_UNIT_TEXTURE, // texture and surface loads
    SASS_UNIT_REDUCE,  // REDUX
    SASS_UNIT_SPECIAL, // S2UR (seen in nvcc's code for grid.sync())
    SASS_UNIT_SLOW,    // MUFU, conversions, bit counts
    SASS_UNIT_TENSOR,  // DMMA (seen in cuBLAS)
    SASS_UNIT_FP64,    // FP64 where it uses scoreboards (nvcc relies on it in exp() for sm_80)
    SASS_UNIT_COUNT
};
enum sass_unit sass_unit(const struct sass_form *form);

// Returns true if the instruction reads its general registers so late that overwriting one requires
// a wait for a read scoreboard or for the result. On a busy H200, such instructions read the new
// value at any distance up to 60 cycles (tools/latency, docs/results/h200/sources.csv); REDUX did
// so once after 8 cycles. Uniform registers and predicates had been read when the next instruction
// issued; bulk copies were not tested. The slow unit (MUFU, conversions, bit counts) had read by
// the next cycle on one H200 and not on another: only sass_is_held() counts it as late, as nvcc
// does.
bool sass_reads_late(const struct sass_form *form);
// The instructions of a queue read their sources in issue order: when a scoreboard reports that one
// has read, all earlier ones have, too. nvcc relies on this: of several HMMAs or UTMASTGs, only the
// last sets a read scoreboard, and later code waits for that scoreboard.
enum sass_queue {
    SASS_QUEUE_NONE,
    SASS_QUEUE_MEMORY,  // instructions that read late (sass_reads_late)
    SASS_QUEUE_TEXTURE, // textures, surfaces
    SASS_QUEUE_SLOW,    // MUFU, conversions, bit counts
    SASS_QUEUE_FP64,    // FP64, where it uses scoreboards
    SASS_QUEUE_TENSOR,  // MMAs of a warp
    SASS_QUEUE_COPY,    // bulk and tensor copies, UTMACCTL, UTMACMDFLUSH
    SASS_QUEUE_COUNT
};
enum sass_queue sass_queue(const struct sass_form *form);
// Returns true for a source register that must not be overwritten until a scoreboard reports that
// it was read. The index of an LDC is one: it was once read as late as 10 cycles after issue.
bool sass_is_held(const struct sass_instruction *in, const struct sass_touch *touch);

// Returns true for a BAR after which the warp's earlier memory instructions have read their
// sources. nvcc relies on this before sm_90.
bool sass_barrier_reads(const struct sass_instruction *in);

// Returns the least distance at which two results of fixed latency arrive in order in one register,
// so that the later one remains (measured on an H200); 0 if any distance is enough.
int sass_write_distance(const struct sass_instruction *first, const struct sass_instruction *later);

enum sass_hazard {
    SASS_SOUND,
    SASS_TOO_SOON, // reads a result of fixed latency before the result arrives
    // writes a register so soon that an earlier result of fixed latency arrives later and
    // overwrites the new value
    SASS_WRITES_TOO_SOON,
    SASS_IN_FLIGHT, // reads a result without a wait for the result's scoreboard
    // writes a register while an earlier result may still be in flight to it
    SASS_OVERWRITES_RESULT,
    SASS_OVERWRITES_SOURCE // writes a register that may not have been read yet
};
// Returns the hazard (SASS_SOUND: none) of `later`, which touches a result of `producer`. Cycles
// between their issues: `cycles`. Requires: nothing in between waited for the result's scoreboard.
enum sass_hazard sass_judge_result(const struct sass_instruction *producer,
                                   const struct sass_instruction *later,
                                   const struct sass_touch *touch, int64_t cycles);
// Returns the hazard of `later`, which touches a register that `reader` holds (sass_is_held).
// Requires: nothing has made sure yet that `reader` has read the register.
enum sass_hazard sass_judge_source(const struct sass_instruction *reader,
                                   const struct sass_instruction *later,
                                   const struct sass_touch *touch);
