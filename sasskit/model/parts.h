// The state of the modelled SM and the functions of its parts. All times are SM cycles since the
// start of the launch's first block.
#pragma once

#include "base/arith.h"
#include "sm.h"

enum { SCHEDULERS = 4, SLOTS = 64, QUEUE = 64, SCOREBOARDS = 6, BARRIERS = 16, COPY_GROUPS = 16, NO_BARRIER = 7 };
enum { WRITES = 8, RETURNS = 64, MBARRIERS = 64, WGMMA_GROUPS = 16 };
enum { CODE_LINE_BYTES = 128, INSTRUCTIONS_A_LINE = 8 };
#define NEVER INT64_MAX

// fmax() without its treatment of NaN, which costs time here.
static inline double later(double a, double b) {
    return a > b ? a : b;
}

// --- code.c: an instruction as the SM sees it ----------------------------------------------------

// What an instruction occupies from issue on. Each scheduler has its own units.
enum unit {
    UNIT_FMA,
    UNIT_FMA_HEAVY, // the one of the two FMA pipes that also multiplies integers
    UNIT_FMA_ALONE, // the FMA pipe of a chip that has only one
    UNIT_ALU,
    UNIT_HALF,
    UNIT_FP64,
    UNIT_XU,
    UNIT_TENSOR,
    UNIT_UNIFORM,
    UNIT_CONTROL,
    UNIT_MEMORY,
    UNITS
};
enum kind {
    KIND_PLAIN,           // fixed latency, covered by the stall count
    KIND_VARIABLE,        // clears a scoreboard some cycles after issue
    KIND_DEPBAR,          // waits until at most `leave` of a scoreboard are outstanding
    KIND_BARRIER,         //
    KIND_WGMMA,           // runs asynchronously in the tensor core
    KIND_WGMMA_WAIT,      // waits until at most `leave` wgmma groups are unfinished
    KIND_SHARED,          // LDS STS ATOMS SHFL: needs only the data banks
    KIND_MBARRIER_ARRIVE, //
    KIND_MBARRIER_WAIT,   //
    KIND_TMA,             // starts a bulk copy
    KIND_COMMIT,          // LDGDEPBAR closes a copy group; ARRIVES makes it arrive at an mbarrier
    KIND_LOAD,            // this kind and all that follow go through the tags
    KIND_STORE,
    KIND_COPY, // LDGSTS
    KIND_ATOMIC,
    KIND_TEXTURE
};
enum { NO_REGISTER = -1 };
// The reuse caches of a scheduler, by the instructions that use them.
enum reuse_cache { REUSE_32, REUSE_FP64, REUSE_CACHES, NO_REUSE = REUSE_CACHES };

