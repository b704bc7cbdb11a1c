// A schedule: what one rank multiplies, what travels to it and from it, and what waits for what. A rank is one GPU of those that
// compute C = alpha A B + beta C together. A lesson's scheme writes the schedule of each rank; a job runs it (job.h), the
// prediction reckons with it (predict.h), and the bytes that travel are counted from it.
//
// All ranks have the same collective operations in the same order (EXCHANGE to REDUCE_SCATTER), with tiles of their own, which may be
// empty; the others are a rank's own. An operation belongs to a stream, COMPUTE or TRAVEL: in a stream one comes after the other,
// between streams it waits for what it names.
//
// A dimension is cut into chunks of one length, a multiple of 4 (16 bytes), so that every rank's part begins aligned: the last
// ones are shorter, or empty.
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { MOST_GPUS = 64, CHUNK_MULTIPLE = 4, MOST_OPERATIONS = 1024 };
enum stream { COMPUTE, TRAVEL, STREAMS };
enum group {
    GROUP_ALL,
    GROUP_ROW,
    GROUP_COLUMN,
    GROUPS
}; // of the grid of ranks: those with the same row, the same column

// The buffers of a rank: its pieces of the matrices, then work buffers without gaps.
enum { PIECE_A, PIECE_B, PIECE_C, FIRST_WORK, MOST_BUFFERS = FIRST_WORK + 8, MOST_WAITS = 2 };

// Rows [row, row + rows) and columns [col, col + cols) of a whole matrix.
struct piece {
    int64_t row, col, rows, cols;
};

// A part of a buffer, in elements; `at` is its first.
struct tile {
    int buffer;
    int64_t at, rows, cols, ld;
};

enum operation_kind {
    MULTIPLY,       // c = alpha a b + factor c
    COPY,           // to = from, on this GPU
    PULL,           // to = from, a tile of another rank's piece, by a copy engine
    EXCHANGE,       // from goes to rank `target`, and what rank `source` sends comes in to
    GATHER,         // to holds a chunk for each rank, of which this rank's is filled in; then all are
    BROADCAST,      // from of rank `source` goes to `to` of its group
    REDUCE_SCATTER, // from holds a chunk for each rank; to becomes the sum of all ranks' chunks for this one
};
extern const char *const operation_names[]; // by kind, in lower case

enum factor { FACTOR_BETA, FACTOR_ZERO, FACTOR_ONE }; // of c: the problem's beta, 0, or 1 to add to what is there

struct operation {
    enum operation_kind kind;
    enum stream stream;
    int source, target;    // ranks, of all; -1 for none
    int waits[MOST_WAITS]; // operations that come first; -1 for none
    struct tile a, b, c;   // MULTIPLY
    enum factor factor;
    struct tile from, to;
    enum group group;
    bool beside; // MULTIPLY: something may travel meanwhile
};

// What a scheme is given, and what it writes.
struct schedule {
    int ranks, rank;
    int64_t m, n, k;
    int64_t pads[3]; // elements between the rows of the pieces of A, B, C
    int64_t panel;   // rows of B (columns of A) that travel at once, at most
    bool beta_is_zero;

    int grid_rows, grid_cols; // the ranks as a grid, row by row; 1 x ranks where nothing is said
    struct piece pieces[3];   // of A, B, C
    int64_t work[MOST_BUFFERS];
    int buffers;
    struct operation *operations; // (count)
    int count, room;
    bool failed; // no memory
};

// A way of sharing the work out, as in --variant and in the CSV.
struct scheme {
    const char *name, *idea;
    bool one_process; // reads other ranks' memory
    bool no_nccl;
    void (*write)(struct schedule *schedule);
    // Bytes that the rank that receives most receives, in closed form: what the schedule's count must equal.
    double (*received)(const struct schedule *schedule);
};

// The schemes of the linked lesson, which end at the first without a name.
extern const struct scheme lesson_schemes[];

// The schedule of one rank; false without memory. schedule_free() it.
bool schedule_write(struct schedule *schedule, const struct scheme *scheme);
void schedule_free(struct schedule *schedule);

// --- for schemes ---------------------------------------------------------------------------------------------------------

// Length of the chunks when `size` is cut for `parts`; the first element of a chunk, `size` past the last.
int64_t chunk_of(int64_t size, int parts);
int64_t chunk_start(int64_t size, int parts, int part);

// A work buffer of so many elements; its number.
int new_work(struct schedule *schedule, int64_t elements);

// A part of a piece, from its own row and column on; a part of a work buffer, rows without gaps.
struct tile piece_tile(const struct schedule *, int buffer, int64_t row, int64_t col, int64_t rows, int64_t cols);
struct tile work_tile(int buffer, int64_t at, int64_t rows, int64_t cols);
bool has_no_gaps(struct tile tile);

// Each appends an operation and returns its number, by which others wait for it. `after`: -1 for none.
int multiply(struct schedule *, struct tile a, struct tile b, struct tile c, enum factor factor, int after);
int copy(struct schedule *, enum stream stream, struct tile from, struct tile to, int after);
int pull(struct schedule *, struct tile from, int source, struct tile to, int after);
int exchange(struct schedule *, struct tile from, int target, struct tile to, int source, int after);
int gather(struct schedule *, struct tile to, int after);
int broadcast(struct schedule *, enum group group, int source, struct tile from, struct tile to, int after);
int reduce_scatter(struct schedule *, struct tile from, struct tile to, int after);

// --- what follows from it --------------------------------------------------------------------------------------------------

// How many ranks a group of this rank has, and which: the first, and how far apart.
struct members {
    int count, first, step;
};
struct members members_of(const struct schedule *schedule, enum group group);

// Goes through the schedules of several ranks (all of a run, or one process's) in an order in which they can be entered into their
// streams, in turns, so that no rank waits until another one's are all entered: `own` gets each operation of a single rank, `together`
// one collective operation of all of them, a number a schedule. Ends at the first false.
struct walker {
    bool (*own)(void *context, int schedule, int operation);
    bool (*together)(void *context, const int *operations);
    void *context;
};
bool schedules_walk(struct schedule *const *schedules, int count, const struct walker *walker);

int64_t tile_elements(struct tile tile);
bool is_collective(const struct operation *operation); // all ranks take part
double operation_flops(const struct operation *operation);
double operation_received(const struct schedule *schedule, const struct operation *operation); // bytes, by this rank
double schedule_received(const struct schedule *schedule);                                     // bytes, by this rank
int64_t schedule_work_bytes(const struct schedule *schedule);
