// The simulated machine's parts as the files of this folder share them: instruction as it runs, warp, block, launch.
//
// Files with lane loops (LANES in sasskit.mk) are compiled for the processor that builds, or once each for every x86-64 and for
// -march=x86-64-v3 and v4; SIM_NAME tells the copies apart, and engine.c chooses at run time.
#pragma once

#include "isa/facts.h"
#include "sim/checks/state.h"
#include "sim/ops/state.h"
#include "sim/sim.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifndef SIM_ISA
#define SIM_ISA base
#endif
#define SIM_PASTE_(name, isa) name##_##isa
#define SIM_PASTE(name, isa)  SIM_PASTE_(name, isa)
#define SIM_NAME(name)        SIM_PASTE(name, SIM_ISA)
#define SIM_TEXT_(isa)        #isa
#define SIM_TEXT(isa)         SIM_TEXT_(isa)
#define SIM_ENGINE_TEXT       SIM_TEXT(SIM_ISA)

struct warp;
struct uop;
typedef void sim_execute(struct warp *w, const struct uop *u, uint32_t mask);

enum uop_flag {
    UOP_CONTROL = 1, // may change the program counter or the active lanes: warp.c calls control() instead
    UOP_UNIFORM = 2, // runs once a warp
    UOP_SLOW = 4,    // has something rare to look at: more cells than fit, a wrong reuse flag
    UOP_BARRIER = 8, // has a write or a read barrier, or takes variable time
    UOP_VARIABLE = 16,
    UOP_OBSERVED = 32, // has more to tell an observer than that it was issued (observer.c)
    UOP_GUARDED = 64,
    UOP_SOUND = 128, // reads results of fixed latency late enough behind `behind` instructions of straight code
};

// Of uop.wait: the instruction waits until all four warps have issued the products that it waits for.
enum { WAIT_SCOREBOARDS = 63, WAIT_FOR_FOUR = 64 };

// An instruction, decoded for running. 64 bytes; what is rarely needed is in `detail`.
struct uop {
    sim_execute *execute;
    const struct detail *detail;
    uint32_t source[3];     // byte offset of operand A, B, C's row from base[source_base]
    uint16_t d;             // destination row
    uint8_t source_base[3]; // 0 the warp's rows, 1 the program's constants
    uint8_t guard;          // predicate
    uint8_t guard_negate;   // 0 or 1
    uint8_t flags;
    uint8_t stall, wait;                 // wait: scoreboards, and WAIT_FOR_FOUR
    uint8_t write_barrier, read_barrier; // 7 none
    uint8_t latency;                     // of the result; 0 when variable
    uint8_t out_count;                   // cells cell_out .. cell_out + out_count - 1 are written
    uint16_t cell_out;
    uint16_t cell_in[4]; // cells read, CELL_NONE when fewer: byte offsets from warp.cell
    uint8_t streak;      // FFMA from here on that run as one (run/warp.c); 0: none
    uint8_t behind;      // so many instructions before take as long as any result of fixed latency
    uint16_t cycles;     // of the streak
    uint8_t late;        // of its results: the last ones, which are not there at its end
    uint8_t unused[3];
};

_Static_assert(sizeof(struct uop) % 64 == 0 || sizeof(void *) != 8, "uops fill cache lines");

// The same of an FFMA whose operands are registers as they are: many fit in the cache.
struct ffma {
    uint8_t a, b, c, d; // rows; d is the cell, too
    uint8_t stall, latency;
};

// How an instruction touches memory.
enum access {
    ACCESS_READ,
    ACCESS_LOAD, // LDS
    ACCESS_WRITE,
    ACCESS_ATOMIC,
    ACCESS_COPY,
    ACCESS_SPIN, // reads for an atomic that nvcc makes of a loop with compare-and-swap; of device memory, a strong load
    ACCESS_FLAG, // a strong store
    ACCESS_POLL  // a strong load of shared memory, or one in a loop that only waits
};

