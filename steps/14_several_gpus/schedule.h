// Schedules: what each GPU does when several GPUs compute C = alpha A B + beta C together. A rank
// is one of these GPUs. Its schedule lists its operations (products, copies and messages), and for
// each operation the earlier ones that it waits for. A scheme, i.e. a way to distribute the work,
// writes the schedule of each rank. job.h runs schedules, predict.h predicts their time, and
// schedule_received() counts the bytes that a rank receives.
//
// Invariant: all ranks have the same sequence of collectives (EXCHANGE to REDUCE_SCATTER). Each
// rank has tiles of its own in a collective; they may be empty. Every other operation concerns
// one rank. An operation belongs to a stream, COMPUTE or TRAVEL. Operations of one stream run in
// order. An operation waits for those operations of the other stream that its `waits` name.
//
// A dimension is cut into chunks of equal length, a multiple of 4 elements, so that every rank's
// part starts at a multiple of 16 bytes. The last chunks may be shorter or empty.
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { MOST_GPUS = 64, CHUNK_MULTIPLE = 4, MOST_OPERATIONS = 1024 };
enum stream { COMPUTE, TRAVEL, STREAMS };
// The ranks that take part in a broadcast: all, or those in this rank's row or column of the grid.
enum rank_group { GROUP_ALL, GROUP_ROW, GROUP_COLUMN, GROUPS };

// The buffers of a rank: its pieces of the matrices, then work buffers, whose rows have no gaps.
enum { PIECE_A, PIECE_B, PIECE_C, FIRST_WORK, MOST_BUFFERS = FIRST_WORK + 8, MOST_WAITS = 2 };

// Rows [row, row + rows) and columns [col, col + cols) of a whole matrix.
struct piece {
    int64_t row, col, rows, cols;
};

// A rectangular part of a buffer. All sizes and offsets are in elements.
struct buffer_tile {
    int buffer; // number of the buffer
    int64_t at; // offset of the first element
    int64_t rows, cols, ld;
};

enum operation_kind {
    MULTIPLY,  // c = alpha a b + factor c
    COPY,      // to = from, within this GPU
    PULL,      // to = from, where `from` is in a piece of rank `source`; a copy engine copies it
    EXCHANGE,  // sends `from` to rank `target`, and receives `to` from rank `source`
    GATHER,    // `to` has a chunk per rank; sends this rank's chunk, receives the other chunks
    BROADCAST, // copies `from` on rank `source` to `to` on every rank of its group
    // `from` has a chunk per rank; `to` becomes the sum of all ranks' chunks for this rank
    REDUCE_SCATTER,
};
extern const char *const operation_names[]; // the name of each kind, in lower case

// The factor of c in a product: the problem's beta, 0, or 1 (which adds to C).
enum factor { FACTOR_BETA, FACTOR_ZERO, FACTOR_ONE };

struct operation {
    enum operation_kind kind;
    enum stream stream;
    int source, target;    // numbers among all ranks; -1 if there is none
    int waits[MOST_WAITS]; // earlier operations that must be complete; -1 for an unused entry

    // --- MULTIPLY
    struct buffer_tile a, b, c;
    enum factor factor;
    bool beside; // true if a collective may run at the same time

    // --- the other kinds
    struct buffer_tile from, to;
    enum rank_group group;
};

// The schedule of one rank.
struct schedule {
    // --- set by the caller of schedule_write()
    int ranks, rank;
    int64_t m, n, k;
    int64_t pads[3]; // gaps between the rows of the pieces of A, B and C, in elements
    int64_t panel;   // most rows of B, or columns of A, that are sent at once
    bool beta_is_zero;

    // --- set by the scheme
    // the shape in which ranks are arranged, row by row; by default 1 x ranks
    int grid_rows, grid_cols;
    struct piece pieces[3];       // the rank's pieces of A, B and C
    int64_t work[MOST_BUFFERS];   // number of elements of each work buffer
    int buffers;                  // number of buffers
    struct operation *operations; // an array of `count` operations
    int count, room;
    bool failed; // true if memory was exhausted
};

