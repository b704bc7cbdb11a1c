// The simulated machine's shared structs: decoded instruction, warp, block, launch, program.
//
// sasskit.mk lists the files with loops over a warp's lanes. They are compiled for the processor of
// the building machine; with PORTABLE=1, three times: for any x86-64, for -march=x86-64-v3 and for
// v4. SIM_NAME distinguishes the copies, and run/engine.c chooses one when the program runs.
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
    UOP_CONTROL = 1, // may change the program counter or the active lanes
    UOP_UNIFORM = 2, // is executed once per warp, not per lane
    // is checked by the slow path: its reuse flag is wrong, or it has more cells than cell_in and
    // out_count describe
    UOP_SLOW = 4,
    // sets a write or read scoreboard, has a variable latency, or may read its sources late
    UOP_BARRIER = 8,
    UOP_VARIABLE = 16, // has a result of variable latency
    UOP_OBSERVED = 32, // the stream of an observed warp describes it (observed.c)
    UOP_GUARDED = 64,  // has a guard other than PT
    // fixed-latency sources are ready if the preceding `behind` instructions ran in sequence
    UOP_SOUND = 128,
};

// Bits of uop.wait. WAIT_FOR_FOUR waits until all four warps of the warpgroup have issued the MMAs
// that the instruction waits for.
enum { WAIT_SCOREBOARDS = 63, WAIT_FOR_FOUR = 64 };

// A decoded instruction in 64 bytes; `detail` has what is rarely needed. A row is one register of
// all 32 lanes; a cell is a register or predicate in the checks of hazards (sizes.h).
struct uop {
    sim_execute *execute;
    const struct detail *detail;
    // --- operands
    uint32_t source[3];     // byte offsets of the rows of A, B and C from warp.base[]
    uint16_t d;             // row of the destination
    uint8_t source_base[3]; // per operand, index of warp.base: 0 the warp's rows, 1 constants
    uint8_t guard;          // number of the guard predicate
    uint8_t guard_negate;   // 1 if the guard is negated
    uint8_t flags;
    // --- control column
    uint8_t stall;
    uint8_t wait; // mask of scoreboards, and WAIT_FOR_FOUR
    // scoreboards set when the result is ready, and when the sources are read; 7 for none
    uint8_t write_barrier, read_barrier;
    // --- hazards
    uint8_t latency;   // latency of the result in cycles; 0 if it is variable
    uint8_t out_count; // number of adjacent cells written; with UOP_SLOW, there may be more
    uint16_t cell_out;
    // byte offsets from warp.cell of the first cells read, then of CELL_NONE
    uint16_t cell_in[4];
    // --- runs of instructions
    uint8_t streak;  // number of FFMAs in the streak (run/warp.c) that starts here; 0 if none
    uint8_t behind;  // if UOP_SOUND: number of preceding instructions that must run in sequence
    uint16_t cycles; // cycles that the streak takes
    uint8_t late;    // how many of the streak's last results are not ready when it ends
    uint8_t unused[3];
};

_Static_assert(sizeof(struct uop) % 64 == 0 || sizeof(void *) != 8, "uops fill cache lines");

// An FFMA with plain register operands. It is small, so that many fit into the processor's cache.
struct ffma {
    uint8_t a, b, c, d; // row numbers; d is also the cell's number
    uint8_t stall, latency;
};

// Ways in which an instruction accesses memory.
enum access {
    ACCESS_READ,
    ACCESS_LOAD, // a read by LDS, LDG or LD
    ACCESS_WRITE,
    ACCESS_ATOMIC,
    ACCESS_COPY, // an asynchronous copy
    // a load that belongs to an atomic (polls.c), a strong load of device memory, or an access to
    // an mbarrier
    ACCESS_SPIN,
    ACCESS_FLAG, // a strong store
    ACCESS_POLL  // a strong load of shared memory, or an LDS in a polling loop
};