// The rest of an instruction.
struct detail {
    struct sass_instruction instruction;
    struct program *program;
    struct uop *uop;
    uint32_t index;            // in the code
    uint32_t keep[3], flip[3]; // operand as seen by the operation: (value & keep) ^ flip
    uint8_t pu, pv;            // predicates written, PREDICATE_TRASH for none
    uint8_t pp, pq, pr;        // predicates read
    uint32_t pp_flip, pq_flip, pr_flip;
    uint32_t addend; // of IADD3: ones that two's complements add
    uint8_t width;   // bytes a lane of a memory access
    uint8_t shift;
    uint32_t factor; // 1 << shift of LEA, of an address of LDS: in WebAssembly a compiler's shifts go lane by lane
    uint16_t base, uniform; // rows of an address
    uint8_t memo;           // of requests to device memory
    uint8_t unread,
        copied; // of a wide load: words that nothing reads, that are copied as they are; a bit each (flow.c)
    bool wide, unsigned32;
    bool is_shared; // LDS or STS
    bool elects;    // WARPSYNC of an elect.sync, which orders no memory
    bool called;    // a CALL goes there
    bool looks;     // of a load: an atomic behind it looks at the same place again
    bool packed;    // of BAR: id and count, in the upper half, share a register
    enum access
        spins; // of a load: ACCESS_SPIN, for the compare-and-swap behind it; of LDS ACCESS_POLL, a loop that waits; 0 none
    uint32_t target; // instruction index
    struct uop_cells {
        uint16_t in[SASS_MAX_TOUCHES], out[SASS_MAX_TOUCHES];
        struct sass_touch read[SASS_MAX_TOUCHES]; // which operand a cell of `in` belongs to
        struct sass_touch written[SASS_MAX_TOUCHES];
        uint8_t in_count, out_count;
        uint32_t held; // of `in`, a bit each: may be read late (isa/latency.h)
    } cells;
    bool reads_late;
    uint8_t longest[2]; // cycles that a reader of its register, of its predicate may have to keep
    enum sass_unit unit;
    int bank_cycles, bank_cycles_jump; // to read the operands: after the instruction before, after a jump
    int bank_reads[2];                 // registers that each bank reads, after the instruction before
    int reuse_hits;
    char *stale;      // a wrong reuse flag, in words; NULL when right
    char *unknown;    // why it cannot be run; NULL when it can
    sim_execute *act; // what a control instruction does
};

// The row of word i of what an instruction loads (fields.def, 256 bits).
static inline uint16_t row_of_word(const struct uop *u, uint32_t i) {
    const struct sass_operand *o = u->detail->instruction.operand, *to = &o[i < 4 ? SASS_D : SASS_E];
    const unsigned asked = (unsigned)o[SASS_I].value & (i < 4 ? 0x0f : 0xf0), before = asked & ((1u << i) - 1);
    if (u->detail->width < 32) return (uint16_t)(u->d + i);
    return asked >> i & 1 && to->number != SASS_RZ ? (uint16_t)(to->number + __builtin_popcount(before)) : ROW_TRASH;
}

// What became of an instruction over a launch. While it runs, `executed` and `lanes` are differences to the instruction before,
// entered where straight pieces of code begin and behind their ends; of an instruction without a guard, `threads` and `active` are
// what these do not tell (resident.c sums up).
struct tally {
    uint64_t executed, threads, active; // warp and thread instructions; those with a lane on
    uint64_t requests, sectors;         // memory requests; of global memory, 32-byte sectors
    uint64_t turns, lines;              // of global loads: cycles of L1's banks; 128-byte lines, 4 at least a request
    uint64_t wavefronts, least_wavefronts; // shared memory
    uint64_t arrivals;                     // by a jump
    uint64_t lanes;                        // thread instructions whatever their guard
};

