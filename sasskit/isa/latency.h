// Hazards: when a result may be read and what may be overwritten. The one rule that the check (sass lint) and the simulator
// judge by; the assembler and the rewriter keep at least these distances.
//
// A distance is in issue cycles: the sum of the stall counts from the producer to the instruction that reads, a stall of 0
// counted as 1.
#pragma once

#include "sass.h"

// Least stall of an instruction that sets a scoreboard when the next one waits for it: with one cycle the wait passes, and
// the register is read before it is written (seen on an H200; nvcc always leaves two).
enum { SASS_SET_CYCLES = 2 };

// The least distance from a producer of fixed latency to the instruction that reads `read` of its results; 0 when a scoreboard
// tells, or when no source has the distance. What is shorter is broken or lucky.
int sass_distance(const struct sass_instruction *producer, const struct sass_instruction *consumer,
                  const struct sass_touch *read);
// For a pair whose distance no source has: one that is surely long enough. 0: the distance is known.
int sass_guessed_distance(const struct sass_instruction *producer, const struct sass_instruction *consumer,
                          const struct sass_touch *read);
// The largest distance that any reader may need of a result, a register or a predicate; 0 when a scoreboard tells.
int sass_longest_distance(const struct sass_instruction *producer, bool predicate);

// The distance that the assembler gives lines that it times, never less than the two above; to any reader.
int sass_kept_distance(const struct sass_instruction *producer, const struct sass_instruction *reader,
                       const struct sass_touch *read);
int sass_longest_kept(const struct sass_instruction *producer, bool predicate);

// Its results need a scoreboard on its chip: no fixed latency is known for them.
bool sass_by_scoreboard(const struct sass_instruction *in);

// The row and the column of distances.def that a producer and a reader have: enum sass_producer and sass_reader (facts.h), of a
// predicate enum sass_predicate and sass_predicate_reader.
struct sass_pair {
    uint8_t from, to;
};
struct sass_pair sass_pair(const struct sass_instruction *producer, const struct sass_instruction *consumer,
                           const struct sass_touch *read);

// Its results take variable time. A result of fixed latency that has a scoreboard is waited for by it, too; what a branch
// unit's instruction (CBU) writes is only known by one.
bool sass_is_variable(const struct sass_instruction *in);

// The predicate of a generic atomic (is it shared memory?), which no scoreboard tells of.
bool sass_is_there_at_once(const struct sass_instruction *in, const struct sass_touch *touch);

// A product of four warps: it runs on until WARPGROUP.DEPBAR waits for its group; products follow each other in order.
bool sass_runs_on(const struct sass_form *form);

// A stall of 0 that yields: the next instruction is held back until this one has read and its results are there. Without optimisation
// ptxas leaves all waiting to the hardware so: 13.0 behind products of matrices, 13.5 behind every instruction. Not so behind a product
// of four warps.
bool sass_holds_back(const struct sass_instruction *in);
// Cycles to the next instruction, at least: one that yields does not go on at once, and one of the memory pipe that holds the next one
// back takes longer than any result of fixed latency.
int sass_cycles(const struct sass_instruction *in);

// What returns its results, and reads its sources, in the order of issue. A result without a scoreboard is covered by each
// later result of its unit that has one.
enum sass_unit {
    SASS_UNIT_NONE,    // no order is known; an LDC may come after later ones (seen on an H200)
    SASS_UNIT_SHARED,  // LDS, ATOMS, SHFL, MOVM
    SASS_UNIT_LOCAL,   // LDL
    SASS_UNIT_GLOBAL,  // LDG
    SASS_UNIT_TEXTURE, // TLD
    SASS_UNIT_REDUCE,  // REDUX
    SASS_UNIT_SPECIAL, // S2UR (seen in what nvcc makes of grid.sync())
    SASS_UNIT_SLOW,    // MUFU, conversions, bit counts
    SASS_UNIT_COUNT
};
enum sass_unit sass_unit(const struct sass_form *form);

// It reads its general registers so late that what overwrites one has to wait for a read scoreboard or for the result: at any
// distance up to 60 cycles it took the new value on a busy H200. The slow unit was through in the next cycle, with two words in the
// one after it, REDUX after 8 cycles (tools/latency, docs/results/h200/sources.csv); uniform registers and predicates have been read when the next instruction is issued (tools/latency), but for the copy
// engine's.
bool sass_reads_late(const struct sass_form *form);
// A source that the instruction holds until a scoreboard says that it has been read: LDC's index as well, which was once taken after
// 10 cycles. Those of the memory pipe read in the order
// of issue: a source without a scoreboard is covered by the next instruction of the pipe that has one.
bool sass_is_held(const struct sass_instruction *in, const struct sass_touch *touch);

// Behind this barrier what the warp's memory instructions read has been read: nvcc counts on it before sm_90.
bool sass_barrier_reads(const struct sass_instruction *in);

// The least distance at which the later of two results of fixed latency stays in a register that both write (tried on an H200; 0: any).
int sass_write_distance(const struct sass_instruction *first, const struct sass_instruction *later);

enum sass_hazard {
    SASS_SOUND,
    SASS_TOO_SOON,          // reads a result of fixed latency before it is there
    SASS_WRITES_TOO_SOON,   // writes a register before such a result, which then replaces its own
    SASS_IN_FLIGHT,         // reads a result whose scoreboard was not waited for
    SASS_OVERWRITES_RESULT, // writes a register to which such a result is still on its way
    SASS_OVERWRITES_SOURCE  // writes a register that may not have been read yet
};
// `later` touches a register that `producer` wrote `cycles` before. The result's scoreboard, if it has one, has not been
// waited for since.
enum sass_hazard sass_judge_result(const struct sass_instruction *producer, const struct sass_instruction *later,
                                   const struct sass_touch *touch, int64_t cycles);
// `later` touches, `cycles` behind it, a register that `reader` holds (sass_is_held) and has not been seen to have read.
enum sass_hazard sass_judge_source(const struct sass_instruction *reader, const struct sass_instruction *later,
                                   const struct sass_touch *touch, int64_t cycles);
