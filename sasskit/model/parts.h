// The state of the modelled SM and the functions of its parts. All times are SM cycles since the
// start of the launch's first block. A warp's instructions come from its recorded stream of words
// (sim/observer.h). An instruction's event word there says whether a lane executed it, and more.
#pragma once

#include "base/arith.h"
#include "sm.h"

enum {
    SCHEDULERS = 4,
    SLOTS = 64,
    QUEUE = 64,
    SCOREBOARDS = 6,
    BARRIERS = 16,
    COPY_GROUPS = 16,
    NO_BARRIER = 7
};
enum { WRITES = 8, RETURNS = 64, MBARRIERS = 64, WGMMA_GROUPS = 16 };
enum { CODE_LINE_BYTES = 128, INSTRUCTIONS_PER_LINE = 8 };
#define NEVER INT64_MAX

// Like fmax(), without the treatment of NaN, which would cost time here.
static inline double later(double a, double b) {
    return a > b ? a : b;
}

// --- code.c: an instruction as the SM sees it ----------------------------------------------------

// The units that an instruction occupies from its issue on. Each scheduler has its own units.
enum unit {
    UNIT_FMA,
    UNIT_FMA_HEAVY, // of two FMA pipes, the one that also runs IMAD and VIADD
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
    KIND_PLAIN,    // has a fixed latency, which the stall count covers
    KIND_VARIABLE, // clears its scoreboard some cycles after issue
    KIND_DEPBAR,   // waits until at most `leave` operations of a scoreboard are outstanding
    KIND_BARRIER,
    KIND_WGMMA,      // runs asynchronously on the tensor core
    KIND_WGMMA_WAIT, // waits until at most `leave` wgmma groups are unfinished
    KIND_SHARED,     // LDS, STS, ATOMS, SHFL, ...: needs only the data banks, not L1's tags
    KIND_MBARRIER_ARRIVE,
    KIND_MBARRIER_WAIT,
    KIND_TMA,    // starts a bulk copy
    KIND_COMMIT, // closes a copy group (LDGDEPBAR), or makes it arrive at an mbarrier (ARRIVES)
    KIND_LOAD,   // this kind and all kinds below use L1's tags
    KIND_STORE,
    KIND_COPY, // LDGSTS
    KIND_ATOMIC,
    KIND_TEXTURE
};
enum { NO_REGISTER = -1 };
// The reuse caches of a scheduler, by the instructions that use them.
enum reuse_cache { REUSE_32, REUSE_FP64, REUSE_CACHES, NO_REUSE = REUSE_CACHES };

// An instruction as the model executes it.
struct instruction {
    // --- control column
    uint8_t kind, unit;
    uint8_t stall, wait;                 // stall count in cycles; mask of scoreboards to wait for
    uint8_t write_barrier, read_barrier; // the scoreboards that it sets; NO_BARRIER if it sets none
    bool keeps_turn; // true if bit 109 is set: the scheduler continues with this warp
    // --- the recorded stream
    // true for a branch, barrier or exit: the stream then has the index of the next instruction
    bool control;
    bool observed; // true if it has an event word in the stream
    // --- behaviour: true if the instruction ...
    bool empties_reuse; // invalidates the warp's entries of the reuse cache
    bool bypass;        // is a copy that bypasses L1, or a strong load wider than the block
    bool local;         // stores to local memory, which only its own thread reads
    bool fence;         // is a MEMBAR with scope GPU or SYS
    bool special;       // is S2R or LDC, which use the path of shared memory
    bool blocks;        // cannot issue while its warp waits at a barrier
    bool reconverges;   // is BSYNC
    // is an atomic that compares and swaps; is an atomic that adds floating-point numbers
    bool swaps, floats;
    bool reads_pairs; // reads an operand of two or more registers
    bool wide;        // is IMAD.WIDE or IMAD.HI, which occupy the ALU, too
    bool writes;      // writes a fixed-latency result through the register file's port
    bool runs_on;     // the next instruction is in its code line and waits only for its stall count
    // --- operands
    uint8_t reuse_cache; // enum reuse_cache
    int16_t slot[3];     // first registers of operands A, B and C; NO_REGISTER for none
    bool kept[3];        // true for an operand with a reuse flag
    // number of registers read per operand: from bank 0 in bits 0-15, from bank 1 in bits 16-31
    uint32_t slot_reads[3];
    uint32_t reads;     // sum over all operands, packed like slot_reads
    uint8_t results;    // number of registers that the instruction writes
    uint8_t stored;     // number of data registers that a store reads
    uint8_t into;       // mask of the banks that its results are written to
    uint8_t first_into; // the bank of the first result
    // --- cycles
    uint8_t busy; // cycles for which it occupies its unit
    // for KIND_VARIABLE: cycles from its start to the result; if `special`: beyond shared_latency
    uint8_t latency;
    // cycles from its start, or from leaving its queue, until its sources may be overwritten
    uint8_t read_latency;
    // --- by kind
    uint8_t scoreboard; // for KIND_DEPBAR: the scoreboard that it waits for
    uint8_t leave; // for KIND_DEPBAR and KIND_WGMMA_WAIT: how many operations or groups may be left
    uint16_t wgmma_cycles; // for KIND_WGMMA: cycles on the tensor core
    uint16_t wgmma_rows;   // for KIND_WGMMA: number of 32-byte rows read from shared memory
    bool ends_group;       // for KIND_WGMMA: true if it is the last one of its group
    // for KIND_TMA: 2 if multicast to a cluster of two blocks, otherwise 1
    uint8_t copies;
};
struct instruction *code_open(const struct sim_kernel *kernel, const struct sm_machine *machine);