// The less frequently used part of a decoded instruction.
struct detail {
    struct sass_instruction instruction;
    struct program *program;
    struct uop *uop;
    uint32_t index; // index of the instruction in the kernel's code
    // --- operands
    uint32_t keep[3], flip[3]; // the operation uses (source & keep) ^ flip
    uint8_t pu, pv;            // predicates written; PREDICATE_TRASH if there is none
    uint8_t pp, pq, pr;        // predicates read
    uint32_t pp_flip, pq_flip, pr_flip;
    // IADD3 without .X: number of negated operands, each of which adds 1 (two's complement)
    uint32_t addend;
    uint8_t width; // bytes per lane of a memory access; bind functions may keep another number here
    uint8_t shift; // a shift, or another number that the bind function keeps
    // LEA: 1 << shift; memory accesses: the factor of the row `base` in the address. (Shifts would
    // not be vectorised for WebAssembly.)
    uint32_t factor;
    // --- memory
    uint16_t base, uniform; // rows from which an address is computed
    uint8_t memo;           // index in warp_requests.global_memo (ops/state.h)
    uint8_t unread;         // mask of the words of a wide load that are never read (flow.c)
    uint8_t copied;         // mask of the words of a generic load that are only copied (flow.c)
    bool wide, unsigned32;  // two properties whose meaning depends on the bind function
    bool is_shared;         // true for LDS and STS
    bool spills;            // true for a load or store of a spilled register
    bool changes; // true for a store to device memory that depends on a load of the same element
    bool adds;    // true if `changes`, and the source line adds or is unknown
    bool elects;  // true for the WARPSYNC of an elect.sync, which orders no memory accesses
    bool called;  // true if a direct CALL leads to the instruction
    // true for a strong load that may poll: in or before a loop without stores, or in a callee
    bool waits;
    // true for a strong load of data, not of a flag: its value is stored, but not tested
    bool data;
    bool looks;  // true for a load shortly before an atomic on the same address
    bool packed; // true if one register of a BAR holds the id and, in its upper half, the count
    // ACCESS_SPIN for a load that belongs to an atomic, ACCESS_POLL for an LDS that polls,
    // otherwise 0 (polls.c)
    enum access spins;
    uint32_t target; // direct jump: index of its target; LEPC, jump by a register: byte offset
    // position in the source, for checks/cause_code.c: 1 + the source line or, without lines, 1 +
    // the index; 0 if not computed yet
    uint32_t position;
    // --- hazards
    struct uop_cells {
        uint16_t in[SASS_MAX_TOUCHES], out[SASS_MAX_TOUCHES];
        struct sass_touch read[SASS_MAX_TOUCHES]; // operand of each cell of `in`
        struct sass_touch written[SASS_MAX_TOUCHES];
        uint8_t in_count, out_count;
        uint32_t held; // mask of the cells of `in` that may be read late (isa/latency.h)
    } cells;
    uint8_t queue; // enum sass_queue
    // [0: register, 1: predicate] largest distance, in cycles, that a reader of the result must
    // keep; 0 if a scoreboard guards the result
    uint8_t longest[2];
    enum sass_unit unit;
    // --- register banks
    int bank_cycles;      // cycles to read the operands right after the preceding instruction
    int bank_cycles_jump; // cycles to read the operands after a jump
    int bank_reads[2];    // [bank] number of registers read in `bank_cycles`
    int reuse_hits;
    // --- special cases
    const struct sass_array *array; // stack variable that the access must stay in; NULL if unknown
    int32_t array_at; // distance in bytes of the variable from the stack pointer at the access
    char *stale;      // describes a wrong reuse flag; NULL if there is none
    char *unknown;    // why the simulator cannot run the instruction; NULL if it can
};

// Returns the row that receives word i of a load (fields.def explains loads of 256 bits).
static inline uint16_t row_of_word(const struct uop *u, uint32_t i) {
    const struct sass_operand *o = u->detail->instruction.operand,
                              *to = &o[i < 4 ? SASS_D : SASS_E];
    const unsigned asked = (unsigned)o[SASS_I].value & (i < 4 ? 0x0f : 0xf0),
                   before = asked & ((1u << i) - 1);
    if (u->detail->width < 32) return (uint16_t)(u->d + i);
    return asked >> i & 1 && to->number != SASS_RZ
               ? (uint16_t)(to->number + __builtin_popcount(before))
               : ROW_TRASH;
}