struct cell {
    uint64_t ready;          // issue cycle from which it can be read; IN_FLIGHT until a scoreboard is waited for
    uint32_t writer, reader; // instruction index of the last writer, of the last reader that takes variable time
    uint32_t lanes, latest;  // whose loads are to write it; those of the last writer's
    uint32_t read_lanes;     // whose reads hold it
    uint32_t read_order;     // while it is held: warp.order of its last reader that reads late, 0 if none
    uint16_t pending;        // loads that have yet to write it
    uint8_t holds;           // read scoreboards of those that may not have read it yet, a bit each
};

enum group_state { GROUP_READY, GROUP_SYNC, GROUP_WARPSYNC, GROUP_BARRIER };

// Lanes of a warp that run together.
struct group {
    uint32_t mask, pc;
    enum group_state state;
    uint32_t what;  // convergence register, mask, or named barrier
    uint32_t named; // by the last WARPSYNC, while these lanes are together; 0: not known
    bool yielded;   // it has executed a YIELD
};

enum warp_state { WARP_READY, WARP_WAITS, WARP_DONE, WARP_STOPPED };

struct pending_list {
    uint16_t count;
    uint16_t cell[1022]; // scoreboard.c
};

struct block;

// Blocks that can reach each other's shared memory; at least the block itself.
struct cluster {
    struct block *block[MAX_CLUSTER];
    uint32_t size;
    uint32_t arrived, phase; // threads at the cluster's barrier; how often it was passed
};

struct spin {             // of a loop that an observer watches: it may only wait for others
    bool asked;           // something that others write, since the loop was at `pc`
    uint32_t pc;          // where rounds begin
    size_t before, begin; // words of the round before and of this one; 0: there is none
    uint64_t state;       // of the registers at `begin`; 0: not known
};

struct warp {
    _Alignas(64) uint32_t row[ROWS][LANES];
    const char *base[2]; // what uop.source is relative to

    // From here to `block` all is zero when a block begins.
    uint32_t predicate[PREDICATES];
    struct cell cell[CELLS];
    uint64_t busy[2 * REGISTER_WORDS];                  // registers that are in flight or unwritten; that are held
    uint32_t convergence[CONVERGENCE_REGISTERS][LANES]; // each lane's own: which lanes it waits for
    uint64_t counts_from[SCOREBOARDS];                  // cycle from which a wait sees the latest that set it
    uint64_t order, order_of[SCOREBOARDS]; // instructions that read late; the last of them that set a scoreboard
    uint64_t read_through;                 // those up to here have read their sources
    uint64_t executed;                     // instructions, up to the last branch
    uint64_t asked, asked_at; // how often it has asked what others may change; that count, when acts_at was there first
    uint32_t set_by[SCOREBOARDS]; // instruction
    uint16_t covered[SCOREBOARDS]
                    [SASS_UNIT_COUNT]; // how many of `unguarded` a later result with this scoreboard covers
    uint32_t covering;                 // scoreboards that cover some
    uint32_t named;                    // lanes, by the last WARPSYNC
    uint32_t named_by;                 // the lanes that went on together
    bool yield;                        // another group may run now
    bool resumes;                      // at an instruction that had to wait
    uint64_t switched;                 // clock when these lanes began to run in place of others
    bool local_used;                   // since the block began
    bool tiled;                        // lanes that meet at a NOP are those of `tile`

    struct block *block;
    uint64_t clock;            // issue cycles
    uint32_t index;            // in the block
    uint32_t lanes;            // that exist
    uint32_t thread[3][LANES]; // their indices in the block
    uint32_t alive;
    uint32_t pc, active; // of the group that runs
    enum warp_state state;
    struct group group[MAX_GROUPS];
    int group_count, current;
    struct pending_list pending[SCOREBOARDS];
    struct pending_list unguarded[SASS_UNIT_COUNT]; // results without a scoreboard
    uint32_t cluster_phase;                         // in which it has arrived at the cluster's barrier
    uint32_t *local;                                // (local_bytes / 4, LANES); local_memory() gives it
    uint32_t tile[LANES];                           // each lane's mask; else all that run
    bool acted;                                     // since it was cleared: did what another warp can see
    bool acted_before;                              // the same, before lanes began to wait for others
    uint64_t acts_at;                               // launch->acts
    struct warp_requests requests;                  // ops/state.h
    struct warp_copies copies;
    struct warp_products products;
    struct warp_bulk bulk;
    struct warp_hazards hazards; // checks/state.h
    struct warp_races races;
    struct warp_flags flags;
    struct evidence evidence; // for the next report
    struct touched touched[TOUCHES];
    struct warp_watch {
        struct sim_stream *stream; // NULL: nobody looks
        size_t request;            // the word of the latest request
        uint64_t wavefronts;
        uint32_t lanes; // that executed it
        struct spin spin;
    } watch; // what an observer gets (observer.c)
};