// Marks in a stream that stream.c has shortened. STREAM_MARK | n precedes a window of n iterations.
// STREAM_MARK | STREAM_CUT | n stands in place of n iterations that were cut.
#define STREAM_MARK 0x80000000u
#define STREAM_CUT  0x40000000u

// --- warps and blocks ----------------------------------------------------------------------------

struct scoreboard {
    uint16_t count; // number of outstanding operations
    uint8_t state;  // state of a warp that waits for the scoreboard; the latest operation sets it
    int64_t clear;  // cycle from which the completed operations are visible
};
struct copy_group {
    int out;      // number of copies in flight
    int64_t done; // cycle in which the latest copy was complete
    // scoreboard that the complete group releases (8: none); NO_BARRIER while the group is open
    uint8_t scoreboard;
    // shared address of the mbarrier at which the complete group arrives; arrivals (0: no mbarrier)
    uint32_t address, arrivals;
};

struct sm_warp {
    // --- position in the recorded stream
    const uint32_t *word, *end;
    const struct instruction *next;
    uint32_t pc; // index of `next`
    // the latest window before a cut: its number of iterations, and the cycle in which it began
    uint32_t window;
    int64_t window_from;
    uint32_t line;   // the line of code that the warp executes
    int64_t entered; // cycle in which the warp moved to that line
    int64_t due;     // cycle in which the line arrives
    // --- identity
    struct sm_block *block;
    uint64_t age; // position in the order of start: a younger warp has a larger value
    uint8_t slot, scheduler, place; // `place` is the warp's index among its scheduler's warps
    bool alive, at_barrier;
    // --- the previous instruction
    int64_t issued; // cycle in which the previous instruction issued
    uint8_t stall;  // stall count of the previous instruction
    bool jumped;    // true if the previous instruction was a branch that was taken
    bool stored;    // true if the warp has executed a store or an atomic since its last fence
    // --- the next instruction
    int64_t left_barrier; // cycle in which the barrier lets the warp continue
    // the instruction waits until stalled_until (stall count, branch, code, fence, wgmma), then
    // until `ready` (scoreboards, barriers), which is NEVER while unknown
    int64_t stalled_until, ready;
    // the warp's states: until stalled_until, and from then until `ready`
    uint8_t stall_state, wait_state;
    // why the warp does not issue although it is ready; SM_SELECTED if it is not ready
    uint8_t held;
    uint32_t held_cycles[SM_STATES]; // cycles since the previous issue, per value of `held`
    // --- asynchronous operations
    struct scoreboard scoreboard[SCOREBOARDS];
    struct copy_group group[COPY_GROUPS]; // a ring; the group at index group_last is open
    unsigned group_first, group_last;
    int64_t wgmma_done[WGMMA_GROUPS]; // a ring: cycles in which the latest groups are complete
    unsigned wgmma_groups;            // number of wgmma groups so far
};