// A way to distribute the work. Each scheme is a variant of the lesson: `name` is used in --variant
// and in the CSV.
struct scheme {
    const char *name, *idea;
    bool one_process; // true if it reads other ranks' memory: all ranks must be in one process
    bool no_nccl;     // true if it has no collectives
    void (*write)(struct schedule *schedule);

    // Returns, from a formula, the bytes received by the rank that receives most.
    // Invariant: this equals the largest schedule_received() of all ranks.
    double (*received)(const struct schedule *schedule);
};

// The schemes of the linked lesson. The last row has no name.
extern const struct scheme lesson_schemes[];

// Writes the schedule of one rank. Returns false if memory is exhausted. The caller calls
// schedule_free().
bool schedule_write(struct schedule *schedule, const struct scheme *scheme);
void schedule_free(struct schedule *schedule);

// --- for schemes ---------------------------------------------------------------------------------

// Returns the length of a chunk if `size` elements are cut into `parts` chunks.
int64_t chunk_of(int64_t size, int parts);

// Returns the first element of chunk `part`; `size` if the chunk is empty.
int64_t chunk_start(int64_t size, int parts, int part);

// Adds a work buffer. Returns its number.
int new_work(struct schedule *schedule, int64_t elements);

// Returns a tile of a piece. `row` and `col` count from the start of the piece.
struct buffer_tile piece_tile(const struct schedule *, int buffer, int64_t row, int64_t col,
                              int64_t rows, int64_t cols);

// Returns a tile of a work buffer that starts at element `at` and has no gaps between its rows.
struct buffer_tile work_tile(int buffer, int64_t at, int64_t rows, int64_t cols);
bool has_no_gaps(struct buffer_tile tile);

// These functions append an operation and return its number. It waits for operation `after`, unless
// `after` is -1.
int multiply(struct schedule *, struct buffer_tile a, struct buffer_tile b, struct buffer_tile c,
             enum factor factor, int after);
int copy(struct schedule *, enum stream stream, struct buffer_tile from, struct buffer_tile to,
         int after);
int pull(struct schedule *, struct buffer_tile from, int source, struct buffer_tile to, int after);
int exchange(struct schedule *, struct buffer_tile from, int target, struct buffer_tile to,
             int source, int after);
int gather(struct schedule *, struct buffer_tile to, int after);
int broadcast(struct schedule *, enum rank_group group, int source, struct buffer_tile from,
              struct buffer_tile to, int after);
int reduce_scatter(struct schedule *, struct buffer_tile from, struct buffer_tile to, int after);

// --- reading schedules ---------------------------------------------------------------------------

// The ranks of a group: `first`, first + step, and so on.
struct members {
    int count, first, step;
};
struct members members_of(const struct schedule *schedule, enum rank_group group);

// The callbacks of schedules_walk(), which return false to end the walk.
struct walker {
    bool (*own)(void *context, int schedule, int operation); // called for one operation of one rank
    // called for a collective, with one operation per rank
    bool (*together)(void *context, const int *operations);
    void *context;
};

// Visits the operations of several schedules in an order in which they can be put into their
// streams. The ranks take turns, one operation each; a collective is visited when all ranks have
// reached it. So a rank can start before another rank's whole schedule is visited. Returns false if
// a callback does, or if one rank has more collectives than another.
bool schedules_walk(struct schedule *const *schedules, int count, const struct walker *walker);

int64_t tile_elements(struct buffer_tile tile);
bool is_collective(const struct operation *operation);
double operation_flops(const struct operation *operation);

// These functions return the bytes that this rank receives.
double operation_received(const struct schedule *schedule, const struct operation *operation);
double schedule_received(const struct schedule *schedule);

// Returns the size of the rank's work buffers in bytes.
int64_t schedule_work_bytes(const struct schedule *schedule);