// Counts of one instruction over a launch. During the launch, `executed` and `lanes` are
// differences from the preceding instruction's counts. So a run of straight-line code changes only
// two entries: that of its first instruction, and that after its last. `threads` and `active` count
// only instructions with a guard. After the launch, run/resident.c sums them.
struct tally {
    uint64_t executed;          // executions by warps
    uint64_t threads;           // executions by lanes whose guard was true
    uint64_t active;            // executions by warps in which at least one lane's guard was true
    uint64_t requests, sectors; // memory requests; 32-byte sectors of global memory that they touch
    uint64_t bank_cycles;       // cycles of L1's banks, for loads of global memory
    uint64_t lines;             // 128-byte lines of global loads, at least 4 per request (kernel.h)
    // wavefronts of shared memory: number taken, and number without bank conflicts
    uint64_t wavefronts, least_wavefronts;
    uint64_t arrivals; // executions that a jump led to
    uint64_t lanes;    // executions by lanes, whatever their guard
    // --- local memory: a request has one word per lane; adjacent lanes' words are adjacent
    uint64_t local_requests, local_sectors;
    uint64_t local_lines; // 128-byte lines, at least 4 per request
    // --- divergence
    uint64_t splits; // how often some lanes of a warp jumped away from the others
    // splits beyond the first in one execution (a jump to three targets splits twice)
    uint64_t again;
};

// What the checks know of one register or predicate of a warp.
struct cell {
    // issue cycle from which the cell can be read; IN_FLIGHT before a wait for its scoreboard;
    // UNWRITTEN if it is undefined in some lanes
    uint64_t ready;
    uint32_t writer;     // index of the last instruction that wrote the cell
    uint32_t reader;     // index of the last instruction that could read it late
    uint32_t lanes;      // lanes whose variable-latency result is in flight
    uint32_t latest;     // lanes of the latest instruction with such a result
    uint32_t read_lanes; // lanes for which a pending read holds the cell
    // value of warp.order for the queued instruction that may still read the cell; 0 if none
    uint32_t read_order;
    uint16_t pending; // number of variable-latency results in flight
    // mask of the read scoreboards of instructions that may still read the cell (bit 6: a warpgroup
    // MMA, bit 7: an instruction without a read scoreboard)
    uint8_t holds;
    uint8_t queue; // queue of the instruction of `read_order`
};

enum group_state { GROUP_READY, GROUP_SYNC, GROUP_WARPSYNC, GROUP_BARRIER };

// Lanes of a warp that are converged: they run together.
struct group {
    uint32_t mask, pc;
    enum group_state state;
    uint32_t what;  // the convergence register, mask or named barrier that the group waits for
    uint32_t named; // mask of the last WARPSYNC, as long as its lanes stay converged; 0 if unknown
    bool yielded;   // true after a YIELD or NANOSLEEP
};

enum warp_state { WARP_READY, WARP_WAITS, WARP_DONE, WARP_STOPPED };

struct pending_list {
    uint16_t count;
    uint16_t cell[1022]; // entries explained in scoreboard.c
};

struct block;

// The blocks that can access each other's shared memory. A single block is a cluster of its own.
struct cluster {
    struct block *block[MAX_CLUSTER];
    uint32_t size;
    uint32_t arrived; // number of threads that have arrived at the cluster's barrier
    uint32_t phase;   // number of times that the cluster's barrier completed
};

// A loop of an observed warp that may be a polling loop.
struct spin {
    bool may_poll;  // true if this iteration read something that other warps may write
    uint32_t pc;    // index of the instruction at which an iteration starts
    size_t before;  // where the previous iteration began in the stream; 0 if there was none
    size_t begin;   // where this iteration began in the stream; 0 if none has
    uint64_t state; // hash of the warp's registers at `begin`; 0 if unknown
};

struct warp {
    _Alignas(64) uint32_t row[ROWS][LANES];
    // bases of the offsets in uop.source: the warp's rows, then the program's constants
    const char *base[2];

