// The simulated machine's shared structs: decoded instruction, warp, block, launch, program.
//
// Files with lane loops (LANES in sasskit.mk) are compiled for the building processor, or three
// times: for any x86-64, -march=x86-64-v3 and v4. SIM_NAME distinguishes the copies, and engine.c
// chooses one at run time.
#pragma once

#include "isa/cubin.h"
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
    UOP_CONTROL = 1, // may change the program counter or the active lanes: warp.c calls detail.act
    UOP_UNIFORM = 2, // runs once per warp
    UOP_SLOW = 4,    // needs rare checks: more cells than cell_in holds, a wrong reuse flag
    UOP_BARRIER = 8, // sets a write or read scoreboard, or takes variable time
    UOP_VARIABLE = 16,
    UOP_OBSERVED = 32, // has words of its own in an observer's stream (observer.c)
    UOP_GUARDED = 64,
    UOP_SOUND = 128, // after `behind` instructions of straight-line code its sources are ready
};

// Bits of uop.wait. WAIT_FOR_FOUR: until all four warps have issued the MMAs that it waits for.
enum { WAIT_SCOREBOARDS = 63, WAIT_FOR_FOUR = 64 };

// A decoded instruction. 64 bytes; data that is rarely needed is in `detail`.
struct uop {
    sim_execute *execute;
    const struct detail *detail;
    // operands
    uint32_t source[3];     // byte offsets of the rows of operands A, B, C from base[source_base]
    uint16_t d;             // destination row
    uint8_t source_base[3]; // 0 if the warp's rows; 1: the program's constants
    uint8_t guard;          // predicate
    uint8_t guard_negate;   // 0 or 1
    uint8_t flags;
    // control column
    uint8_t stall;
    uint8_t wait;                        // mask of scoreboards, and WAIT_FOR_FOUR
    uint8_t write_barrier, read_barrier; // scoreboards; 7: none
    // hazards
    uint8_t latency;   // of the result; 0: variable
    uint8_t out_count; // cells cell_out .. cell_out + out_count - 1 are written
    uint16_t cell_out;
    uint16_t cell_in[4]; // cells read, as byte offsets from warp.cell; unused: CELL_NONE
    // runs of instructions
    // number of FFMAs from here on that run as one streak (run/warp.c); 0 if there is none
    uint8_t streak;
    uint8_t behind;  // UOP_SOUND: number of preceding instructions that cover every latency
    uint16_t cycles; // of the streak
    uint8_t late;    // number of the streak's last results that are not ready at its end
    uint8_t unused[3];
};

_Static_assert(sizeof(struct uop) % 64 == 0 || sizeof(void *) != 8, "uops fill cache lines");

// An FFMA whose operands are plain registers, in few bytes, so that many fit in the cache.
struct ffma {
    uint8_t a, b, c, d; // rows; d is also the cell
    uint8_t stall, latency;
};

// How an instruction touches memory.
enum access {
    ACCESS_READ,
    ACCESS_LOAD, // LDS
    ACCESS_WRITE,
    ACCESS_ATOMIC,
    ACCESS_COPY,
    // The load of an atomic that is a compare-and-swap loop; a strong load of device memory.
    ACCESS_SPIN,
    ACCESS_FLAG, // a strong store
    ACCESS_POLL  // a strong load of shared memory, or a load in a polling loop
};