struct instruction {
    // control column
    uint8_t kind, unit, stall, wait;
    uint8_t write_barrier, read_barrier; // scoreboards; NO_BARRIER if there is none
    bool keeps_turn;                     // bit 109: the scheduler stays with this warp
    // stream
    bool control;  // a branch or the end of the warp: the next pc is in the stream
    bool observed; // has event words in the stream (sim/observer.h)
    // behaviour
    bool empties_reuse; // the warp's reuse-cache entries are lost after it
    bool bypass;        // a copy past L1, or a load of data that other SMs store
    bool local;         // a store to local memory, which only this thread reads
    bool fence;         // MEMBAR beyond the block
    bool special;       // S2R or LDC: uses the path of shared memory
    bool blocks;        // waits for the barrier that its warp has arrived at
    bool reconverges;   // BSYNC
    bool swaps, floats; // atomics: compare-and-swap; floating-point addition
    bool reads_pairs;   // reads 64-bit register pairs
    bool wide;          // IMAD.WIDE or IMAD.HI: also occupies the ALU
    bool writes;        // its fixed-latency result takes the write port
    bool runs_on;       // the next instruction only waits for the stall count
    // operands
    uint8_t reuse_cache;    // enum reuse_cache
    int16_t slot[3];        // registers of operands A, B, C; NO_REGISTER if there is none
    bool kept[3];           // operands with a reuse flag
    uint32_t slot_reads[3]; // bank reads per operand: bank 0 in bits 0-15, bank 1 in bits 16-31
    uint32_t reads;         // bank reads of all operands without reuse, packed likewise
    uint8_t results;        // registers that a load writes
    uint8_t stored;         // data registers that a store reads
    uint8_t into;           // mask of the banks that its results go to
    uint8_t first_into;     // bank of its first result
    // cycles
    uint8_t busy;         // occupies its unit
    uint8_t latency;      // KIND_VARIABLE: from issue to the result
    uint8_t read_latency; // from leaving the queue until its sources may be overwritten
    // by kind
    uint8_t scoreboard;    // KIND_DEPBAR
    uint8_t leave;         // KIND_DEPBAR, KIND_WGMMA_WAIT
    uint16_t wgmma_cycles; // KIND_WGMMA: tensor-core cycles
    uint16_t wgmma_rows;   // KIND_WGMMA: 32-byte rows read from shared memory
    bool ends_group;       // KIND_WGMMA: the last of its group
    uint8_t copies;        // KIND_TMA: 2 if multicast within a cluster of two, otherwise 1
};
struct instruction *code_open(const struct sim_kernel *kernel, const struct sm_machine *machine);

// --- warps and blocks ----------------------------------------------------------------------------

struct scoreboard {
    uint16_t count; // operations outstanding
    uint8_t state;  // warp state while waiting for it, set by the latest operation
    int64_t clear;  // when the completed operations are visible
};
struct copy_group {
    int out;            // copies in flight
    int64_t done;       // when the completed ones were
    uint8_t scoreboard; // released when the group is done; NO_BARRIER: group still open
    // Mbarrier at which the group arrives when it is done; arrivals 0: none.
    uint32_t address, arrivals;
};

struct sm_warp {
    // position in the recorded stream
    const uint32_t *word, *end;
    const struct instruction *next;
    uint32_t pc;     // index of `next`
    uint32_t line;   // code line that the warp holds
    int64_t entered; // when it moved to that line
    int64_t due;     // when that line had arrived
    // identity
    struct sm_block *block;
    uint64_t age;                   // order of start; a younger warp has a larger one
    uint8_t slot, scheduler, place; // place: index among the scheduler's warps
    bool alive, at_barrier;
    // the previous instruction
    int64_t issued; // when it was issued
    uint8_t stall;  // its stall count
    bool jumped;    // it was a taken branch
    bool stored;    // a store or atomic since the last fence
    // the next instruction
    int64_t left_barrier;            // when the barrier lets the warp go on
    int64_t stalled_until, ready;    // ready is NEVER while unknown
    uint8_t stall_state, wait_state; // states until stalled_until, and from then until ready
    uint8_t held;                    // why it does not issue although ready; SM_SELECTED: not ready
    uint32_t held_cycles[SM_STATES]; // cycles since the previous issue, per reason in `held`
    // asynchronous operations
    struct scoreboard scoreboard[SCOREBOARDS];
    struct copy_group group[COPY_GROUPS]; // ring; the group at group_last is open
    unsigned group_first, group_last;
    int64_t wgmma_done[WGMMA_GROUPS]; // ring: when the latest groups are done
    unsigned wgmma_groups;            // groups so far
};