    // block.c zeroes the members from here to `block` when a block starts.
    uint32_t predicate[PREDICATES];
    // --- hazards
    struct cell cell[CELLS];
    // two bit sets of registers: first those in flight or undefined, then those that unfinished
    // reads hold
    uint64_t busy[2 * REGISTER_WORDS];
    // [register][lane] mask of the lanes that the lane waits for at the BSYNC of the register
    uint32_t convergence[CONVERGENCE_REGISTERS][LANES];
    // --- scoreboards
    // per scoreboard: the cycle from which a wait sees that it was set
    uint64_t counts_from[SCOREBOARDS];
    uint64_t order; // number of instructions sent to queues (enum sass_queue)
    // [scoreboard][queue] value of `order` for the queue's last instruction that set the scoreboard
    uint64_t order_of[SCOREBOARDS][SASS_QUEUE_COUNT];
    // per scoreboard: mask of the queues whose instructions have set it since the last wait for it
    uint8_t queues_of[SCOREBOARDS];
    // per queue: all instructions up to this `order` have read their sources
    uint64_t read_through[SASS_QUEUE_COUNT];
    // --- progress
    uint64_t executed;     // number of instructions executed, up to the last branch
    uint64_t polls;        // number of polls: reads of values that other warps may change
    uint64_t polls_before; // value of `polls` when this or another warp last changed something
    uint32_t set_by[SCOREBOARDS]; // index of the instruction that set each scoreboard last
    // [scoreboard][unit] A wait for the scoreboard also completes this number of entries of
    // unguarded[unit], from the first on, because a unit completes its instructions in order.
    uint16_t covered[SCOREBOARDS][SASS_UNIT_COUNT];
    uint32_t covering; // mask of the scoreboards with an entry above 0 in `covered`
    uint32_t named;    // mask of the last WARPSYNC
    uint32_t named_by; // mask of the lanes that were active after that WARPSYNC
    bool yield;        // true if other lanes or another warp may run now
    bool resumes;      // true if WAIT_FOR_FOUR stopped the warp before its next instruction
    uint64_t switched; // cycle in which the active lanes became active
    bool local_used;   // true if the warp has accessed local memory in this block
    bool tiled; // true if NOPs, which ptxas makes of __syncwarp(), synchronise the lanes of `tile`
    // [lane] instruction index + 1 of the latest call into a toolkit header's function; 0 if none
    uint32_t called[LANES];

    struct block *block;
    // --- identity
    uint64_t clock; // the warp's time in issue cycles
    uint32_t index; // of the warp in its block
    uint32_t lanes; // mask of the lanes with threads (the last warp may have fewer than 32)
    uint32_t thread[3][LANES]; // [dimension][lane] threadIdx
    uint32_t alive;            // mask of the lanes that have not exited
    // --- groups
    uint32_t pc, active; // program counter and active lanes of the current group
    enum warp_state state;
    struct group group[MAX_GROUPS];
    int group_count, current;
    // --- results in flight
    struct pending_list pending[SCOREBOARDS];
    struct pending_list unguarded[SASS_UNIT_COUNT]; // results that no scoreboard guards
    // cluster.phase when the warp arrived at the cluster's barrier
    uint32_t cluster_phase;
    // [local_bytes / 4][LANES] words, then for each word the mask of the lanes that have written
    // it. Use local_memory().
    uint32_t *local;
    // if `tiled`: for each lane, the mask of the lanes that it synchronises with
    uint32_t tile[LANES];
    // --- progress
    bool acted; // true if the warp did something that others can observe since this was cleared
    bool acted_before; // true if `acted` was true before lanes began to wait for other lanes
    uint64_t acts_at;  // value of launch->acts after the warp's latest time slice
    // --- instructions (ops/state.h)
    struct warp_requests requests;
    struct warp_copies copies;
    struct warp_mmas mmas;
    struct warp_bulk bulk;
    // --- checks (checks/state.h)
    struct warp_hazards hazards;
    struct warp_races races;
    struct warp_flags flags;
    struct evidence evidence; // evidence for the warp's next report
    struct touched touched[TOUCHES];
    // --- observer (observer.c)
    struct warp_watch {
        struct sim_stream *stream; // NULL if not observed
        size_t request;            // position in the stream of the latest request's word
        uint64_t wavefronts;
        uint32_t lanes; // the lanes that executed the latest request
        struct spin spin;
    } watch;
};

struct named_barrier {
    uint32_t arrived;  // number of threads that have arrived
    uint32_t expected; // number of threads that must arrive; 0 if all living threads must
    uint32_t place;    // index of the instruction by which the first warp arrived
    uint32_t reduce_count, reduce_and, reduce_or;
    bool reduces;
    int how; // how BAR.RED combines the predicates: 0 counts them, 1 is AND, 2 is OR
};

struct program;
struct sim_memory;

