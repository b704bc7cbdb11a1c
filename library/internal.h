// What the files of libsgemm share.
//
//   handle.c   the functions of sgemm.h: arguments, locks, messages
//   choose.c   problem -> recipe: who computes it, from what costs, in which pieces
//   run.c      recipe -> launches
//   kernels.c  kernels that are loaded when they are first needed, and memory
//   passing.c  to cuBLAS
//   refuse.c   statuses and sentences
//   gpu.c      the CUDA driver: the caller's context and stream, launches as one graph
//
// Inside, everything is row-major: a column-major product is the row-major one of the other operand by this one.
#ifndef LIBRARY_INTERNAL_H
#define LIBRARY_INTERNAL_H

#include "backend/backend.h"
#include "more.h"
#include "sgemm.h"

#include <pthread.h>

// --- where it runs (gpu.c; the simulator in the tests) --------------------------------------------------------------------------
// The calls of `backend` go to the context and the stream that the thread entered last.
struct device {
    const struct backend *backend;
    bool (*open)(struct device_info *info, void **context);
    bool (*enter)(void *context, void *stream);
    void (*leave)(void);
    bool (*capturing)(bool *captured);       // whether the stream is being captured into a graph
    bool (*follow)(void *before, void *now); // stream `now` waits for what is in `before`
    // Launches as one; NULL: the device cannot. From begin() to end() they may be kept back, then end() launches all of them. It returns
    // false if it could not, and none was launched: the caller launches them again, and they are not kept back any more. `series` is
    // what the device remembers of a call's launches, NULL at first.
    void (*begin)(void **series);
    bool (*end)(bool good); // whether all launches between were accepted
    void (*forget)(void *series);
};
extern const struct device device_gpu;
void *current_context(void); // of this thread; NULL: none
sgemm_status create_on(const struct device *device, sgemm_handle *handle, const sgemm_options *options);

// --- embedded cubins (images.s) -------------------------------------------------------------------------------------------------
struct image {
    const char *name; // "sm_90/10_block_order/64x64"
    const void *start;
    uint64_t bytes;
};
extern const struct image sgemm_images[]; // ends with a NULL name

// --- recipes ----------------------------------------------------------------------------------------------------------------
// A matrix as the caller has it: (rows, cols) of op(), `down`: transposed, so that a row lies down in memory.
struct operand {
    int64_t ld, stride;
    bool transposed;
    uint64_t at;   // of the first, or of the list
    uint64_t list; // 0: none
};

// A problem, row-major.
struct product {
    int64_t m, n, k, batch;
    struct operand a, b, c;
};
struct product product_of(const sgemm_problem *problem);

enum way { BY_CUBLAS, BY_FP32, BY_PHASES, BY_TENSOR }; // kernels of step 10; few_rows or few_cols of step 13; tensor.cu
struct recipe {
    sgemm_problem problem; // as asked; with `captured` the key
    bool captured;
    bool made;
    enum way way;
    int shares; // launches of step 10, each for a part of C
    struct {
        const struct variant *variant;
        int parts;
        int row, col, rows, cols;
    } share[MOST_PLANNED];
    const struct variant *variant;     // of step 13
    bool copies_a, copies_b, separate; // operands are copied; the product goes to memory of its own first
    int64_t m, n, k, batch;            // of a piece
    int64_t part_k; // K is cut into parts of so many, products of a batch that are added up; 0: it is not
    int64_t scratch, copy_a, copy_b, place; // bytes of a piece: planes, copies, the product
    int mend_items;
    int64_t bytes;
    double microseconds, most_microseconds; // with inputs that FP16 holds; with others
    void *series;                           // what the device keeps of its launches
};
bool make_recipe(const struct sgemm_context *handle, const sgemm_problem *problem, bool captured, int64_t most_bytes,
                 struct recipe *recipe);
const char *recipe_kernel(const struct recipe *recipe, char *name, size_t size);

// --- kernels and memory ---------------------------------------------------------------------------------------------------------
enum { OF_BLOCKS, OF_TENSOR_CORES, OF_LIBRARY, KERNEL_SETS };
enum { MOST_PHASES = 8, MOST_LOADED = 48 }; // kernels of a variant; variants of a set
struct loaded {
    struct kernel *kernels[MOST_PHASES];
    int64_t at_once; // blocks of the first one on the device
};

struct memory {
    device_pointer at;
    int64_t bytes;
};

enum { RECIPES = 1024 };
struct sgemm_context {
    pthread_mutex_t lock;
    const struct device *device;
    struct device_info info;
    void *context, *stream;
    sgemm_options options;
    struct loaded loaded[KERNEL_SETS][MOST_LOADED];
    bool has_images, has_tensor;
    struct memory memory; // kept between calls; its first bytes are zeros
    int64_t zeros;        // so many bytes
    struct recipe recipes[RECIPES];
    struct passing *passing; // what is known of cuBLAS, when it was needed
};

extern const struct step *const block_order_entry, *const tensor_cores_entry;
enum { COPY_GATHER, COPY_COMBINE };
extern const struct phase copy_kernels[], tensor_kernels[];
bool has_image(const struct sgemm_context *handle, const char *step, const char *variant);
struct loaded *load_variant(struct sgemm_context *handle, int set, const struct variant *variant);
struct loaded *load_own(struct sgemm_context *handle, bool tensor);
void unload_all(struct sgemm_context *handle);

bool take_memory(struct sgemm_context *handle, int64_t bytes, device_pointer *at);
void give_memory(struct sgemm_context *handle, struct memory memory);

// --- running --------------------------------------------------------------------------------------------------------------------
struct scalars {
    float alpha, beta;
    const float *alpha_at, *beta_at; // in device memory
};
bool run_recipe(struct sgemm_context *handle, struct recipe *recipe, struct scalars scalars,
                const struct product *product, const sgemm_extra *extra);
bool pass_on(struct sgemm_context *handle, const sgemm_problem *problem, const float *alpha, const void *a,
             const void *b, const float *beta, void *c);
void close_passing(struct sgemm_context *handle);

// Why the last thing failed, for the status.
extern _Thread_local sgemm_status failure;
bool refuse(sgemm_status status, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