struct barrier {
    uint32_t threads; // number of threads that have arrived
    // number of threads that must arrive; 0 if all living warps of the block must
    uint32_t expected;
    double time;      // earliest cycle for the next arrival
    uint64_t waiting; // mask of the slots of waiting warps
};
struct sm_mbarrier {
    uint32_t address;
    uint32_t done; // number of arrivals and bulk copies completed
    int64_t time;  // cycle in which the latest of them was completed
};
// A memory instruction in flight.
struct request {
    struct sm_warp *warp;
    const struct instruction *instruction;
    // the words behind its event word: two per line of memory, three for an atomic. At an mbarrier,
    // and before a bulk copy's lines: shared address of the mbarrier; number of arrivals
    const uint32_t *line;
    uint16_t lines, wavefronts;
    uint16_t again;  // number of sectors that a copy requests a second time
    uint16_t behind; // cycles by which its registers were read late
    bool active;     // true if at least one lane executes the instruction
    uint16_t group;  // the copy group that the request belongs to
    int64_t time;    // the earliest cycle of the request's next step
};
struct sm_block {
    uint64_t linear; // linear block index
    int64_t started;
    struct sim_stream *stream; // one stream per warp
    uint32_t alive;            // number of warps that have not ended
    uint32_t out;              // number of memory instructions in flight
    uint32_t first_slot;
    // --- barriers
    struct barrier barrier[BARRIERS];
    // cycles in which the last barrier, and the barrier before it, released their warps
    int64_t released, released_before;
    struct sm_mbarrier mbarrier[MBARRIERS];
    struct request waits[SLOTS]; // requests of the warps that wait at mbarriers
    int mbarriers, waiting;
    double left_out; // cycles of the iterations that stream.c has cut, summed over the warps
    // --- draw_lead() in memory.c
    // how far the block is ahead of others that load the same data: 0 for the last, 1 for the first
    double lead;
    int64_t lead_until; // cycle in which `lead` expires; NEVER if the next request draws a new one
};

enum { QUEUE_LSU, QUEUE_TEXTURE, QUEUES };
// The resource that must be free before a request can leave its queue.
enum gate { GATE_NONE, GATE_BANKS, GATE_TAGS, GATE_TEXELS, GATES };
// A queue of memory instructions, in the order of issue.
struct queue {
    int64_t next_handed; // earliest cycle in which a request can leave
    int64_t from;        // cycle from which the first request can leave if its gate is open
    enum gate gate;      // the gate of the first request
    int head, count;
    struct request request[QUEUE];
};

struct sm_scheduler {
    // --- selection of a warp
    struct sm_warp *warp[SLOTS];
    int warps;
    uint64_t known;         // mask of the warps whose `ready` is known
    struct sm_warp *greedy; // the warp that keeps its turn (keeps_turn); NULL if none
    struct sm_warp *chosen; // the selected warp while it waits for operands or its FMA pipe
    int64_t issued;         // cycle of the last issue
    int64_t next;           // next cycle in which there may be work
    int64_t accounted;      // the warps' states are charged up to this cycle
    // --- units
    int64_t unit[UNITS]; // cycle in which each unit is free
    bool fma_heavy;      // true if the next FFMA uses UNIT_FMA_HEAVY; the two pipes alternate
    // cycle in which UNIT_FMA_HEAVY has finished its integer instructions
    int64_t integers_until;
    // --- register file: reads
    int64_t read_by[2];  // cycle in which each bank has delivered all reads queued so far
    struct reuse_entry { // one entry per cache, operand slot and bank
        const struct sm_warp *warp; // NULL if empty
        int16_t number;
        int64_t from; // cycle in which the register has been read
    } reuse[REUSE_CACHES][3][2];
    // --- register file: writes
    int64_t writes_at;  // the write port is accounted for up to this cycle
    int64_t written_at; // cycle of the latest fixed-latency write
    // per bank: bit n is set if a fixed-latency result was written n cycles before written_at
    uint64_t written[2];
    int results;   // number of register pairs loaded through L1 that wait for the port
    struct write { // a part of a shared-memory result (memory.c) that waits for the port
        struct request request;
        int64_t from;  // earliest cycle of the write
        uint8_t banks; // mask of the banks to which it is written
        bool last;     // true for the last part of its request
    } write[WRITES];   // a ring
    int write_first, writes;
    int64_t port_seen;   // the port has been examined up to this cycle
    int64_t port_served; // last cycle in which the port wrote a result of shared memory
    int64_t port_closed; // until this cycle, the port is closed to fixed-latency results
    // --- memory
    struct queue queue[QUEUES];
    int queued_global; // number of queued instructions that use L1's tags, without texture fetches
};

