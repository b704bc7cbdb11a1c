// Hazards: when a result may be read and when a register may be overwritten. `sass lint` and the
// simulator both judge by these rules. The assembler and the rewriter keep at least these
// distances.
//
// A distance is counted in issue cycles. It is the sum of the stall counts from the producer up to
// the reader, where a stall count of 0 counts as 1. The least distance of a pair has a source if it
// was measured or found in ptxas's code; otherwise distances.def has a guess.
#pragma once

#include "touches.h"

// The least stall count of an instruction that sets a scoreboard, if the next instruction waits for
// that scoreboard. With one cycle, the wait passes too early and the register is read before it is
// written (seen on an H200; nvcc always uses two).
enum { SASS_SET_CYCLES = 2 };

// Returns the least distance from a producer of fixed latency to an instruction that reads its
// result `read`; 0 if a scoreboard protects the result or if the distance has no source. Code with
// a shorter distance is wrong, even if it happens to work.
int sass_distance(const struct sass_instruction *producer, const struct sass_instruction *consumer,
                  const struct sass_touch *read);
// Returns a distance that is surely long enough for a pair whose distance has no source; 0 if it
// has one.
int sass_guessed_distance(const struct sass_instruction *producer,
                          const struct sass_instruction *consumer, const struct sass_touch *read);
// Returns the largest sass_distance() to any reader of a result: of a predicate if `predicate`,
// otherwise of a register. Returns 0 if a scoreboard protects the result.
int sass_longest_distance(const struct sass_instruction *producer, bool predicate);

// Return the distance that the assembler keeps between lines that it times: to one reader, which is
// at least sass_distance(), and to the end of a basic block.
int sass_kept_distance(const struct sass_instruction *producer,
                       const struct sass_instruction *reader, const struct sass_touch *read);
int sass_longest_kept(const struct sass_instruction *producer, bool predicate);

// Returns true if the instruction's results need a scoreboard on its chip, because no fixed latency
// is known for them.
bool sass_by_scoreboard(const struct sass_instruction *in);

// Row and column of distances.def for a producer and a reader: enum sass_producer and enum
// sass_reader (facts.h); for a predicate, enum sass_predicate and enum sass_predicate_reader.
struct sass_pair {
    uint8_t from, to;
};
struct sass_pair sass_pair(const struct sass_instruction *producer,
                           const struct sass_instruction *consumer, const struct sass_touch *read);

// Returns true if the time to the results varies, or if the instruction sets a scoreboard for them,
// which is possible with a fixed latency, too. For the branch unit (CBU) only the scoreboard
// counts.
bool sass_is_variable(const struct sass_instruction *in);

// Returns true for the predicate in which a generic atomic reports whether the address is in shared
// memory. It is set at once, and no scoreboard protects it.
bool sass_is_there_at_once(const struct sass_instruction *in, const struct sass_touch *touch);

// Returns true for a warpgroup MMA. It is in flight until a WARPGROUP.DEPBAR waits for its group;
// such MMAs complete in order.
bool sass_runs_on(const struct sass_form *form);

// Returns true for a stall count of 0 with Y (bit 109 is clear). The next instruction is then
// delayed until this one has read its sources and its results have arrived. Without optimisation,
// ptxas uses this to leave all waiting to the hardware: 13.0 after MMAs, 13.5 after every
// instruction. Returns false for warpgroup MMAs.
bool sass_holds_back(const struct sass_instruction *in);
// Returns the least number of cycles until the next instruction issues: the stall count. 0 counts
// as 2 if the instruction holds the next one back (16 for memory), otherwise as 1.
int sass_cycles(const struct sass_instruction *in);

// Returns the mask of the scoreboards that a DEPBAR waits for, including the counted one of
// DEPBAR.LE; 0 for another instruction.
unsigned sass_depbar_waits(const struct sass_instruction *in);

