// What the parts of the modelled SM share. Times are SM cycles from the start of the launch's first block.
#pragma once

#include "sm.h"

enum { SCHEDULERS = 4, SLOTS = 64, QUEUE = 64, SCOREBOARDS = 6, BARRIERS = 16, COPY_GROUPS = 16, NO_BARRIER = 7 };
enum { WRITES = 8, COMING = 64, MEETINGS = 64, PRODUCT_GROUPS = 16 };
enum { CODE_LINE_BYTES = 128, INSTRUCTIONS_A_LINE = 8 };
#define NEVER INT64_MAX

static inline int64_t max(int64_t a, int64_t b) {
    return a > b ? a : b;
}
static inline int64_t min(int64_t a, int64_t b) {
    return a < b ? a : b;
}
static inline double later(double a, double b) { // libm's does more
    return a > b ? a : b;
}

// --- code.c: an instruction as the SM sees it ------------------------------------------------------------------------------

enum unit { // what it needs for some cycles from issue on; each scheduler has its own
    UNIT_FMA,
    UNIT_FMA_HEAVY, // the one of the two FMA pipes that multiplies integers
    UNIT_FMA_ALONE, // of a chip with one FMA pipe: others issue while it is busy
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
    KIND_PLAIN,    // its stall count covers its latency
    KIND_VARIABLE, // a scoreboard is cleared some cycles after issue
    KIND_DEPBAR,   // waits for all but some of a scoreboard's
    KIND_BARRIER,
    KIND_PRODUCT,      // of four warps: runs on by itself
    KIND_PRODUCT_WAIT, // for all but some groups of these
    KIND_SHARED,       // LDS STS ATOMS SHFL: data banks only
    KIND_ARRIVE,       // at an mbarrier
    KIND_MEET,         // waits there
    KIND_ENGINE,       // starts a copy of the copy engine
    KIND_COMMIT,       // LDGDEPBAR: closes a group of copies; ARRIVES: the group arrives at an mbarrier
    KIND_LOAD,         // those from here on go through the tags
    KIND_STORE,
    KIND_COPY, // LDGSTS
    KIND_ATOMIC,
    KIND_TEXTURE
};
enum { NO_REGISTER = -1 };
enum places { PLACES_32, PLACES_FP64, PLACES, NO_PLACES = PLACES };

struct instruction {
    uint8_t kind, unit, stall, wait;
    uint8_t write_barrier, read_barrier; // NO_BARRIER: none
    bool control, observed;              // has words in the stream (sim/observer.h)
    bool keeps;                          // bit 109 is set: the warp keeps its turn
    bool empties;                        // what the reuse cache holds for the warp is lost behind it
    bool bypass;                         // a copy past L1, or a load of what other SMs store
    bool local;                          // a store to local memory, which nobody else reads
    bool fence;                          // MEMBAR beyond the block
    bool special;                        // S2R, LDC: not from shared memory, but the same way
    bool blocks;                         // waits for the barrier that its warp has come to
    bool reconverges;                    // BSYNC
    bool swaps, floats;                  // atomics that compare and swap, that add floats
    uint8_t places;                      // of the reuse cache that it reads through: enum places
    bool reads_pairs;                    // of registers, 64 bits
    bool wide;                           // IMAD.WIDE or IMAD.HI: takes the ALU's way, too
    bool writes;                         // a fixed-latency result takes the write port
    bool runs_on;                        // the next one follows when the stall count is over, whatever happens
    int16_t slot[3];                     // registers of operands A, B, C
    bool kept[3];                        // those of them that the reuse cache keeps
    uint32_t slot_reads[3];              // of each: reads of bank 0, and of bank 1 from bit 16 on
    uint32_t reads;                      // of all that it reads, when nothing is kept
    uint8_t results;                     // registers that a load writes
    uint8_t stored;                      // registers that a store reads for its data
    uint8_t into;                        // banks of its results, a bit each
    uint8_t first_into;                  // the first one's
    uint8_t busy;                        // cycles of its unit
    uint8_t latency;                     // KIND_VARIABLE: issue to result
    uint8_t read_latency;                // from leaving the queue until its sources may be overwritten
    uint8_t scoreboard, leave;           // KIND_DEPBAR; leave: KIND_PRODUCT_WAIT, too
    uint16_t product_cycles;             // KIND_PRODUCT
    uint16_t product_rows;               // the same: of 32 bytes, which it reads in shared memory
    uint8_t copies;  // KIND_ENGINE: 2 where another block of the cluster gets them, and sends as many
    bool ends_group; // the same
};
struct instruction *code_open(const struct sim_kernel *kernel, const struct sm_machine *machine);

