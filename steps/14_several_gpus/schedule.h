// A schedule lists the operations of one rank: what it multiplies, sends and receives, and what
// waits for what. A rank is one of the GPUs that compute C = alpha A B + beta C together. A scheme
// writes the schedule of each rank; a job runs it (job.h), the prediction computes its time
// (predict.h), and the bytes that it receives are counted.
//
// Invariant: all ranks have equal sequences of collective operations (EXCHANGE to REDUCE_SCATTER),
// each with tiles of its own, which may be empty. The other operations are a rank's own. An
// operation belongs to a stream, COMPUTE or TRAVEL. Operations of one stream run in order; an
// operation waits for those of the other stream that it names.
//
// A dimension is cut into chunks of equal length, a multiple of 4 elements, so that every rank's
// part starts at a multiple of 16 bytes. The last chunks may be shorter or empty.
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { MOST_GPUS = 64, CHUNK_MULTIPLE = 4, MOST_OPERATIONS = 1024 };
enum stream { COMPUTE, TRAVEL, STREAMS };
// Which ranks take part in a broadcast: all, or those in this rank's row or column of the grid.
enum rank_group { GROUP_ALL, GROUP_ROW, GROUP_COLUMN, GROUPS };

// The buffers of a rank: its pieces of the matrices, then work buffers, whose rows have no gaps.
enum { PIECE_A, PIECE_B, PIECE_C, FIRST_WORK, MOST_BUFFERS = FIRST_WORK + 8, MOST_WAITS = 2 };

// Rows [row, row + rows) and columns [col, col + cols) of a whole matrix.
struct piece {
    int64_t row, col, rows, cols;
};

// A part of a buffer. All members are in elements.
struct buffer_tile {
    int buffer;
    int64_t at; // offset of the first element
    int64_t rows, cols, ld;
};

enum operation_kind {
    MULTIPLY,       // c = alpha a b + factor c
    COPY,           // to = from, within this GPU
    PULL,           // to = from, a tile of another rank's piece, by a copy engine
    EXCHANGE,       // sends `from` to rank `target`, and receives `to` from rank `source`
    GATHER,         // `to` has a chunk per rank; fills in those of the other ranks
    BROADCAST,      // copies `from` on rank `source` to `to` on every rank of its group
    REDUCE_SCATTER, // `from` has a chunk per rank; `to` becomes the sum of those for this rank
};
extern const char *const operation_names[]; // per kind, in lower case

// The factor of c in a product: the problem's beta, 0, or 1 to add to C.
enum factor { FACTOR_BETA, FACTOR_ZERO, FACTOR_ONE };

struct operation {
    enum operation_kind kind;
    enum stream stream;
    int source, target;    // numbers among all ranks; -1 if there is none
    int waits[MOST_WAITS]; // earlier operations that must be complete; -1 if there is none

    // MULTIPLY.
    struct buffer_tile a, b, c;
    enum factor factor;
    bool beside; // a collective may run at the same time

    // The other kinds.
    struct buffer_tile from, to;
    enum rank_group group;
};

// The schedule of one rank.
struct schedule {
    // Set by the caller of schedule_write().
    int ranks, rank;
    int64_t m, n, k;
    int64_t pads[3]; // elements between the rows of the pieces of A, B, C
    int64_t panel;   // largest number of rows of B, or columns of A, sent at once
    bool beta_is_zero;

    // Set by the scheme.
    int grid_rows, grid_cols;     // the ranks as a grid, row by row; 1 x ranks by default
    struct piece pieces[3];       // the rank's pieces of A, B, C
    int64_t work[MOST_BUFFERS];   // elements per work buffer
    int buffers;                  // number of buffers
    struct operation *operations; // (count)
    int count, room;
    bool failed; // no memory
};

// A way to distribute the work: a variant of the lesson, as in --variant and in the CSV.
struct scheme {
    const char *name, *idea;
    bool one_process; // reads other ranks' memory
    bool no_nccl;
    void (*write)(struct schedule *schedule);

    // Returns the bytes received by the rank that receives most, from a formula. Invariant: they
    // equal schedule_received().
    double (*received)(const struct schedule *schedule);
};

// The schemes of the linked lesson; the last has no name.
extern const struct scheme lesson_schemes[];

// Writes the schedule of one rank. Returns false without memory. The caller calls schedule_free().
bool schedule_write(struct schedule *schedule, const struct scheme *scheme);
void schedule_free(struct schedule *schedule);

// --- for schemes ---------------------------------------------------------------------------------

// Returns the length of a chunk if `size` elements are cut into `parts` chunks.
int64_t chunk_of(int64_t size, int parts);

// Returns the first element of chunk `part`, or `size` past the last element.
int64_t chunk_start(int64_t size, int parts, int part);

// Adds a work buffer. Returns its number.
int new_work(struct schedule *schedule, int64_t elements);

// Returns a tile of a piece; `row` and `col` count from the piece's first.
struct buffer_tile piece_tile(const struct schedule *, int buffer, int64_t row, int64_t col, int64_t rows,
                              int64_t cols);

// Returns a tile of a work buffer, without gaps between its rows.
struct buffer_tile work_tile(int buffer, int64_t at, int64_t rows, int64_t cols);
bool has_no_gaps(struct buffer_tile tile);

// Each appends an operation and returns its number. It waits for the operation `after`; -1 if there
// is none.
int multiply(struct schedule *, struct buffer_tile a, struct buffer_tile b, struct buffer_tile c, enum factor factor,
             int after);
int copy(struct schedule *, enum stream stream, struct buffer_tile from, struct buffer_tile to, int after);
int pull(struct schedule *, struct buffer_tile from, int source, struct buffer_tile to, int after);
int exchange(struct schedule *, struct buffer_tile from, int target, struct buffer_tile to, int source, int after);
int gather(struct schedule *, struct buffer_tile to, int after);
int broadcast(struct schedule *, enum rank_group group, int source, struct buffer_tile from, struct buffer_tile to,
              int after);
int reduce_scatter(struct schedule *, struct buffer_tile from, struct buffer_tile to, int after);

// --- reading schedules ---------------------------------------------------------------------------

// The ranks of a group: `first`, first + step, ...
struct members {
    int count, first, step;
};
struct members members_of(const struct schedule *schedule, enum rank_group group);

// The callbacks of schedules_walk(). They return false to end the walk.
struct walker {
    bool (*own)(void *context, int schedule, int operation); // one operation of one rank
    bool (*together)(void *context, const int *operations);  // a collective: one operation per rank
    void *context;
};

// Visits the operations of several schedules in an order in which they can be put into their
// streams: one per rank at a time, so that no rank waits for another one's whole schedule, and a
// collective when all ranks have reached it. Returns false if a callback does, or if the ranks'
// collectives do not match.
bool schedules_walk(struct schedule *const *schedules, int count, const struct walker *walker);

int64_t tile_elements(struct buffer_tile tile);
bool is_collective(const struct operation *operation);
double operation_flops(const struct operation *operation);

// Each returns the bytes that this rank receives.
double operation_received(const struct schedule *schedule, const struct operation *operation);
double schedule_received(const struct schedule *schedule);
int64_t schedule_work_bytes(const struct schedule *schedule);