// Units that return results and read sources in issue order. A result without a scoreboard is
// covered by each later result of its unit that has one.
enum sass_unit {
    SASS_UNIT_NONE, // results come in no known order: an LDC may overtake others (seen on an H200)
    SASS_UNIT_SHARED,  // LDS, LDSM, ATOMS, SHFL, MOVM
    SASS_UNIT_LOCAL,   // LDL
    SASS_UNIT_GLOBAL,  // LDG
    SASS_UNIT_TEXTURE, // texture and surface loads
    SASS_UNIT_REDUCE,  // REDUX
    SASS_UNIT_SPECIAL, // S2UR (seen in nvcc's code for grid.sync())
    SASS_UNIT_SLOW,    // MUFU, conversions, bit counts
    SASS_UNIT_TENSOR,  // DMMA (seen in cuBLAS)
    SASS_UNIT_COUNT
};
enum sass_unit sass_unit(const struct sass_form *form);

// Returns true if the instruction reads its general registers so late that overwriting one requires
// a wait for a read scoreboard or for the result. On a busy H200, such instructions read the new
// value at any distance up to 60 cycles (tools/latency, docs/results/h200/sources.csv), and REDUX
// did so once after 8 cycles. Uniform registers and predicates have been read when the next
// instruction is issued (tools/latency), except by bulk copies. The slow unit (MUFU, conversions,
// bit counts) had read by the next cycle on one H200 and not on another. sass_is_held() counts it
// as late, as nvcc does.
bool sass_reads_late(const struct sass_form *form);
// Queues whose instructions read their sources in issue order: when a scoreboard reports that one
// of them has read, all earlier ones of its queue have, too. nvcc relies on this: of several HMMAs
// or UTMASTGs it gives only the last a read scoreboard, and waits for that.
enum sass_queue {
    SASS_QUEUE_NONE,
    SASS_QUEUE_MEMORY,  // instructions that read late
    SASS_QUEUE_TEXTURE, // textures, surfaces
    SASS_QUEUE_SLOW,    // MUFU, conversions, bit counts
    SASS_QUEUE_FP64,    // FP64 instructions, where FP64 uses scoreboards
    SASS_QUEUE_TENSOR,  // MMAs, but not those of warpgroups
    SASS_QUEUE_COPY,    // bulk and tensor copies, their flush
    SASS_QUEUE_COUNT
};
enum sass_queue sass_queue(const struct sass_form *form);
// Returns true for a source register that must not be overwritten until a scoreboard reports it as
// read. The index of an LDC is such a register: it was once read only after 10 cycles.
bool sass_is_held(const struct sass_instruction *in, const struct sass_touch *touch);

// Returns true if this barrier implies that the warp's earlier memory instructions have read their
// sources. nvcc relies on that before sm_90.
bool sass_barrier_reads(const struct sass_instruction *in);

// Returns the least distance at which two results of fixed latency to one register arrive in order,
// so that the later one stays there (measured on an H200); 0 if any distance is enough.
int sass_write_distance(const struct sass_instruction *first, const struct sass_instruction *later);

enum sass_hazard {
    SASS_SOUND,
    SASS_TOO_SOON, // the instruction reads a result of fixed latency before that arrives
    // the instruction writes a register so soon that an earlier instruction's result of fixed
    // latency arrives later and overwrites the new value
    SASS_WRITES_TOO_SOON,
    SASS_IN_FLIGHT, // the instruction reads a result without a wait for the result's scoreboard
    // the instruction writes a register while an earlier result may still be in flight to it
    SASS_OVERWRITES_RESULT,
    SASS_OVERWRITES_SOURCE // the instruction writes a register that may not have been read yet
};
// Judges `later`, which touches a result of `producer` and issues `cycles` after `producer`.
// Requires: the result's scoreboard, if there is one, has not been waited for since.
enum sass_hazard sass_judge_result(const struct sass_instruction *producer,
                                   const struct sass_instruction *later,
                                   const struct sass_touch *touch, int64_t cycles);
// Judges an instruction `later` that touches a register which `reader` holds (sass_is_held).
// Requires: it is not known that the reader has read the register.
enum sass_hazard sass_judge_source(const struct sass_instruction *reader,
                                   const struct sass_instruction *later,
                                   const struct sass_touch *touch);