// --- warps and blocks --------------------------------------------------------------------------------------------------------

struct scoreboard {
    uint16_t count; // still out
    uint8_t state;  // what it is to wait for the latest that set it
    int64_t clear;  // when those that are not out any more are seen to be back
};
struct copy_group {
    int out;
    int64_t done;
    uint8_t scoreboard;    // NO_BARRIER: not closed yet
    uint32_t at, arrivals; // at an mbarrier, when it is done
};

struct warp {
    const uint32_t *word, *end; // of the stream
    const struct instruction *next;
    uint32_t pc;          // of next
    uint32_t line;        // of code that it has
    int64_t entered, due; // when it went to that line; from when the line was there
    struct block *block;
    uint64_t age;                   // a younger warp has a larger one
    uint8_t slot, scheduler, place; // place: among the scheduler's
    bool alive, at_barrier;
    int64_t issued;                         // when the instruction before was
    bool stored;                            // since the latest fence; also by atomics
    int64_t left_barrier;                   // from when it may go on behind its barrier
    int64_t stalled_until, ready;           // ready: NEVER while it is not known
    bool jumped;                            // with the instruction before
    uint8_t stall, stall_state, wait_state; // stall: its count, of the instruction before
    uint8_t held; // what holds it up now although it is ready; SM_SELECTED: nothing, or it is not ready
    uint32_t held_cycles[SM_STATES]; // since the instruction before
    struct scoreboard scoreboard[SCOREBOARDS];
    struct copy_group group[COPY_GROUPS]; // group_first .. group_last, the last is open
    unsigned group_first, group_last;
    int64_t product[PRODUCT_GROUPS]; // when the latest groups of products are over
    unsigned products;               // groups
};

struct barrier {
    uint32_t threads;  // that have arrived
    uint32_t expected; // 0: all that are alive
    double time;       // when it can be used again; the last arrival after that
    uint64_t waiting;  // slots, a bit each
};
struct meeting { // an mbarrier
    uint32_t at, done;
    int64_t time; // when all that was done has been done
};
struct request { // a memory instruction on its way
    struct warp *warp;
    const struct instruction *instruction;
    const uint32_t *line; // two words each, of atomics three
    uint16_t lines, wavefronts;
    uint16_t again;  // sectors that a copy asks for twice
    uint16_t behind; // cycles for which a bank that it reads was
    bool active;
    uint16_t group; // of a copy
    int64_t time;   // from which it may go on
};
struct block {
    uint64_t linear;
    int64_t started;
    struct meeting meeting[MEETINGS];
    struct request waits[SLOTS]; // at mbarriers
    int meetings, waiting;
    uint32_t alive; // warps
    uint32_t out;   // memory instructions on their way
    uint32_t first_slot;
    struct sim_stream *stream; // (warps)
    int64_t met, met_before;   // when its warps left the latest barrier, and the one before
    int64_t together;          // until when all that it asks for comes equally late; NEVER: from the next request on
    double lead;               // how late then, from 0 (others have had it) to 1
    struct barrier barrier[BARRIERS];
};

// --- parts -------------------------------------------------------------------------------------------------------------------

enum { QUEUE_LSU, QUEUE_TEXTURE, QUEUES };
// What must be free for a request to leave its queue.
enum gate { GATE_NONE, GATE_BANKS, GATE_TAGS, GATE_TEXELS, GATES };
struct queue {           // of memory instructions, in order
    int64_t next_handed; // when the next one can leave
    int64_t from;        // the first one, if its gate is open
    enum gate gate;
    int head, count;
    struct request request[QUEUE];
};

