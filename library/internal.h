// Declarations shared by the files of libsgemm, which README.md lists.
//
// Invariant: after product_of() everything is row-major. A column-major product C = A B is computed
// as the row-major product C' = B' A'.
#ifndef LIBRARY_INTERNAL_H
#define LIBRARY_INTERNAL_H

#include "backend/backend.h"
#include "extras.h"
#include "sgemm.h"

#include <pthread.h>

// --- devices (gpu.c; the tests use the simulator) ------------------------------------------------
struct device {
    const struct backend *backend;                          // works in the entered stream
    bool (*open)(struct device_info *info, void **context); // sets both for the current device

    // context and stream of the calling thread
    bool (*enter)(void *context, void *stream);
    void (*leave)(void);
    bool (*capturing)(bool *captured);       // sets *captured: a graph captures the stream
    bool (*follow)(void *before, void *now); // makes stream `now` wait for the work in `before`

    // A call's launches as one CUDA graph; NULL if the device has no graphs.
    // Between begin() and end() launches may be deferred; end() then launches all of them.
    void (*begin)(void **series); // *series: the graph that this recipe owns, NULL at first
    // `good`: all launches since begin() were accepted. Returns false if none was launched: the
    // caller then repeats them, and they are not deferred again.
    bool (*end)(bool good);
    void (*forget)(void *series); // frees the graph
};
extern const struct device device_gpu;
void *current_context(void); // returns this thread's CUDA context, or NULL
// Like sgemm_create(), on a given device.
sgemm_status create_on(const struct device *device, sgemm_handle *handle, const sgemm_options *options);

// --- embedded cubins (images.s) ------------------------------------------------------------------
struct image {
    const char *name; // "sm_90/shapes/thin_16"
    const void *start;
    uint64_t bytes;
};
extern const struct image sgemm_images[]; // the last one has the name NULL

// --- recipes -------------------------------------------------------------------------------------
// A caller's matrices; one per product of the batch.
struct operand {
    int64_t ld, stride; // in elements
    bool transposed;    // a row of op() lies along a column in memory
    uint64_t at;        // address of the first matrix; unused if there is a list
    uint64_t list;      // address of a device array of pointers; 0 if the matrices are `stride` apart
};

// A problem in row-major order: op(A) (m, k), op(B) (k, n), C (m, n).
struct product {
    int64_t m, n, k, batch;
    struct operand a, b, c;
};
struct product product_of(const sgemm_problem *problem);

// Which kernels compute a problem.
enum way {
    BY_CUBLAS,
    BY_FP32,   // steps 10 and shapes
    BY_PHASES, // few_rows or few_cols of step 13
    BY_TENSOR  // tensor.cu
};

// How a problem is computed. C is cut into pieces of (m, n) per `batch` products and `k` elements
// along K, so that the memory of a piece fits.
struct recipe {
    // key of the cache
    sgemm_problem problem;
    bool captured; // the stream is being captured into a CUDA graph
    bool made;     // false: the entry is empty

    // kernels
    enum way way;
    const struct variant *variant; // BY_PHASES
    int shares;                    // BY_FP32: number of launches per piece
    struct {
        const struct variant *variant;
        int parts;                // K is split into this many parts
        int row, col, rows, cols; // part of C
    } share[MOST_PLANNED];

    // pieces
    int64_t m, n, k, batch;
    int64_t part_k;          // BY_TENSOR: length of the parts of K that are summed; 0: one part
    bool copies_a, copies_b; // the operand is copied first
    bool separate;           // the product is computed in own memory and then combined into C

    // memory of a piece, in bytes
    int64_t scratch;        // per product: planes of split operands, or a variant's workspace
    int64_t copy_a, copy_b; // per product of the batch
    int64_t separate_bytes; // per product of the batch
    int64_t bytes;          // all of the above
    int mend_items;         // partial sums of mend() for which `scratch` has room, per product

    double microseconds;      // expected time if FP16 holds the inputs
    double most_microseconds; // expected time otherwise
    void *series;             // the CUDA graph of its launches (struct device)
};

// Sets *recipe. Returns false if no recipe needs at most `most_bytes`, or the GPU lacks the method.
bool make_recipe(const struct sgemm_context *handle, const sgemm_problem *problem, bool captured, int64_t most_bytes,
                 struct recipe *recipe);
// Returns the name of the first kernel, written to `name`, or NULL for cuBLAS.
const char *recipe_kernel(const struct recipe *recipe, char *name, size_t size);

// --- kernels and memory --------------------------------------------------------------------------
enum { STEP_SETS = 3, OF_LIBRARY = STEP_SETS, KERNEL_SETS }; // one set per step, and library/*.cu
enum { MOST_PHASES = 8 };                                    // kernels per variant
enum { MOST_LOADED = 48 };                                   // variants per set
struct loaded {
    struct kernel *kernels[MOST_PHASES]; // NULL if not loaded yet
    int64_t at_once;                     // blocks of the first kernel that the device holds at once
};

struct memory {
    device_pointer at;
    int64_t bytes;
};

enum { RECIPES = 1024 };
struct sgemm_context {
    pthread_mutex_t lock; // held by the thread that has entered the handle
    const struct device *device;
    struct device_info info;
    void *context, *stream;
    sgemm_options options;

    struct loaded loaded[KERNEL_SETS][MOST_LOADED];
    bool has_images, has_tensor; // there are FP32 kernels, and tensor-core kernels, for this GPU

    struct memory memory; // kept between calls
    int64_t zeros;        // invariant: the first `zeros` bytes of `memory` are 0

    struct recipe recipes[RECIPES]; // cache, indexed by a hash of the problem
    struct passing *passing;        // cuBLAS; NULL if not needed yet
};

extern const struct step *const block_order_entry, *const shapes_entry, *const tensor_cores_entry;
enum { COPY_GATHER, COPY_COMBINE }; // indices into copy_kernels
extern const struct phase copy_kernels[], tensor_kernels[];
// Returns the step of a variant, one of the three above.
const struct step *step_of(const struct variant *variant);
// Returns true if the library embeds a cubin of this variant that runs on the handle's GPU.
bool has_image(const struct sgemm_context *handle, const char *step, const char *variant);
// Return the loaded kernels, or NULL on failure. `tensor`: tensor.cu, otherwise copy.cu.
struct loaded *load_variant(struct sgemm_context *handle, const struct variant *variant);
struct loaded *load_own(struct sgemm_context *handle, bool tensor);
void unload_all(struct sgemm_context *handle);

// Allocate and release device memory in the order of the handle's stream.
bool take_memory(struct sgemm_context *handle, int64_t bytes, device_pointer *at);
void give_memory(struct sgemm_context *handle, struct memory memory);

// --- running -------------------------------------------------------------------------------------
struct scalars {
    float alpha, beta;
    const float *alpha_at, *beta_at; // device memory that replaces both; NULL if there is none
};
// Launches the recipe's kernels. `extra` may be NULL.
bool run_recipe(struct sgemm_context *handle, struct recipe *recipe, struct scalars scalars,
                const struct product *product, const sgemm_extra *extra);
// Launches the problem by cuBLAS, which is loaded at the first call.
bool pass_on(struct sgemm_context *handle, const sgemm_problem *problem, const float *alpha, const void *a,
             const void *b, const float *beta, void *c);
void close_passing(struct sgemm_context *handle);

extern _Thread_local sgemm_status failure; // status of this thread's last failure
// Sets the status and message of a failure. Returns false.
bool refuse(sgemm_status status, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