struct barrier {
    uint32_t threads;  // arrived
    uint32_t expected; // 0: all living warps of the block
    double time;       // when it can take the next arrival
    uint64_t waiting;  // mask of warp slots
};
struct sm_mbarrier {
    uint32_t address;
    uint32_t done; // arrivals and transactions completed
    int64_t time;  // when the latest of them completed
};
struct request { // a memory instruction in flight
    struct sm_warp *warp;
    const struct instruction *instruction;
    const uint32_t *line; // two words per line; three for atomics
    uint16_t lines, wavefronts;
    uint16_t again;  // sectors that a copy fetches twice
    uint16_t behind; // cycles by which its slowest register bank lagged
    bool active;     // at least one lane executes it
    uint16_t group;  // copy group
    int64_t time;    // when it may go on
};
struct sm_block {
    uint64_t linear; // linear block index
    int64_t started;
    struct sim_stream *stream; // [warps]
    uint32_t alive;            // warps
    uint32_t out;              // memory instructions in flight
    uint32_t first_slot;
    // barriers
    struct barrier barrier[BARRIERS];
    int64_t released, released_before; // when the last barrier let its warps go, and the one before
    struct sm_mbarrier mbarrier[MBARRIERS];
    struct request waits[SLOTS]; // at mbarriers
    int mbarriers, waiting;
    // draw_lead()
    double lead;        // how far it is ahead of blocks that load the same data, 0 to 1
    int64_t lead_until; // when the lead expires; NEVER if the next request draws it
};

// --- parts ---------------------------------------------------------------------------------------

enum { QUEUE_LSU, QUEUE_TEXTURE, QUEUES };
// What must be free for a request to leave its queue.
enum gate { GATE_NONE, GATE_BANKS, GATE_TAGS, GATE_TEXELS, GATES };
struct queue {           // memory instructions, in order
    int64_t next_handed; // earliest time for the next release
    int64_t from;        // when the first request can leave, if its gate is open
    enum gate gate;      // of the first request
    int head, count;
    struct request request[QUEUE];
};

struct sm_scheduler {
    // pick
    struct sm_warp *warp[SLOTS];
    int warps;
    uint64_t known;         // mask of the warps whose `ready` is known
    struct sm_warp *greedy; // keeps its turn
    struct sm_warp *chosen; // picked, but its operands cannot be read yet
    int64_t issued;         // cycle of the last issue
    int64_t next;           // next cycle with possible work
    int64_t accounted;      // up to here the warps' states are charged
    // units
    int64_t unit[UNITS];    // when each is free
    bool fma_heavy;         // the FMA pipe that takes the next FFMA; the two alternate
    int64_t integers_until; // when the FMA pipe that multiplies integers has finished them
    // register file: reads
    int64_t read_by[2];             // when each bank has delivered its queued reads
    struct reuse_entry {            // by cache, operand and bank
        const struct sm_warp *warp; // NULL if empty
        int16_t number;
        int64_t from; // when it has been read
    } reuse[REUSE_CACHES][3][2];
    // register file: writes
    int64_t writes_at;   // the write port is accounted up to here
    int64_t written_at;  // the latest fixed-latency write
    uint64_t written[2]; // per bank: history of fixed-latency writes, bit 0 is written_at
    int results;         // of loads through L1, waiting for the port
    struct write {       // a result of shared memory waiting for the port
        struct request request;
        int64_t from;  // earliest cycle
        uint8_t banks; // mask
        bool last;     // part of its request
    } write[WRITES];   // ring
    int write_first, writes;
    int64_t port_seen;   // the port is examined up to this cycle
    int64_t port_served; // last cycle in which it wrote a result of shared memory
    int64_t port_closed; // until then closed to fixed-latency results
    // memory
    struct queue queue[QUEUES];
    int queued_global; // loads and stores through L1
};