// The state that all blocks of a launch share.
struct launch_state {
    struct program *program;
    struct sim_memory *memory;
    // --- shape
    uint32_t grid[3], block[3];
    uint32_t cluster[3];
    uint32_t threads, warps; // per block
    // --- memory per block
    uint32_t shared_reserved; // bytes at the start that the system reserves
    uint32_t shared_bytes;    // end of the block's own bytes, which follow
    uint32_t shared_end;      // end of further bytes, which chips before sm_90 reserve
    int granule;              // one stamp covers 1 << granule bytes of shared memory: 1 or 4
    uint32_t local_bytes;
    uint8_t *constant[8];
    uint32_t constant_bytes[8];
    struct reports *reports;
    uint32_t dynamic_shared; // bytes that the launch requested
    // [instructions] counts of the launch; NULL until it is complete
    const struct tally *counted;
    // [instructions] lowest address of the first block's requests to device memory, 0 if there was
    // none; NULL if not recorded
    uint64_t *lowest;
    // --- end of the launch
    volatile bool stop;
    // the caller sets this flag to end the launch early; never NULL
    const volatile sig_atomic_t *asked_to_stop;
    bool no_memory;
    // --- device memory
    // address of a copy of the parameters; 0 if the kernel never takes their address
    uint64_t parameters;
    // address of a copy of constant bank 3; 0 if the kernel never takes an address in it
    uint64_t constants;
    // address of the grid barrier's workspace; 0 if none is used, or not all blocks fit at once
    uint64_t workspace;
    uint64_t heap_used;         // bytes that the kernel has allocated by malloc()
    bool watches_global;        // true if accesses must go to global_access() (checks/global.c)
    bool watches_overlaps;      // true if stores must go to global_store() (checks/global.c)
    struct global_races *races; // NULL if races in device memory are not checked
    uint64_t most_looks;        // number of accesses to check for races; 0 for all
    int global_granule;         // one stamp covers 1 << global_granule bytes of device memory
    const struct sim_picture *picture; // the requests to record (sim.h); NULL if there are none
    // --- limits
    uint64_t limit; // most instructions that a warp may execute
    bool limit_is_given;
    // 1 + the number of instructions that a warp had executed when it used the launch's first wrong
    // address; 0 if there was none
    uint64_t at_fault;
    // --- numbers of blocks
    uint64_t blocks; // number in the grid
    uint64_t fit;    // number that the machine holds at once
    uint64_t next;   // linear index of the next block to start
    uint64_t resident, ended;
    uint64_t acts; // number of events so far that other blocks can observe
    // --- deadlocks (resident.c)
    // identifies the state of the launch in which host threads found only polling warps
    uint64_t repeating_at;
    int repeating_threads; // number of host threads that found only polling warps in that state
    int threads_at_work;   // number of host threads that run blocks
    // how often lanes that wait for yielded lanes were released
    uint64_t releases;
    uint64_t released_at; // 1 + the value of `acts` at the latest such release
    // --- progress.c
    uint64_t started_ms, shown_ms;
    bool line_shown;
    // --- observer
    // Returns the streams of a block's warps, or NULL if the block is not observed. The pointer
    // itself is NULL if no block is observed.
    struct sim_stream *(*stream_of)(void *watch, uint64_t linear);
    void (*block_over)(void *watch, uint64_t linear);
    void *watch;
};

static inline bool is_own_shared(const struct launch_state *l, uint32_t at, uint32_t bytes) {
    return at >= l->shared_reserved && at <= l->shared_bytes && bytes <= l->shared_bytes - at;
}
// Formats an address of shared memory as registers hold it, and the byte of the block's own shared
// memory that is there: "0x490 (byte 144)".
#define SHARED_BYTE                "0x%x (byte %d)"
#define SHARED_BYTE_AT(launch, at) (at), (int)((at) - (launch)->shared_reserved)
// Returns the address of the shared memory that the system reserves after the block's own.
static inline uint32_t system_shared_begin(const struct launch_state *l) {
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
    uint32_t alive; // number of threads that have not exited
    uint8_t *shared;
    // start of the block's shared memory in cluster addresses: rank in the cluster << 24
    uint32_t window;
    struct cluster *cluster, own; // `cluster` is `own` of the cluster's first block
    bool over;                    // true if the block has ended
    bool leaves;                  // true if the whole cluster has ended
    // --- copies by the copy engine
    struct bulk *bulk;
    int bulk_count, bulk_capacity;
    // --- checks
    uint32_t *last_write; // one stamp per granule of shared memory (checks/races.c)
    uint32_t *last_read, *last_atomic, *last_lane;
    uint32_t epoch_base; // smaller epochs (checks/state.h) belong to earlier blocks
    uint32_t barriers_passed;
    bool partial_barriers;
    // state of checks/order.c; NULL unless clusters have several blocks, or the program has
    // `partial_barriers`, or both `fences` and `synchronizes`
    struct ordering *ordering;
    struct flag_word flag[FLAG_WORDS];
    bool flagged; // true if a flag is in use (checks/flags.c)
    // --- barriers
    bool waits; // true if the block only waited in its latest time slices
    struct named_barrier barrier[NAMED_BARRIERS];
    uint32_t reduction;  // result of the last completed BAR.RED
    struct warp *warp;   // [launch->warps]
    void *memory;        // allocation that holds `warp`
    struct tally *tally; // [instructions + 2] counts of this host thread's blocks
    uint64_t *lowest;    // launch->lowest if this is the first block, otherwise NULL
    uint64_t order;      // number of the block's reports so far
    // --- observers
    uint64_t pictured;         // number of requests so far of launch->picture's instruction
    struct sim_stream *stream; // [launch->warps]; NULL if not observed
    // [mbarrier_record_capacity] what the observer knows of each mbarrier
    struct mbarrier_record *mbarrier_records;
    int mbarrier_record_count, mbarrier_record_capacity;
};