// The less frequently used part of a decoded instruction.
struct detail {
    struct sass_instruction instruction;
    struct program *program;
    struct uop *uop;
    uint32_t index; // in the code
    // operands
    uint32_t keep[3], flip[3]; // the operation uses (value & keep) ^ flip
    uint8_t pu, pv;            // predicates written; PREDICATE_TRASH: none
    uint8_t pp, pq, pr;        // predicates read
    uint32_t pp_flip, pq_flip, pr_flip;
    uint32_t addend; // IADD3: number of negated operands, each of which adds 1
    uint8_t width;   // bytes per lane of a memory access
    uint8_t shift;
    // 1 << shift, for LEA and addresses of LDS: compilers for WebAssembly shift lane by lane.
    uint32_t factor;
    // memory
    uint16_t base, uniform; // rows of an address
    uint8_t memo;           // index of the memo for requests to device memory
    uint8_t unread;         // mask of a wide load's words that nothing reads (flow.c)
    uint8_t copied;         // mask of a wide load's words that are only copied (flow.c)
    bool wide, unsigned32;
    bool is_shared; // LDS or STS
    bool spills;    // loads or stores a spilled register
    bool elects;    // WARPSYNC of an elect.sync, which orders no memory
    bool called;    // the target of a CALL
    bool waits;     // a strong load in a loop without other accesses: it may wait for a value
    // A strong load whose value is only stored or computed with: data, not a flag.
    bool data;
    bool looks;  // a load whose address a following atomic accesses again
    bool packed; // BAR: id and, in the upper half, count share a register
    // ACCESS_SPIN: load in a compare-and-swap loop; ACCESS_POLL: LDS in a polling loop; else 0.
    enum access spins;
    uint32_t target;   // instruction index
    uint32_t position; // checks/causes.c: 1 + its source line or its index; 0 if not computed yet
    // hazards
    struct uop_cells {
        uint16_t in[SASS_MAX_TOUCHES], out[SASS_MAX_TOUCHES];
        struct sass_touch read[SASS_MAX_TOUCHES]; // the operands of the cells of `in`
        struct sass_touch written[SASS_MAX_TOUCHES];
        uint8_t in_count, out_count;
        uint32_t held; // mask of the cells of `in` that may be read late (isa/latency.h)
    } cells;
    uint8_t queue; // enum sass_queue
    // Largest distance in cycles that readers of its register and of its predicate must keep.
    uint8_t longest[2];
    enum sass_unit unit;
    // register banks
    int bank_cycles;      // cycles to read the operands after the previous instruction
    int bank_cycles_jump; // cycles to read the operands after a jump
    int bank_reads[2];    // registers that each bank reads after the previous instruction
    int reuse_hits;
    // special cases
    // The variable on the stack that the access must stay in; NULL if unknown.
    const struct sass_array *array;
    // Distance of its first byte from the stack pointer at the access.
    int32_t array_at;
    char *stale;      // describes a wrong reuse flag; NULL if there is none
    char *unknown;    // why the simulator cannot run the instruction; NULL if it can
    sim_execute *act; // effect of a control instruction
};

// Returns the row of word i of a load (fields.def, 256 bits).
static inline uint16_t row_of_word(const struct uop *u, uint32_t i) {
    const struct sass_operand *o = u->detail->instruction.operand, *to = &o[i < 4 ? SASS_D : SASS_E];
    const unsigned asked = (unsigned)o[SASS_I].value & (i < 4 ? 0x0f : 0xf0), before = asked & ((1u << i) - 1);
    if (u->detail->width < 32) return (uint16_t)(u->d + i);
    return asked >> i & 1 && to->number != SASS_RZ ? (uint16_t)(to->number + __builtin_popcount(before)) : ROW_TRASH;
}

// Counts of one instruction over a launch. While the launch runs, `executed` and `lanes` are
// differences from the previous instruction, changed only at the start of straight-line code and
// after its end; for an instruction without a guard, `threads` and `active` exclude what these
// imply. resident.c computes the sums.
struct tally {
    uint64_t executed;                     // warp instructions
    uint64_t threads;                      // thread instructions
    uint64_t active;                       // warp instructions that at least one lane executes
    uint64_t requests, sectors;            // memory requests; 32-byte sectors of global memory
    uint64_t turns;                        // global loads: cycles of L1's banks
    uint64_t lines;                        // global loads: 128-byte lines, at least 4 per request
    uint64_t wavefronts, least_wavefronts; // shared memory
    uint64_t arrivals;                     // executions to which a jump led
    uint64_t lanes;                        // thread instructions regardless of their guard
    // local memory, whose words are interleaved by lane: a request moves one word of each lane
    uint64_t local_requests, local_sectors;
    uint64_t local_lines; // 128-byte lines, at least 4 per request
    // divergence
    uint64_t splits; // how often lanes of a warp left for another instruction than the others
    uint64_t again;  // splits after the first one of an execution: a jump to three places has two
};

struct cell {
    uint64_t ready;      // issue cycle from which it can be read; IN_FLIGHT: a scoreboard guards it
    uint32_t writer;     // index of the last instruction that writes it
    uint32_t reader;     // index of the last variable-latency instruction that reads it
    uint32_t lanes;      // lanes with a load in flight to it
    uint32_t latest;     // lanes of the last writer among these
    uint32_t read_lanes; // lanes whose reads hold it
    uint32_t read_order; // while held: warp.order of its last reader in a queue; 0 if there is none
    uint16_t pending;    // loads in flight to it
    uint8_t holds;       // mask of the read scoreboards of instructions that may not have read it
    uint8_t queue;       // enum sass_queue of the reader with read_order
};