struct named_barrier {
    uint32_t arrived;  // threads
    uint32_t expected; // 0: all that are alive
    uint32_t place;    // instruction at which the first arrived
    uint32_t reduce_count, reduce_and, reduce_or;
    bool reduces;
    int how; // 0 count, 1 and, 2 or
};

struct program; // a kernel, decoded
struct sim_memory;

// What is the same for all blocks of a launch.
struct launch_state {
    struct program *program;
    struct sim_memory *memory;
    uint32_t grid[3], block[3];
    uint32_t cluster[3];
    uint32_t threads, warps;  // of a block
    uint32_t shared_bytes;    // of a block, with the reserved ones before its own
    uint32_t shared_reserved; // those: addresses in the code start behind them
    uint32_t shared_end;      // with those behind its own too, which a kernel before sm_90 may ask for
    int granule; // bytes of shared memory that have one stamp: 1 << granule; 0 where the kernel touches parts of words
    uint32_t local_bytes;
    uint8_t *constant[8];
    uint32_t constant_bytes[8];
    struct reports *reports;
    uint32_t dynamic_shared;     // bytes that the launch asked for
    const struct tally *counted; // (instructions) of the whole launch, when its reports are explained; else NULL
    volatile bool stop;
    const volatile sig_atomic_t *asked_to_stop; // from outside; never NULL
    bool no_memory;
    uint64_t parameters,
        constants;       // copies of them and of bank 3 in global memory, for who asks for their address; 0: nobody
    uint64_t workspace;  // of cooperative launches, by which the blocks of a grid wait for each other; 0: not all fit
    uint64_t heap_used;  // bytes that malloc of the kernel has given
    bool watches_global; // global_access is to be asked
    struct global_races *races; // NULL: they are not looked for
    int global_granule;         // bytes of device memory that have one stamp: 1 << it
    const struct sim_picture *picture;
    uint64_t limit;                     // instructions of a warp
    bool limit_is_given;                // by the caller
    uint64_t at_fault;                  // instructions of a warp that an address was wrong in, and one; 0: none was
    uint64_t blocks, fit;               // of the grid; on the machine at once
    uint64_t next, resident, ended;     // blocks: to start, on the machine, over
    uint64_t acts;                      // rises when something has happened that other blocks could see
    uint64_t still_at;                  // resident.c: threads that found nothing but circles, and when
    int still_threads, threads_at_work; // host threads
    uint64_t releases,
        released_at; // resident.c: times that lanes which wait for yielding ones were let go; at which count
    uint64_t started_ms, shown_ms; // progress.c
    bool line_shown;
    struct sim_stream *(*stream_of)(void *watch, uint64_t linear); // of a block that is observed; NULL: nobody looks
    void (*block_over)(void *watch, uint64_t linear);
    void *watch;
};

// A block's own shared memory holds these bytes; what the system reserves holds them.
static inline bool is_own_shared(const struct launch_state *l, uint32_t at, uint32_t bytes) {
    return at >= l->shared_reserved && at <= l->shared_bytes && bytes <= l->shared_bytes - at;
}
static inline uint32_t system_shared_begin(const struct launch_state *l) { // behind its own
    return (l->shared_bytes + 127) & ~127u;
}
static inline bool is_system_shared(const struct launch_state *l, uint32_t at, uint32_t bytes) {
    return at < l->shared_reserved ||
           (at >= system_shared_begin(l) && at < l->shared_end && bytes <= l->shared_end - at);
}