struct line {
    uint64_t number;
    uint8_t sectors; // mask of valid sectors
    int64_t arrives; // cycle in which the last valid sector arrives
    int64_t used;    // 1 + cycle of the last use
    // --- L2 only
    bool held;      // true if the line was in L2 before the SM requested it
    uint8_t region; // index of the line's allocation among memory.region
    uint8_t parts;  // mask of the sectors that `writer` last stored to in part
    uint8_t owed;   // mask of the sectors read from device memory to complete `parts`
    int64_t stored; // cycle of the last store of `writer`
    const struct sm_warp *writer;
};
enum { REGIONS = 64, ATOMIC_CHUNKS = 1 << 14 };
// L2 serialises the atomics of a chunk of 512 bytes (probe: atomics of all SMs, in
// sasskit/docs/notes/timing.md).
enum { CHUNK_LINES = 4 };
// An allocation that the launch uses.
struct region {
    uint64_t base, bytes;
    double expected; // number of bytes that the first block loads or stores
    bool held;       // true if L2 holds the allocation from earlier launches
    bool used, stored_to;
};
// The atomics on one chunk of memory.
struct atomics {
    uint64_t number;
    struct atomics_line {
        uint64_t block; // 1 + the last block that accessed the line
        double cycles;  // cycles of L2 for all atomics on the line
        double floats;  // cycles of serial floating-point additions on the line
        bool shared;    // true if several blocks have accessed the line
    } line[CHUNK_LINES];
};
struct cache {
    struct line *line; // `sets` sets of WAYS lines (cache.c)
    uint64_t sets;
};
struct memory {
    // --- caches
    struct cache l1;
    struct cache l2;       // the lines that this SM has loaded or stored
    struct cache expected; // the lines that the first block loads or stores
    // --- cycle in which each resource is free
    double tags, texels, banks;
    double port, share; // from L2 to the SM: the port, and the SM's share of L2's bandwidth
    double store_port;  // from the SM to L2, for stores
    double atomic_port, atomic_back; // for atomics: from the SM to L2, and for their results back
    // the SM's share of L2's bandwidth for atomics, and for lanes that share a word
    double atomic_share, atomic_lanes;
    double wgmma_banks; // the data banks, for operands of wgmma and bulk copies
    double seen;        // cycle in which all SMs see everything stored so far
    int64_t next;       // next cycle in which there may be work
    // --- requests that have passed the tags
    // a heap by time: requests that wait for their sectors, then for the data banks
    struct request *back;
    int back_count, back_capacity;
    int pending; // number of requests in `back` other than stores
    // --- results of shared memory on their way back, in order
    struct shared_return {
        struct request request;
        int64_t first, last; // cycles in which the first and the last wavefront are back
    } returning[RETURNS];    // a ring
    int returning_first, returning_count;
    int64_t way_back;  // earliest cycle for the next result
    int turn;          // the scheduler whose queue is served next, round robin
    bool queues_first; // true if the queues, not arrived loads, use the data banks next
    // --- the chip around the SM
    double active_share; // fraction of the chip's SMs that have blocks
    double l2_bytes;     // bytes per cycle from L2 to this SM, for pairs of sectors
    double blocks;       // number of the launch's blocks
    bool in_step; // true if the SMs run in step, so that L2 lacks a line when this SM loads it
    // bytes so far: loaded from lines that L2 did not hold before the launch; stored to L2
    double loaded, stored;
    struct region region[REGIONS];
    int regions;
    const struct sim_memory *device;
    const struct sm_held *before; // what L2 holds from earlier launches; NULL if nothing
    bool overflows;               // true if the launch uses more than L2 holds
    // --- device memory
    double dirty_bytes; // bytes that a flush left in L2, which must be written back
    double read;        // bytes that all SMs have read from it
    double device_port; // cycle in which all reads requested so far are complete
    double device_use;  // cycles in which device memory was busy, decaying with time
    double device_time; // cycle in which device_use was last updated
    // --- atomics
    struct atomics *atomics; // ATOMIC_CHUNKS entries, direct-mapped
    double most_shared;      // the longest serial work on shared data, in cycles
    bool has_atomics;
    // --- drawn for each request by draw_lateness() in memory.c
    // delay beyond memory_latency, in cycles: if an SM has requested the data before; if none has
    double late, first;
    double drawn; // 0 to 1; decides whether another SM has requested the data before
    bool strong;  // true if the request loads data that other SMs store
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
    struct code_line {   // one per line of code
        int64_t arrives; // cycle in which the line arrives from the instruction cache
        // per warp: value of sm.streamed when stream() in warp.c last fetched the line; 0 if never
        uint32_t streamed[SLOTS];
        uint64_t used;  // value of `fetched` when the line was last used
        uint64_t until; // value of `fetched` at which the line is replaced
    } * line;
    uint64_t fetched;         // number of code lines fetched so far
    uint32_t streamed[SLOTS]; // per warp: number of code lines that stream() fetched
    uint64_t started;         // number of warps started so far
    int64_t write_queue;      // copy of the machine's figure
    int bank_queue;           // copy of the machine's figure
    bool accounts;            // true if the cycles of warps are counted by state
    const char *failed;       // an error message; NULL if nothing has failed
    void (*block_ended)(struct sm *sm, struct sm_block *block, int64_t now);
    void *context; // the data of block_ended()
};