struct scheduler {
    uint64_t known;               // those whose `ready` is known, a bit each
    struct warp *greedy, *chosen; // chosen: its operands cannot be read yet
    int64_t issued;               // the cycle of its last instruction
    int64_t next;                 // cycle in which there may be something to do
    int64_t looked;               // when it was last seen what holds up its warps
    int64_t unit[UNITS];
    bool fma_heavy;         // the FMA pipe that is next: they take turns
    int64_t integers_until; // when the FMA pipe that multiplies them is through with them
    // register file
    int64_t read_by[2];          // when each bank has delivered what was asked of it
    struct place {               // of the reuse cache
        const struct warp *warp; // NULL: nothing is kept
        int16_t number;
        int64_t from;      // when it has been read
    } place[PLACES][3][2]; // by operand and bank
    int64_t writes_at;
    int64_t written_at;
    uint64_t written[2]; // of each bank: cycles up to then that had a fixed-latency result, the latest in bit 0
    struct write {       // what waits for the port
        struct request request;
        int64_t from;  // in cycles of issue
        uint8_t banks; // a bit each
        bool last;     // of its request
    } write[WRITES];
    int write_first, writes;
    int64_t port_seen, port_served,
        port_closed; // looked at up to; the last cycle it had one of these; closed to the others until
    int results;     // of loads through L1 that wait for the write port
    struct queue queue[QUEUES];
    int queued_global; // loads and stores through L1
    struct warp *warp[SLOTS];
    int warps;
};

struct line {
    uint64_t number;
    uint8_t sectors;
    bool held;      // of L2: it was there before the SM asked for it
    uint8_t region; // the same
    uint8_t parts;  // the same: sectors that `writer` has stored in part
    int64_t arrives, used;
    int64_t stored; // of L2: when a part of it was, by `writer`
    const struct warp *writer;
};
enum { REGIONS = 64, ATOMIC_CHUNKS = 1 << 14 };
enum { CHUNK_LINES = 4 }; // what L2 has one queue for: 512 bytes (probe: atomics of all SMs, docs/notes/timing.md)
struct region {           // an allocation
    uint64_t base, bytes;
    double expected; // bytes that the first block asks for
    bool held;       // by L2, from earlier launches
    bool used, stored_to;
};
struct atomics { // of a chunk of memory
    uint64_t number;
    struct atomics_line {
        uint64_t block; // that asked for it last, + 1
        double cycles;  // of L2 for all who asked
        double floats;  // cycles of adding floats at one word
        bool met;       // several blocks have asked
    } line[CHUNK_LINES];
};
struct cache {
    struct line *line; // (sets, WAYS)
    uint64_t sets;
};
struct memory {
    struct cache l1, l2;                     // l2: what this SM has asked for or stored
    struct cache expected;                   // what the first block loads, as far as there is room
    double tags, texels, banks, port, share; // when each is free
    double products;                         // when the data banks have served the products and copies so far
    double atomic_port, atomic_share;        // the same, of the way of atomics to L2, and of the SM's share of L2
    double store_port;                       // the same, of the way of stores to L2
    double seen;                             // when all SMs see what has been stored so far
    struct request *back; // a heap by time: those that wait for their sectors, then for the data banks
    int back_count, back_capacity;
    int pending;    // turns of the tags whose requests wait there
    struct coming { // results of shared memory
        struct request request;
        int64_t first, last; // when the banks' first turn and last one are back
    } coming[COMING];        // in order
    int coming_first, coming_count;
    int64_t way_back;  // when the next of them can go on
    int turn;          // of the schedulers
    bool queues_first; // of those that need the data banks
    int64_t next;
    double part;             // of the chip's SMs have blocks
    double l2_bytes;         // a cycle to this SM, of pairs of sectors
    double loaded, stored;   // bytes between L2 and the SM so far
    bool in_step;            // with other SMs: what they ask for L2 does not have yet
    struct atomics *atomics; // (ATOMIC_CHUNKS) a place for some chunks each, of which the latest has it
    double most_met;         // cycles of a queue for what several blocks want, the most
    bool has_atomics;
    const struct sim_memory *device;
    const struct sm_held *before;  // what L2 holds of earlier launches; NULL: nothing
    struct region region[REGIONS]; // that the launch uses
    int regions;
    double blocks;      // of the launch
    double dirty_bytes; // that a flush has left in L2
    double read;        // from device memory by all SMs, bytes
    double device_port; // when device memory has read what was asked for so far
    double device_use;  // cycles of it, of the latest some; older ones count less and less
    double device_time; // until when that is right
    bool overflows;     // L2 does not hold what the launch uses, so what is stored goes to device memory
    double late,
        first; // what the sectors of this request take longer from device memory; where nobody else has asked for them before
    double drawn; // for this request, from 0 to 1: whether somebody has
    bool strong;  // it is a load of what other SMs store
    uint64_t random;
};