struct program {
    struct sass_cubin *cubin;
    const struct sass_kernel *kernel;
    // --- instructions
    struct uop *code; // [count]
    struct detail *detail;
    struct ffma *ffma; // [count] the FFMAs of streaks, by instruction index
    // [count] two sets for the streak that starts at an instruction: the registers that the streak
    // reads or writes, then those that it writes
    uint64_t (*streak_registers)[2 * REGISTER_WORDS];
    uint32_t count;
    // --- constants
    uint32_t (*constant)[LANES]; // rows with the values of immediates and constant-bank operands
    uint32_t constant_count, constant_capacity;
    struct constant_row {
        uint32_t row;
        uint8_t bank;
        int32_t offset;
    } * bank_row; // constant-bank operands, whose rows a launch fills
    uint32_t bank_row_count, bank_row_capacity;
    // --- properties
    int registers;            // registers per thread, including those that USETMAXREG adds
    uint32_t global_requests; // number of instructions that use a global_memo
    // has partial or split barriers, mbarriers (before sm_90: ARRIVES), bulk copies or wgmma
    bool partial_barriers;
    bool fences;       // has MEMBARs or strong generic accesses
    bool synchronizes; // has shared or generic atomics, strong generic accesses or LDS that poll
    bool reads_async;  // the kernel has MMAs or copies that read shared memory asynchronously
    bool calls_out;    // the kernel calls functions of run/system.c
    // the kernel reads these words of the driver's part of bank 0
    bool reads_reserved, reads_parameters, reads_constants, reads_workspace;
    bool shared_bytes;          // the kernel accesses parts of words of shared memory
    bool global_bytes;          // the kernel accesses parts of words of device memory
    uint64_t unset[CELL_WORDS]; // bit set of the cells that may be read before they are written
    const struct engine *engine;
};

// The functions of one compiled copy of the files with lane loops.
struct engine {
    const char *name;
    sim_execute *(*bind)(struct detail *d);
    // Runs a warp until it waits, ends, yields, reaches the instruction limit, or has executed more
    // than `most` control instructions.
    void (*run)(struct warp *w, uint64_t most);
    void (*step)(struct warp *w); // runs the next instruction
    void (*start)(struct warp *w);
    void (*pass_barrier)(struct warp *w, uint32_t id);
    // Returns true if the simulator knows the operation and type of a UBLKRED (bulk reduction).
    bool (*reduces)(const struct sass_modifiers *mod);
    void (*reduce)(struct warp *w, const struct detail *m, uint8_t *to, const uint8_t *from,
                   uint32_t bytes);
};
// The address of a copy that was not compiled is NULL.
extern const struct engine engine_base __attribute__((weak)), engine_v3 __attribute__((weak)),
    engine_v4 __attribute__((weak));
const struct engine *engine_choose(void);

// Returns the warp's local memory. The first call in a block marks it as unwritten. (The block's
// start does not, because nearly every kernel has 4 KB per thread, but few use them.)
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

