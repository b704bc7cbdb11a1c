// Hazards: when a result may be read and a register overwritten. sass lint and the simulator judge
// by this one rule; the assembler and the rewriter keep at least these distances.
//
// A distance is in issue cycles: the sum of the stall counts from the producer up to the reader,
// where a stall of 0 counts as 1.
#pragma once

#include "touches.h"

// Least stall of an instruction that sets a scoreboard, if the next instruction waits for that
// scoreboard: with one cycle the wait passes too early, and the register is read before it is
// written (seen on an H200; nvcc always uses two).
enum { SASS_SET_CYCLES = 2 };

// Returns the least distance from a producer of fixed latency to an instruction that reads `read`
// of its results; 0 if a scoreboard protects the result or if the distance has no source. A shorter
// distance is a fault, even if it happens to work.
int sass_distance(const struct sass_instruction *producer, const struct sass_instruction *consumer,
                  const struct sass_touch *read);
// Returns a distance that is surely long enough for a pair without a source; 0 if the distance is
// known.
int sass_guessed_distance(const struct sass_instruction *producer, const struct sass_instruction *consumer,
                          const struct sass_touch *read);
// Returns the largest distance that any reader may need of a result, a register or a predicate; 0
// if a scoreboard protects it.
int sass_longest_distance(const struct sass_instruction *producer, bool predicate);

// Return the distance that the assembler keeps between lines that it times, to a reader and to any
// reader. They are at least the two above.
int sass_kept_distance(const struct sass_instruction *producer, const struct sass_instruction *reader,
                       const struct sass_touch *read);
int sass_longest_kept(const struct sass_instruction *producer, bool predicate);

// Returns true if its results need a scoreboard on its chip, as no fixed latency is known for them.
bool sass_by_scoreboard(const struct sass_instruction *in);

// Row and column of distances.def for a producer and a reader: enum sass_producer and sass_reader
// (facts.h), or for a predicate enum sass_predicate and sass_predicate_reader.
struct sass_pair {
    uint8_t from, to;
};
struct sass_pair sass_pair(const struct sass_instruction *producer, const struct sass_instruction *consumer,
                           const struct sass_touch *read);

// Returns true if the results take variable time, or a scoreboard reports them: one set on a result
// of fixed latency counts, too. The results of the branch unit (CBU) require one.
bool sass_is_variable(const struct sass_instruction *in);

// True for the predicate of a generic atomic (is the address in shared memory?), which no
// scoreboard covers.
bool sass_is_there_at_once(const struct sass_instruction *in, const struct sass_touch *touch);

// True for a warpgroup MMA: it is in flight until WARPGROUP.DEPBAR waits for its group; MMAs
// complete in order.
bool sass_runs_on(const struct sass_form *form);

// True for a stall of 0 with yield: the next instruction is delayed until this one has read its
// sources and its results have arrived. Without optimisation ptxas uses this to leave all waiting
// to the hardware: 13.0 after MMAs, 13.5 after every instruction. False for warpgroup MMAs.
bool sass_holds_back(const struct sass_instruction *in);
// Returns the least number of cycles to the next instruction: an instruction that yields delays the
// next one; one of the memory pipe that also holds it back (sass_holds_back) takes longer than any
// result of fixed latency.
int sass_cycles(const struct sass_instruction *in);

// Returns the mask of scoreboards that a DEPBAR waits for, the counted one of DEPBAR.LE included; 0
// for another instruction.
unsigned sass_depbar_waits(const struct sass_instruction *in);

// Units that return results and read sources in issue order. A result without a scoreboard is
// covered by each later result of its unit that has one.
enum sass_unit {
    SASS_UNIT_NONE,    // no known order; an LDC may overtake others (seen on an H200)
    SASS_UNIT_SHARED,  // LDS, ATOMS, SHFL, MOVM
    SASS_UNIT_LOCAL,   // LDL
    SASS_UNIT_GLOBAL,  // LDG
    SASS_UNIT_TEXTURE, // TLD
    SASS_UNIT_REDUCE,  // REDUX
    SASS_UNIT_SPECIAL, // S2UR (seen in nvcc's code for grid.sync())
    SASS_UNIT_SLOW,    // MUFU, conversions, bit counts
    SASS_UNIT_TENSOR,  // DMMA (seen in cuBLAS)
    SASS_UNIT_COUNT
};
enum sass_unit sass_unit(const struct sass_form *form);

// Returns true if it reads its general registers so late that overwriting one requires waiting for
// a read scoreboard or for the result: on a busy H200 such instructions read the new value at any
// distance up to 60 cycles (tools/latency, docs/results/h200/sources.csv), REDUX once after 8.
// Uniform registers and predicates have been read when the next instruction is issued
// (tools/latency), except by bulk copies.
bool sass_reads_late(const struct sass_form *form);
// Queues whose instructions read their sources in issue order: when a scoreboard reports that one
// of them has read, all earlier ones of its queue have, too. nvcc relies on this: it gives the last
// of several HMMAs or UTMASTGs a read scoreboard and waits for that one only.
enum sass_queue {
    SASS_QUEUE_NONE,
    SASS_QUEUE_MEMORY,  // instructions that read late
    SASS_QUEUE_TEXTURE, // TEX, TLD, SUST
    SASS_QUEUE_SLOW,    // MUFU, conversions, bit counts
    SASS_QUEUE_FP64,    // where it uses scoreboards
    SASS_QUEUE_TENSOR,  // MMAs, but not those of warpgroups
    SASS_QUEUE_COPY,    // bulk and tensor copies, their flush
    SASS_QUEUE_COUNT
};
enum sass_queue sass_queue(const struct sass_form *form);
// True for a source that is held until a scoreboard reports it as read; this includes LDC's index,
// which was once read after 10 cycles.
bool sass_is_held(const struct sass_instruction *in, const struct sass_touch *touch);

// Returns true if this barrier implies that the warp's earlier memory instructions have read their
// sources:
// nvcc relies on it before sm_90.
bool sass_barrier_reads(const struct sass_instruction *in);

// Returns the least distance at which two results of fixed latency that go to one register arrive
// in order, so that the later one stays there (measured on an H200); 0: any.
int sass_write_distance(const struct sass_instruction *first, const struct sass_instruction *later);

enum sass_hazard {
    SASS_SOUND,
    SASS_TOO_SOON,          // reads a result of fixed latency before it arrives
    SASS_WRITES_TOO_SOON,   // writes a register before such a result, which then overwrites its own
    SASS_IN_FLIGHT,         // reads a result without a wait for its scoreboard
    SASS_OVERWRITES_RESULT, // writes a register while such a result is in flight to it
    SASS_OVERWRITES_SOURCE  // writes a register that may not have been read yet
};
// Judges an instruction `later` that touches a register `cycles` after `producer` wrote it.
// Requires: the result's scoreboard, if any, has not been waited for since.
enum sass_hazard sass_judge_result(const struct sass_instruction *producer, const struct sass_instruction *later,
                                   const struct sass_touch *touch, int64_t cycles);
// Judges an instruction `later` that touches a register that `reader` holds (sass_is_held).
// Requires: the reader is not known to have read it.
enum sass_hazard sass_judge_source(const struct sass_instruction *reader, const struct sass_instruction *later,
                                   const struct sass_touch *touch);