enum group_state { GROUP_READY, GROUP_SYNC, GROUP_WARPSYNC, GROUP_BARRIER };

// Converged lanes of a warp.
struct group {
    uint32_t mask, pc;
    enum group_state state;
    uint32_t what;  // what it waits for: convergence register, mask, or named barrier
    uint32_t named; // mask of the last WARPSYNC, while these lanes stay converged; 0 if unknown
    bool yielded;   // has executed a YIELD
};

enum warp_state { WARP_READY, WARP_WAITS, WARP_DONE, WARP_STOPPED };

struct pending_list {
    uint16_t count;
    uint16_t cell[1022]; // scoreboard.c
};

struct block;

// Blocks that can access each other's shared memory: at least one.
struct cluster {
    struct block *block[MAX_CLUSTER];
    uint32_t size;
    uint32_t arrived; // threads at the cluster's barrier
    uint32_t phase;   // how often that barrier was passed
};

struct spin {       // an observed loop that may be a polling loop
    bool asked;     // this iteration has read something that others may write
    uint32_t pc;    // start of an iteration
    size_t before;  // position in the stream of the previous iteration; 0 if there is none
    size_t begin;   // position in the stream of this iteration; 0 if there is none
    uint64_t state; // hash of the registers at `begin`; 0 if unknown
};

struct warp {
    _Alignas(64) uint32_t row[ROWS][LANES];
    const char *base[2]; // bases of uop.source

    // Invariant: the members from here to `block` are zero when a block starts.
    uint32_t predicate[PREDICATES];
    // hazards
    struct cell cell[CELLS];
    uint64_t busy[2 * REGISTER_WORDS]; // sets of registers: in flight or undefined; held by readers
    // Convergence registers: per lane, the mask of lanes that it waits for.
    uint32_t convergence[CONVERGENCE_REGISTERS][LANES];
    // scoreboards
    // Cycle from which a wait sees the latest setting.
    uint64_t counts_from[SCOREBOARDS];
    // Number of instructions so far that went to a queue.
    uint64_t order;
    // [scoreboard][queue] `order` of the last instruction of the queue that set the scoreboard
    uint64_t order_of[SCOREBOARDS][SASS_QUEUE_COUNT];
    // Mask of the queues with an instruction that set it and is not waited for yet.
    uint8_t queues_of[SCOREBOARDS];
    // Per queue: the instructions up to this `order` have read their sources.
    uint64_t read_through[SASS_QUEUE_COUNT];
    // progress
    uint64_t executed;            // instructions, up to the last branch
    uint64_t asked;               // polls so far: reads of values that other warps may change
    uint64_t asked_at;            // `asked` when launch->acts reached acts_at
    uint32_t set_by[SCOREBOARDS]; // instruction that set the scoreboard last
    // Number of entries in unguarded[] that a later result with this scoreboard covers.
    uint16_t covered[SCOREBOARDS][SASS_UNIT_COUNT];
    uint32_t covering; // mask of the scoreboards that cover entries
    uint32_t named;    // mask of the last WARPSYNC
    uint32_t named_by; // lanes that were active after it
    bool yield;        // another group may run now
    bool resumes;      // resumes at an instruction that had to wait
    uint64_t switched; // clock when the active lanes became active
    bool local_used;   // local memory was accessed in this block
    bool tiled;        // a NOP synchronises the lanes of `tile`

    struct block *block;
    // identity
    uint64_t clock;            // issue cycles
    uint32_t index;            // in the block
    uint32_t lanes;            // mask of the lanes that the block has
    uint32_t thread[3][LANES]; // thread indices in the block
    uint32_t alive;            // mask
    // groups
    uint32_t pc, active; // of the current group
    enum warp_state state;
    struct group group[MAX_GROUPS];
    int group_count, current;
    // results in flight
    struct pending_list pending[SCOREBOARDS];
    struct pending_list unguarded[SASS_UNIT_COUNT]; // results without a scoreboard
    // Phase in which the warp arrived at the cluster's barrier.
    uint32_t cluster_phase;
    // [local_bytes / 4][LANES], then per word the mask of the lanes that have written it; use
    // local_memory()
    uint32_t *local;
    uint32_t tile[LANES]; // if `tiled`: each lane's mask
    // progress
    bool acted;        // has done something that other warps can observe, since this was cleared
    bool acted_before; // `acted` before lanes began to wait for others
    uint64_t acts_at;  // value of launch->acts
    // instructions (ops/state.h)
    struct warp_requests requests;
    struct warp_copies copies;
    struct warp_products products;
    struct warp_bulk bulk;
    // checks (checks/state.h)
    struct warp_hazards hazards;
    struct warp_races races;
    struct warp_flags flags;
    struct evidence evidence; // for the next report
    struct touched touched[TOUCHES];
    // observer (observer.c)
    struct warp_watch {
        struct sim_stream *stream; // NULL if not observed
        size_t request;            // position of the latest request's word
        uint64_t wavefronts;
        uint32_t lanes; // that executed it
        struct spin spin;
    } watch;
};