// The function that executes a family of instructions: `run`, or the one that `bind` returns for an
// instruction. `bind` prepares it, and returns NULL if the simulator cannot execute it.
struct binding {
    enum sass_opcode opcode; // SASS_OPCODE_COUNT ends a table
    sim_execute *run;
    sim_execute *(*bind)(struct detail *d);
};
// program.c: executes instructions without effect in the simulator, such as prefetches.
sim_execute run_nothing;

// --- program.c -----------------------------------------------------------------------------------
void program_close(struct program *p);
void program_fill_constants(struct program *p, uint8_t *const bank[8], const uint32_t bytes[8]);
// Returns the byte offset, for uop.source, of a row that holds a word of a constant bank. Ensures:
// rows requested one after the other are adjacent.
uint32_t program_bank_row(struct program *p, int bank, int32_t offset);
// Makes operand i a pair of rows, low word first. An immediate of 32 bits is the high word; RZ
// becomes a pair of zeros.
void program_pair(const struct detail *d, int i);
// Makes operand i a pair of rows that hold `value`.
void program_immediate_pair(const struct detail *d, int i, uint64_t value);
// Sets text to, for example, "`EXIT` at 0x120".
void program_text(const struct program *p, uint32_t index, char *text, size_t size);
// Returns the name of a register, uniform register or predicate; NULL if the cell is none of these.
const char *program_cell(uint32_t cell, char name[8]);
// Returns true if two memory instructions have equal address operands.
static inline bool same_place(const struct detail *one, const struct detail *other) {
    const struct sass_operand *a = &one->instruction.operand[SASS_M],
                              *b = &other->instruction.operand[SASS_M];
    return a->number == b->number && a->value == b->value && a->has_base == b->has_base &&
           a->uniform == b->uniform;
}
// polls.c: finds the loads by which warps synchronise.
void program_find_polls(struct program *p);
// flow.c: analyses the control flow. Returns false if the host has too little memory.
bool program_follow(struct program *p);
// arrays.c: sets detail.array of each access whose variable on the stack is known.
void program_find_arrays(struct program *p);

#define warpgroup_has_issued SIM_NAME(warpgroup_has_issued)
// ops/warpgroup.c: true if all running warps of the warpgroup issued the MMAs that `u` waits for.
bool warpgroup_has_issued(const struct warp *w, const struct uop *u);

// --- scoreboard.c --------------------------------------------------------------------------------

// Returns true if the cell's last reader is known to have read it, because that reader or a later
// instruction of its queue has read its sources.
static inline bool scoreboard_was_read(const struct warp *w, const struct cell *cell) {
    return cell->read_order && cell->read_order <= w->read_through[cell->queue];
}
// Marks a cell as defined in the lanes that write it; a uniform cell in all lanes.
static inline void now_written(struct warp *w, uint32_t number, uint32_t mask) {
    const bool uniform =
        number >= CELL_UNIFORM && (number < CELL_PREDICATE || number >= CELL_PREDICATE + 8);
    if (w->hazards.any_unwritten)
        w->hazards.unwritten[number].lanes &= uniform ? 0 : ~mask & w->alive;
}
// Updates warp.busy. Must follow every change of `ready` or `holds` of a cell, except a
// fixed-latency result in a cell that was not busy.
void note_busy(struct warp *w, uint32_t number);
void scoreboard_wait(struct warp *w, uint32_t mask);
// Returns the scoreboard that guards the cell's result: its own, or that of a later result of its
// unit; SCOREBOARDS if there is none.
uint32_t scoreboard_covering(const struct warp *w, uint32_t number);
// Waits as DEPBAR.LE does, until at most `left` texture fetches of a scoreboard are in flight;
// fetches return in order. Returns false if none is in flight. Requires: left > 0.
bool scoreboard_leave(struct warp *w, uint32_t number, int left);
// Releases the registers that outstanding reads of exiting lanes hold.
void scoreboard_forget(struct warp *w, uint32_t lanes);
void scoreboard_issue(struct warp *w, const struct uop *u, uint32_t mask);
// Like scoreboard_issue(), if no lane executes the instruction. Its scoreboard still covers earlier
// results.
void scoreboard_skip(struct warp *w, const struct uop *u);

// Returns the block of rank `number` in the cluster; NULL if there is none, or it has ended.
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
#define EACH_LANE(l, mask) \
    for (uint32_t rest_of_##l = (mask), l; \
         rest_of_##l && (l = (uint32_t)__builtin_ctz(rest_of_##l), true); \
         rest_of_##l &= rest_of_##l - 1)