struct line { // of a cache
    uint64_t number;
    uint8_t sectors; // mask of valid sectors
    int64_t arrives, used;
    // L2 only
    bool held;      // was there before the SM asked for it
    uint8_t region; // index of its allocation
    uint8_t parts;  // mask of sectors that `writer` stored partly
    int64_t stored; // when
    const struct sm_warp *writer;
};
enum { REGIONS = 64, ATOMIC_CHUNKS = 1 << 14 };
// L2 serialises the atomics of a chunk of 512 bytes (probe: atomics of all SMs,
// docs/notes/timing.md).
enum { CHUNK_LINES = 4 };
struct region { // an allocation that the launch uses
    uint64_t base, bytes;
    double expected; // bytes that the first block loads or stores
    bool held;       // in L2 from earlier launches
    bool used, stored_to;
};
struct atomics { // on a chunk of memory
    uint64_t number;
    struct atomics_line {
        uint64_t block; // the last block that accessed it, plus 1
        double cycles;  // of L2 for all atomics
        double floats;  // cycles of serial floating-point additions
        bool shared;    // several blocks have accessed it
    } line[CHUNK_LINES];
};
struct cache {
    struct line *line; // [sets][ways]
    uint64_t sets;
};
struct memory {
    // caches
    struct cache l1;
    struct cache l2;       // what this SM has loaded or stored
    struct cache expected; // what the first block loads
    // when each resource is free
    double tags, texels, banks;
    double port, share;              // L2 to SM: the port, and the SM's share of L2
    double store_port;               // SM to L2: stores
    double atomic_port, atomic_back; // atomics: SM to L2, and their results back
    // The SM's share of L2 for atomics, and for lanes that share a word.
    double atomic_share, atomic_lanes;
    double wgmma_banks; // data banks, for wgmma operands and bulk copies
    double seen;        // when all SMs see everything stored so far
    int64_t next;       // next cycle with possible work
    // requests behind the tags
    struct request *back; // heap by time: waiting for sectors, then for the data banks
    int back_count, back_capacity;
    int pending; // requests behind the tags, except stores
    // results of shared memory on their way back, in order
    struct shared_return {
        struct request request;
        int64_t first, last; // when the first and the last wavefront are back
    } returning[RETURNS];    // ring
    int returning_first, returning_count;
    int64_t way_back;  // when the next one can go on
    int turn;          // round robin over the schedulers
    bool queues_first; // the queues are next to use the data banks
    // the chip around the SM
    double part;           // fraction of the SMs that have blocks
    double l2_bytes;       // bytes per cycle from L2 to this SM, for pairs of sectors
    double blocks;         // of the launch
    bool in_step;          // SMs run in step: L2 does not yet have what they load
    double loaded, stored; // bytes between L2 and the SM so far
    struct region region[REGIONS];
    int regions;
    const struct sim_memory *device;
    const struct sm_held *before; // what L2 holds of earlier launches; NULL: nothing
    bool overflows;               // the launch uses more than L2 holds
    // device memory
    double dirty_bytes; // that a flush has left in L2
    double read;        // bytes read by all SMs
    double device_port; // when the reads requested so far are done
    double device_use;  // busy cycles, decaying
    double device_time; // when device_use was updated
    // atomics
    struct atomics *atomics; // [ATOMIC_CHUNKS], direct-mapped
    double most_shared;      // the longest serial work on shared data, in cycles
    bool has_atomics;
    // drawn for each request: draw_lateness()
    double late, first; // more than memory_latency: normally, and if no SM has asked before
    double drawn;       // 0 to 1: decides whether another SM has asked before
    bool strong;        // the request loads data that other SMs store
    uint64_t random;
};

struct sm {
    const struct sm_machine *machine;
    const struct sim_kernel *kernel;
    const struct instruction *code;
    struct sm_result *result;
    const struct sm_timeline *timeline;
    struct sm_scheduler scheduler[SCHEDULERS];
    struct sm_warp warp[SLOTS];
    struct memory memory;
    struct code_line {            // [lines of code]
        int64_t arrives;          // NEVER if not requested yet
        uint32_t streamed[SLOTS]; // per warp: sequence number of its streaming; 0 if there is none
        uint64_t used;            // value of `fetched` at the last use
        uint64_t until;           // value of `fetched` at which it is replaced
    } * line;
    uint64_t fetched;         // code lines so far
    uint32_t streamed[SLOTS]; // code lines streamed so far, per warp
    uint64_t started;         // warps so far
    int64_t write_queue;      // copy of the machine's figure
    int bank_queue;           // copy of the machine's figure
    bool accounts;            // charges warp states
    const char *failed;       // error message; NULL if there is none
    void (*block_ended)(struct sm *sm, struct sm_block *block, int64_t now);
    void *context; // of block_ended
};