struct named_barrier {
    uint32_t arrived;  // threads
    uint32_t expected; // threads; 0: all that are alive
    uint32_t place;    // instruction by which the first warp arrived
    uint32_t reduce_count, reduce_and, reduce_or;
    bool reduces;
    int how; // 0: count, 1: and, 2: or
};

struct program; // a decoded kernel
struct sim_memory;

// State that all blocks of a launch share.
struct launch_state {
    struct program *program;
    struct sim_memory *memory;
    // shape
    uint32_t grid[3], block[3];
    uint32_t cluster[3];
    uint32_t threads, warps; // per block
    // memory per block
    uint32_t shared_bytes;    // the block's own shared memory and the reserved bytes before it
    uint32_t shared_reserved; // the reserved bytes: the kernel's own addresses start after them
    uint32_t shared_end;      // end of the bytes reserved after its own, for kernels before sm_90
    int granule;              // one stamp covers 1 << granule bytes of shared memory: 1 or 4 bytes
    uint32_t local_bytes;
    uint8_t *constant[8];
    uint32_t constant_bytes[8];
    struct reports *reports;
    uint32_t dynamic_shared; // bytes that the launch asked for
    // [instructions] counts of the completed launch; NULL if still running
    const struct tally *counted;
    // end of the launch
    volatile bool stop;
    const volatile sig_atomic_t *asked_to_stop; // set by the caller; never NULL
    bool no_memory;
    // device memory
    uint64_t parameters;        // address of a copy of the parameters; 0 if the kernel needs none
    uint64_t constants;         // address of a copy of constant bank 3; 0 if the kernel needs none
    uint64_t workspace;         // address of the grid barrier's workspace; 0 if not all blocks fit
    uint64_t heap_used;         // bytes that the kernel has allocated by malloc
    bool watches_global;        // global_access() must be called
    bool watches_overlaps;      // global_store() must be called
    struct global_races *races; // NULL if races in device memory are not checked
    int global_granule;         // one stamp covers 1 << global_granule bytes of device memory
    const struct sim_picture *picture;
    // limits
    uint64_t limit;      // instructions per warp
    bool limit_is_given; // by the caller
    // 1 + the number of instructions that a warp had executed when its address was wrong; 0 if
    // there is none was wrong.
    uint64_t at_fault;
    // blocks
    uint64_t blocks;   // of the grid
    uint64_t fit;      // blocks that the machine holds at once
    uint64_t next;     // linear index of the next block to start
    uint64_t resident; // blocks on the machine
    uint64_t ended;    // blocks
    uint64_t acts;     // number of events so far that other blocks can observe
    // deadlocks (resident.c)
    // Value of `acts` at which host threads found only polling warps.
    uint64_t still_at;
    int still_threads;   // host threads that found only polling warps
    int threads_at_work; // all host threads
    // Number of releases of lanes that waited for yielding lanes.
    uint64_t releases;
    uint64_t released_at; // value of `acts` at the latest release
    // progress.c
    uint64_t started_ms, shown_ms;
    bool line_shown;
    // observer
    struct sim_stream *(*stream_of)(void *watch, uint64_t linear); // NULL if no block is observed
    void (*block_over)(void *watch, uint64_t linear);
    void *watch;
};