// warp.c
void warp_start(struct sm *sm, struct sm_warp *w, struct sm_block *block,
                const struct sim_stream *stream, int64_t now);
// Ends the block if all its warps have ended and nothing is in flight.
void block_check(struct sm *sm, struct sm_block *block, int64_t now);
// Moves the warp to its next instruction, which waits `more` cycles beyond the stall count.
// `executed` is true if at least one lane executed the previous instruction.
void warp_advance(struct sm *sm, struct sm_warp *w, bool executed, int more, int64_t now);

// ready.c
// Sets w->ready, the cycle from which the warp's next instruction can issue.
void warp_resolve(struct sm *sm, struct sm_warp *w);
// Completes one operation of a scoreboard in cycle `when`.
void warp_release(struct sm *sm, struct sm_warp *w, int scoreboard, int64_t when);

// scheduler.c
void scheduler_step(struct sm *sm, struct sm_scheduler *s, int64_t now);

// memory.c
bool memory_open(struct sm *sm, double l1_kbytes, double l2_bytes_per_cycle);
void memory_close(struct sm *sm);
// Returns how many words of the stream follow an instruction's event word.
uint32_t memory_words(const struct instruction *in, uint32_t event);
void memory_issue(struct sm *sm, struct sm_scheduler *s, struct sm_warp *w, const uint32_t *event,
                  int64_t now);
void memory_step(struct sm *sm, int64_t now);
// Writes the results of shared memory that are due before cycle `now`.
void memory_write(struct sm *sm, struct sm_scheduler *s, int64_t now);
int64_t memory_read_wgmma(struct sm *sm, const struct instruction *in, int64_t now);

// cache.c
bool cache_open(struct cache *c, double kbytes);
// Returns the line; if the cache does not hold it, the line replaces the least recently used one of
// its set.
struct line *cache_use(struct cache *c, uint64_t number, int64_t now);

// l1.c, l2.c. `number` is the number of a line of 128 bytes. A `line` argument has that number in
// bits 4 and up, and a sector mask in bits 0-3. `lanes` is the third word of an atomic's line
// (sim/observer.h). l1_load() returns the cycle in which the sectors arrive; if `keep`, L1 keeps
// them.
int64_t l1_load(struct sm *sm, uint64_t line, bool keep, int64_t now);
void l1_store_local(struct sm *sm, uint64_t line, int64_t now);
int64_t l2_load(struct sm *sm, uint64_t number, uint8_t sectors, int64_t now);
int64_t l2_again(struct sm *sm, int sectors, int64_t now);
int64_t l2_store(struct sm *sm, const struct request *r, int64_t now);
int64_t l2_seen(struct sm *sm, int64_t now);
int64_t l2_atomic(struct sm *sm, const struct request *r, uint64_t line, uint32_t lanes,
                  int64_t now);
void l2_share_atomics(struct sm *sm, uint64_t number);
void l2_expect(struct sm *sm, uint64_t line);
// Adds the allocations that the launch has used to `held`.
void l2_keep(const struct sm *sm, struct sm_held *held);

// barrier.c. `event` is the event word of a BAR (sim/observer.h).
void arrive_at_barrier(struct sm *sm, struct sm_warp *w, uint32_t event, int64_t now);
// Completes the barriers at which only warps that have ended are missing.
void leave_barriers(struct sm *sm, struct sm_block *block, int64_t now);

// timeline.c
enum { SPANS = 11 };
// Cycles `from` to `to` - 1, during which a warp is in one state.
struct sm_span {
    enum sm_state state;
    int64_t from, to;
};
void timeline_open(const struct sm *sm);
void timeline_issue(const struct sm *sm, const struct sm_warp *w, const struct sm_span span[SPANS]);
void timeline_block(const struct sm *sm, const struct sm_block *block, int64_t from, int64_t to);
void timeline_close(const struct sm *sm);