struct block {
    struct launch_state *launch;
    uint32_t index[3];
    uint64_t linear;
    uint32_t alive; // threads
    uint8_t *shared;
    uint32_t window;              // of addresses in shared memory: the block's number in its cluster in bits 24 and up
    struct cluster *cluster, own; // `own` is that of its first block
    bool over, leaves;            // it has ended; all of its cluster have
    struct bulk *bulk;
    int bulk_count, bulk_capacity;
    uint32_t *last_write; // stamps, one a granule of shared memory (races.c)
    uint32_t *last_read, *last_atomic, *last_lane;
    uint32_t epoch_base; // stamps below are of earlier blocks
    uint32_t barriers_passed;
    bool partial_barriers;
    struct ordering
        *ordering; // of such a kernel, with fences, or in clusters: what these order (order.c); NULL: others
    struct flag_word flag[FLAG_WORDS];
    bool flagged; // one of them is in use
    bool waits;   // nothing happened in its last turns
    struct named_barrier barrier[NAMED_BARRIERS];
    uint32_t reduction;        // of the last BAR.RED that was complete
    struct warp *warp;         // (launch->warps)
    void *memory;              // in which they lie
    struct tally *tally;       // (instructions)
    uint64_t order;            // of reports within the block
    uint64_t pictured;         // requests of the instruction that is to be drawn
    struct sim_stream *stream; // (launch->warps) for an observer; NULL: nobody looks
    struct meeting *meeting;   // (meeting_capacity) mbarriers, for the observer
    int meetings, meeting_capacity;
};

struct program {
    struct sass_cubin *cubin;
    const struct sass_kernel *kernel;
    struct uop *code; // (count)
    struct detail *detail;
    struct ffma *ffma;                                // (count) those of streaks
    uint64_t (*streak_registers)[2 * REGISTER_WORDS]; // (count) that a streak reads or writes; that it writes
    uint32_t count;
    uint32_t (*constant)[LANES]; // rows of immediates and constant-bank operands
    uint32_t constant_count, constant_capacity;
    struct constant_row {
        uint32_t row;
        uint8_t bank;
        int32_t offset;
    } * bank_row; // rows that a launch fills
    uint32_t bank_row_count, bank_row_capacity;
    int registers;            // a thread may have, USETMAXREG included
    uint32_t global_requests; // instructions that make them
    bool partial_barriers;
    bool fences, meets;         // has fences; asks shared memory by atomics, strong accesses or in loops that wait
    bool reads_async;           // products, or copies to global memory, which read shared memory on their own
    bool calls_out;             // to run/system.c
    bool shared_bytes;          // touches less than a word of shared memory at once
    bool global_bytes;          // of device memory
    uint64_t unset[CELL_WORDS]; // cells that may be read before they are written
    const struct engine *engine;
};

// The functions of one compiled copy of the lane loops.
struct engine {
    const char *name;
    sim_execute *(*bind)(struct detail *d);
    void (*run)(struct warp *w, uint64_t most); // until it waits, ends, or `most` branches are done
    void (*step)(struct warp *w);               // its next instruction
    void (*start)(struct warp *w);
    void (*pass_barrier)(struct warp *w, uint32_t id);
};
extern const struct engine engine_base __attribute__((weak)), engine_v3 __attribute__((weak)),
    engine_v4 __attribute__((weak)); // those that were compiled
const struct engine *engine_choose(void);

// A warp's local memory, all ones until something is written. Nearly every kernel has 4 KB a thread (launch.c), and few touch them.
static inline uint8_t *local_memory(struct warp *w) {
    if (!w->local_used && w->local) memset(w->local, 0xff, (size_t)w->block->launch->local_bytes * LANES);
    w->local_used = true;
    return (uint8_t *)w->local;
}