// Returns true if the bytes lie within the block's own shared memory.
static inline bool is_own_shared(const struct launch_state *l, uint32_t at, uint32_t bytes) {
    return at >= l->shared_reserved && at <= l->shared_bytes && bytes <= l->shared_bytes - at;
}
// Returns the address of the shared memory that the system reserves after the block's own.
static inline uint32_t system_shared_begin(const struct launch_state *l) {
    return (l->shared_bytes + 127) & ~127u;
}
// Returns true if the bytes lie within shared memory that the system reserves.
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
    // Base of its shared addresses in the cluster: its rank << 24.
    uint32_t window;
    struct cluster *cluster, own; // `own` is the cluster if this is its first block
    bool over;                    // the block has ended
    bool leaves;                  // its whole cluster has ended
    // copies by the copy engine
    struct bulk *bulk;
    int bulk_count, bulk_capacity;
    // checks
    uint32_t *last_write; // stamps, one per granule of shared memory (races.c)
    uint32_t *last_read, *last_atomic, *last_lane;
    uint32_t epoch_base; // smaller epochs belong to earlier blocks
    uint32_t barriers_passed;
    bool partial_barriers;
    // order.c; NULL if the kernel has no partial barriers, fences or cluster
    struct ordering *ordering;
    struct flag_word flag[FLAG_WORDS];
    bool flagged; // at least one flag is in use
    // barriers
    bool waits; // nothing happened in its latest time slices
    struct named_barrier barrier[NAMED_BARRIERS];
    uint32_t reduction;  // result of the last completed BAR.RED
    struct warp *warp;   // [launch->warps]
    void *memory;        // allocation that holds `warp`
    struct tally *tally; // [instructions]
    uint64_t order;      // number of reports so far
    // observers
    uint64_t pictured;         // requests so far by the pictured instruction
    struct sim_stream *stream; // [launch->warps]; NULL if not observed
    // [mbarrier_record_capacity] mbarriers, for the observer.
    struct mbarrier_record *mbarrier_records;
    int mbarrier_record_count, mbarrier_record_capacity;
};

struct program {
    struct sass_cubin *cubin;
    const struct sass_kernel *kernel;
    // instructions
    struct uop *code; // [count]
    struct detail *detail;
    struct ffma *ffma; // [count] the FFMAs of streaks
    // [count] sets of registers: that a streak reads or writes; that it writes
    uint64_t (*streak_registers)[2 * REGISTER_WORDS];
    uint32_t count;
    // constants
    uint32_t (*constant)[LANES]; // rows of immediates and constant-bank operands
    uint32_t constant_count, constant_capacity;
    struct constant_row {
        uint32_t row;
        uint8_t bank;
        int32_t offset;
    } * bank_row; // rows that a launch fills
    uint32_t bank_row_count, bank_row_capacity;
    // properties
    int registers;            // per thread at most, including USETMAXREG
    uint32_t global_requests; // instructions that access global memory
    bool partial_barriers;    // has barriers for a part of the block
    bool fences;
    bool meets;                 // has atomics, strong accesses or polling loops on shared memory
    bool reads_async;           // has MMAs or copies that read shared memory asynchronously
    bool calls_out;             // calls functions of run/system.c
    bool shared_bytes;          // has accesses to less than a word of shared memory
    bool global_bytes;          // has accesses to less than a word of device memory
    uint64_t unset[CELL_WORDS]; // set of the cells that may be read before they are written
    const struct engine *engine;
};

// The functions of one compiled copy of the lane loops.
struct engine {
    const char *name;
    sim_execute *(*bind)(struct detail *d);
    // Runs a warp until it waits, ends, or has executed `most` branches.
    void (*run)(struct warp *w, uint64_t most);
    void (*step)(struct warp *w); // runs the next instruction
    void (*start)(struct warp *w);
    void (*pass_barrier)(struct warp *w, uint32_t id);
    // A UBLKRED: true if its operation and type are known; combines bytes with global memory.
    bool (*reduces)(const struct sass_modifiers *mod);
    void (*reduce)(struct warp *w, const struct detail *m, uint8_t *to, const uint8_t *from, uint32_t bytes);
};
// NULL if that copy was not compiled.
extern const struct engine engine_base __attribute__((weak)), engine_v3 __attribute__((weak)),
    engine_v4 __attribute__((weak));
const struct engine *engine_choose(void);

// Returns the warp's local memory, which is filled with ones at the first call in a block: nearly
// every kernel has 4 KB per thread (launch.c), and few use it.
static inline uint8_t *local_memory(struct warp *w) {
    const size_t bytes = w->block->launch->local_bytes;
    if (!w->local_used && w->local) {
        memset(w->local, 0xff, bytes * LANES);
        memset(w->local + bytes / 4 * LANES, 0, bytes);
    }
    w->local_used = true;
    return (uint8_t *)w->local;
}
// Returns the mask of the lanes that have written the word of their local memory at this address.
// Requires: local_memory() was called in this block.
static inline uint32_t *local_written(struct warp *w, uint32_t address) {
    return w->local + w->block->launch->local_bytes / 4 * LANES + address / 4;
}