// warp.c
void warp_start(struct sm *sm, struct sm_warp *w, struct sm_block *block, const struct sim_stream *stream, int64_t now);
// Ends the block if no warp is alive and nothing is in flight.
void block_check(struct sm *sm, struct sm_block *block, int64_t now);
// Moves the warp to its next instruction, which waits `more` cycles beyond the stall count.
void warp_advance(struct sm *sm, struct sm_warp *w, bool executed, int more, int64_t now);

// ready.c
// Sets w->ready, the cycle in which the warp's next instruction can issue.
void warp_resolve(struct sm *sm, struct sm_warp *w);
// Completes one operation of a scoreboard at `when`.
void warp_release(struct sm *sm, struct sm_warp *w, int scoreboard, int64_t when);

// scheduler.c
void scheduler_step(struct sm *sm, struct sm_scheduler *s, int64_t now);

// memory.c
bool memory_open(struct sm *sm, double l1_kbytes, double l2_bytes_per_cycle);
void memory_close(struct sm *sm);
// Returns how many words of the stream follow an instruction's event word.
uint32_t memory_words(const struct instruction *in, uint32_t event);
void memory_issue(struct sm *sm, struct sm_scheduler *s, struct sm_warp *w, const uint32_t *event, int64_t now);
void memory_step(struct sm *sm, int64_t now);
// Writes the results of shared memory that are due before `now`.
void memory_write(struct sm *sm, struct sm_scheduler *s, int64_t now);
// Returns when the data banks have read a wgmma's operands.
int64_t memory_read_wgmma(struct sm *sm, const struct instruction *in, int64_t now);

// cache.c
bool cache_open(struct cache *c, double kbytes);
// Returns the line, replacing the least recently used one of its set if it is absent.
struct line *cache_use(struct cache *c, uint64_t number, int64_t now);

// l1.c, l2.c: a `line` argument packs the line number (bits 4 and up) and a sector mask (bits 0-3).
// Returns when the sectors arrive. `keep`: L1 keeps them.
int64_t l1_load(struct sm *sm, uint64_t line, bool keep, int64_t now);
void l1_store_local(struct sm *sm, uint64_t line, int64_t now);
int64_t l2_load(struct sm *sm, uint64_t number, uint8_t sectors, int64_t now);
int64_t l2_again(struct sm *sm, int sectors, int64_t now);
int64_t l2_store(struct sm *sm, const struct request *r, int64_t now);
int64_t l2_seen(struct sm *sm, int64_t now);
int64_t l2_atomic(struct sm *sm, const struct request *r, uint64_t line, uint32_t lanes, int64_t now);
// Notes that another block has atomics on this line.
void l2_share_atomics(struct sm *sm, uint64_t number);
void l2_expect(struct sm *sm, uint64_t line);
// Adds the allocations that the launch has used to `held`.
void l2_keep(const struct sm *sm, struct sm_held *held);

// barrier.c
void arrive_at_barrier(struct sm *sm, struct sm_warp *w, uint32_t event, int64_t now);
// Completes barriers for which only a warp that has now ended was missing.
void leave_barriers(struct sm *sm, struct sm_block *block, int64_t now);

// timeline.c
enum { SPANS = 11 };
struct sm_span { // cycles from .. to - 1 of a warp in one state
    enum sm_state state;
    int64_t from, to;
};
void timeline_open(const struct sm *sm);
void timeline_issue(const struct sm *sm, const struct sm_warp *w, const struct sm_span span[SPANS]);
void timeline_block(const struct sm *sm, const struct sm_block *block, int64_t from, int64_t to);
void timeline_close(const struct sm *sm);