// One family of instructions: the function that runs it, or one that prepares the instruction and chooses; NULL when it cannot run.
struct binding {
    enum sass_opcode opcode; // SASS_OPCODE_COUNT ends a table
    sim_execute *run;
    sim_execute *(*bind)(struct detail *d);
};
sim_execute run_nothing; // program.c: of prefetches and what only orders

// --- program.c ----------------------------------------------------------------------------------------------------------
// engine: the copy of the lane loops that is to run it.
void program_close(struct program *p);
void program_fill_constants(struct program *p, uint8_t *const bank[8], const uint32_t bytes[8]);
// Rows of constants: byte offsets for uop.source. Rows asked for one after the other lie one after the other.
uint32_t program_bank_row(struct program *p, int bank, int32_t offset);
// Makes operand i a pair of rows, low word first: an immediate double is its high word, RZ a pair of zeros.
void program_pair(const struct detail *d, int i);
void program_immediate_pair(const struct detail *d, int i, uint64_t value); // the same of this number
void program_text(const struct program *p, uint32_t index, char *text, size_t size);
// The name of a register, uniform register or predicate; NULL: the cell is none.
const char *program_cell(uint32_t cell, char name[8]);
static inline bool same_place(const struct detail *one, const struct detail *other) { // by the registers that are named
    const struct sass_operand *a = &one->instruction.operand[SASS_M], *b = &other->instruction.operand[SASS_M];
    return a->number == b->number && a->value == b->value && a->has_base == b->has_base && a->uniform == b->uniform;
}
void program_find_polls(struct program *p); // polls.c
bool program_follow(struct program *p);     // flow.c; false: not enough host memory

#define warpgroup_has_issued SIM_NAME(warpgroup_has_issued)
bool warpgroup_has_issued(const struct warp *w,
                          const struct uop *u); // ops/warpgroup.c, of an instruction with WAIT_FOR_FOUR

// --- scoreboard.c -------------------------------------------------------------------------------------------------------
// These lanes write a cell: what was never written is gone there. A uniform one is written whole.
static inline void now_written(struct warp *w, uint32_t number, uint32_t mask) {
    const bool uniform = number >= CELL_UNIFORM && (number < CELL_PREDICATE || number >= CELL_PREDICATE + 8);
    if (w->hazards.any_unwritten) w->hazards.unwritten[number].lanes &= uniform ? 0 : ~mask & w->alive;
}
// To be called when `ready` or `holds` of a cell has changed, unless it was not busy and has got a result of fixed latency.
void note_busy(struct warp *w, uint32_t number);
void scoreboard_wait(struct warp *w, uint32_t mask);
// DEPBAR.LE: waits until `left` of the texture fetches of a scoreboard are on their way, which return in order. False when
// none is.
bool scoreboard_leave(struct warp *w, uint32_t number, int left);
void scoreboard_forget(struct warp *w, uint32_t lanes); // they end: what they have not read yet holds no register
void scoreboard_issue(struct warp *w, const struct uop *u, uint32_t mask);
void scoreboard_skip(struct warp *w, const struct uop *u); // an instruction that no lane executes still covers

// A block of the cluster by its number; NULL when there is none, or it has ended.
static inline struct block *cluster_block(const struct block *b, uint32_t number) {
    const struct cluster *c = b->cluster;
    return number < c->size && !c->block[number]->over ? c->block[number] : NULL;
}

static inline uint32_t lanes_count(uint32_t mask) {
    return (uint32_t)__builtin_popcount(mask);
}
static inline int first_lane(uint32_t mask) {
    return __builtin_ctz(mask);
}
// l is one lane of the mask after the other.
#define EACH_LANE(l, mask)                                                                                             \
    for (uint32_t rest_of_##l = (mask), l; rest_of_##l && (l = (uint32_t)__builtin_ctz(rest_of_##l), true);            \
         rest_of_##l &= rest_of_##l - 1)