// The function that runs a family of instructions (`run`), or one that prepares an instruction and
// returns the function that runs it (`bind`; NULL if the simulator cannot run it).
struct binding {
    enum sass_opcode opcode; // SASS_OPCODE_COUNT ends a table
    sim_execute *run;
    sim_execute *(*bind)(struct detail *d);
};
sim_execute run_nothing; // program.c: for prefetches and instructions that only order memory

// --- program.c -----------------------------------------------------------------------------------
void program_close(struct program *p);
void program_fill_constants(struct program *p, uint8_t *const bank[8], const uint32_t bytes[8]);
// Returns the byte offset, for uop.source, of a row that holds a word of a constant bank.
// Ensures: rows requested one after the other are adjacent.
uint32_t program_bank_row(struct program *p, int bank, int32_t offset);
// Makes operand i a pair of rows, low word first. An immediate double is given by its high word; RZ
// becomes a pair of zeros.
void program_pair(const struct detail *d, int i);
// Makes operand i a pair of rows that hold `value`.
void program_immediate_pair(const struct detail *d, int i, uint64_t value);
// Sets text to the instruction's disassembly.
void program_text(const struct program *p, uint32_t index, char *text, size_t size);
// Returns the name of a register, uniform register or predicate; NULL if the cell is none of these.
const char *program_cell(uint32_t cell, char name[8]);
// Returns true if two memory instructions have equal address operands.
static inline bool same_place(const struct detail *one, const struct detail *other) {
    const struct sass_operand *a = &one->instruction.operand[SASS_M], *b = &other->instruction.operand[SASS_M];
    return a->number == b->number && a->value == b->value && a->has_base == b->has_base && a->uniform == b->uniform;
}
// polls.c: finds the loads by which warps synchronise.
void program_find_polls(struct program *p);
// flow.c: analyses the control flow. Returns false if the host has too little memory.
bool program_follow(struct program *p);
// Notes the variable on the stack that an access must stay in, where the code says which
// (arrays.c).
void program_find_arrays(struct program *p);

#define warpgroup_has_issued SIM_NAME(warpgroup_has_issued)
// ops/warpgroup.c: returns true if all four warps have issued the MMAs that `u` waits for.
bool warpgroup_has_issued(const struct warp *w, const struct uop *u);

// --- scoreboard.c --------------------------------------------------------------------------------

// True if the register's last reader is known to have read it, since its queue is past it.
static inline bool scoreboard_was_read(const struct warp *w, const struct cell *cell) {
    return cell->read_order && cell->read_order <= w->read_through[cell->queue];
}
// Marks a cell as defined in these lanes, which write it; a uniform cell in all lanes.
static inline void now_written(struct warp *w, uint32_t number, uint32_t mask) {
    const bool uniform = number >= CELL_UNIFORM && (number < CELL_PREDICATE || number >= CELL_PREDICATE + 8);
    if (w->hazards.any_unwritten) w->hazards.unwritten[number].lanes &= uniform ? 0 : ~mask & w->alive;
}
// Updates warp.busy. Call it after changing `ready` or `holds` of a cell; not required for a
// fixed-latency result in a cell that was not busy.
void note_busy(struct warp *w, uint32_t number);
// Waits for the scoreboards of `mask`.
void scoreboard_wait(struct warp *w, uint32_t mask);
// DEPBAR.LE: waits until at most `left` texture fetches of a scoreboard are in flight; they return
// in order. Returns false if none is in flight.
bool scoreboard_leave(struct warp *w, uint32_t number, int left);
// For lanes that exit: releases the registers that their outstanding reads hold.
void scoreboard_forget(struct warp *w, uint32_t lanes);
void scoreboard_issue(struct warp *w, const struct uop *u, uint32_t mask);
// Accounts for an instruction that no lane executes: its scoreboard still covers earlier results.
void scoreboard_skip(struct warp *w, const struct uop *u);

// Returns a block of the cluster by its rank; NULL if there is none, or it has ended.
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
// Iterates over the lanes of a mask; l is the lane.
#define EACH_LANE(l, mask)                                                                                             \
    for (uint32_t rest_of_##l = (mask), l; rest_of_##l && (l = (uint32_t)__builtin_ctz(rest_of_##l), true);            \
         rest_of_##l &= rest_of_##l - 1)