struct sm {
    const struct sm_machine *machine;
    const struct instruction *code;
    struct sm_result *result;
    struct scheduler scheduler[SCHEDULERS];
    struct warp warp[SLOTS];
    struct memory memory;
    struct code_line {            // (lines of code)
        int64_t arrives;          // NEVER: nobody has asked for it
        uint32_t streamed[SLOTS]; // its number among those that came so, for each warp
        uint64_t used;            // what was fetched when it was used last
        uint64_t until;           // what will have been when another one takes its place
    } * line;
    uint64_t fetched;         // lines
    uint32_t streamed[SLOTS]; // the same, for each warp
    uint64_t started;
    const struct sim_kernel *kernel;
    const struct sm_timeline *timeline;
    int64_t write_queue; // the machine's
    int bank_queue;      // the same
    bool accounts;       // for what each warp does
    const char *failed;  // why; NULL: it has not
    void (*block_ended)(struct sm *sm, struct block *block, int64_t now);
    void *context;
};

// warp.c
void warp_start(struct sm *sm, struct warp *w, struct block *block, const struct sim_stream *stream, int64_t now);
void block_check(struct sm *sm, struct block *block, int64_t now); // ends it when nothing of it is left
// Finds the next instruction, which waits for so much more than the stall count; ends the warp after its last.
void warp_advance(struct sm *sm, struct warp *w, bool executed, int more, int64_t now);
// ready.c
void warp_resolve(struct sm *sm, struct warp *w);                               // when it can issue
void warp_release(struct sm *sm, struct warp *w, int scoreboard, int64_t when); // one of those that were out
// scheduler.c
void scheduler_step(struct sm *sm, struct scheduler *s, int64_t now);
// memory.c
bool memory_open(struct sm *sm, double l1_kbytes, double l2_bytes); // bytes: a cycle
void memory_close(struct sm *sm);
uint32_t memory_words(const struct instruction *in, uint32_t event); // of the stream, behind an instruction's first one
void memory_issue(struct sm *sm, struct scheduler *s, struct warp *w, const uint32_t *event, int64_t now);
void memory_step(struct sm *sm, int64_t now);
void memory_write(struct sm *sm, struct scheduler *s, int64_t now); // results of shared memory, up to now
int64_t memory_read_product(struct sm *sm, const struct instruction *in, int64_t now); // when the data banks have
// cache.c
bool cache_open(struct cache *c, double kbytes);
struct line *cache_use(struct cache *c, uint64_t number, int64_t now); // makes room for it if it is not there
// l1.c
int64_t l1_load(struct sm *sm, uint64_t line, bool keep, int64_t now);
int64_t l2_store(struct sm *sm, const struct request *r, int64_t now); // when it has left
int64_t l2_seen(struct sm *sm, int64_t now);
void l1_store_local(struct sm *sm, uint64_t line, int64_t now);
void l2_meet(struct sm *sm, uint64_t number); // another block has atomics at the line, too
int64_t l2_atomic(struct sm *sm, const struct request *r, uint64_t line, uint32_t turns, int64_t now);
int64_t l2_load(struct sm *sm, uint64_t number, uint8_t sectors, int64_t now);
int64_t l2_again(struct sm *sm, int sectors, int64_t now);
void l2_expect(struct sm *sm, uint64_t line);
void l2_keep(const struct sm *sm, struct sm_held *held);
// barrier.c
void arrive_at_barrier(struct sm *sm, struct warp *w, uint32_t event, int64_t now);
void leave_barriers(struct sm *sm, struct block *block, int64_t now); // after a warp has ended
// timeline.c
enum { SPANS = 11 };
struct span { // cycles of a warp in one state: from .. to - 1
    enum sm_state state;
    int64_t from, to;
};
void timeline_open(const struct sm *sm);
void timeline_issue(const struct sm *sm, const struct warp *w, const struct span span[SPANS]);
void timeline_block(const struct sm *sm, const struct block *block, int64_t from, int64_t to);
void timeline_close(const struct sm *sm);
