// Declarations shared by the files of libsgemm, which README.md lists.
//
// Invariant: a struct product and all that is computed from it is row-major. A column-major product
// C = A B becomes the row-major product C' = B' A'.
#ifndef LIBRARY_INTERNAL_H
#define LIBRARY_INTERNAL_H

#include "backend/backend.h"
#include "extras.h"
#include "sgemm.h"

#include <pthread.h>

// --- devices (gpu.c; the tests use the simulator) ------------------------------------------------
struct device {
    const struct backend *backend; // its launches go to the stream given to enter()
    // sets *info and *context for the current device
    bool (*open)(struct device_info *info, void **context);

    // Sets the context and the stream of the calling thread.
    bool (*enter)(void *context, void *stream);
    void (*leave)(void);
    // sets *captured to true if the stream is being captured into a CUDA graph
    bool (*capturing)(bool *captured);
    // makes stream `now` wait for the work in stream `before`
    bool (*follow)(void *before, void *now);

    // These functions make one CUDA graph of a call's launches. If the device has no graphs, the
    // three pointers are NULL. begin() may defer the launches until end() launches all of them.
    void (*begin)(void **series); // *series: the recipe's graph, NULL at first
    // Launches what begin() deferred. `good` is true if all launches since begin() were accepted.
    // Returns false if launches were deferred but not made, for example because `good` is false.
    // The caller must then repeat them; they are not deferred again.
    bool (*end)(bool good);
    void (*forget)(void *series); // frees the graph
};
extern const struct device device_gpu;
void *current_context(void); // returns this thread's CUDA context, or NULL
// Like sgemm_create(), on a given device.
sgemm_status create_on(const struct device *device, sgemm_handle *handle,
                       const sgemm_options *options);

// --- embedded cubins (images.s) ------------------------------------------------------------------
struct image {
    const char *name; // for example "sm_90/shapes/thin_16"
    const void *start;
    uint64_t bytes;
};
extern const struct image sgemm_images[]; // ends with an image whose name is NULL

// --- recipes -------------------------------------------------------------------------------------
// The caller's matrices A, B or C, one per product of the batch.
struct operand {
    int64_t ld, stride; // in elements
    bool transposed;    // true if op() transposes the matrix (`ld` is that of a row-major matrix)
    uint64_t at;        // address of the first matrix; unused if there is a list
    uint64_t list; // address of a device array of pointers; 0 if the matrices are `stride` apart
};

// A problem in row-major order: op(A) (m, k), op(B) (k, n), C (m, n).
struct product {
    int64_t m, n, k, batch;
    struct operand a, b, c;
};
struct product product_of(const sgemm_problem *problem);

// The kernels that compute a problem.
enum way {
    BY_CUBLAS,
    BY_FP32,   // the kernels of step 10 and of the step `shapes`
    BY_PASSES, // the variants few_rows and few_cols of step 13
    BY_TENSOR  // tensor.cu
};

// How a problem is computed: the kernels, and the size of the pieces into which the problem is
// divided to respect the memory limit. A piece has m x n elements of C, `k` elements along K, and
// `batch` products.
struct recipe {
    // --- key of the cache
    sgemm_problem problem;
    bool captured; // true if the stream is being captured into a CUDA graph
    bool made;     // false if the entry of the cache is empty

    // --- kernels
    enum way way;
    const struct variant *variant; // BY_PASSES: the variant; otherwise NULL
    int shares;                    // BY_FP32: number of launches per piece
    struct {
        const struct variant *variant;
        int parts;                // number of parts of K
        int row, col, rows, cols; // the launch's part of C
    } share[MOST_PLANNED];

    // --- pieces
    int64_t m, n, k, batch;
    int64_t part_k;          // BY_TENSOR: K is cut into parts of this length; 0 if it is not cut
    bool copies_a, copies_b; // true if the operand is copied before it is multiplied
    bool separate;           // true if A B is computed in separate memory and then combined into C

    // --- memory for a piece, in bytes
    // BY_TENSOR: scratch memory of one part of K of one product (tensor.h). BY_PASSES: step 13's
    // workspace
    int64_t scratch;
    int64_t copy_a, copy_b; // per product of the batch
    int64_t separate_bytes; // per product of the batch, for all parts of K
    int64_t bytes;          // total, with ZERO_BYTES for each `scratch`
    int mend_items;         // number of partial sums of mend() that fit in one `scratch`

    double microseconds;      // expected time if FP16 can hold the inputs
    double most_microseconds; // expected time if FP16 cannot hold them
    void *series;             // the CUDA graph of the recipe's launches (struct device)
};

// Sets *recipe to the fastest one, by expected time, that problem->method allows. Returns false if
// even the smallest pieces need more than `most_bytes`, or if the method is SGEMM_SAFE and
// has_tensor is false.
bool make_recipe(const struct sgemm_context *handle, const sgemm_problem *problem, bool captured,
                 int64_t most_bytes, struct recipe *recipe);
// Writes the step and variant that compute the problem to `name`, for example "shapes/thin_16", and
// returns it; NULL for cuBLAS. If several variants compute parts of C, the name is the first one's.
const char *recipe_kernel(const struct recipe *recipe, char *name, size_t size);

// --- kernels and memory --------------------------------------------------------------------------
// one set of kernels per step, and one for library/*.cu
enum { STEP_SETS = 3, OF_LIBRARY = STEP_SETS, KERNEL_SETS };
enum { MOST_PASSES = 8 };  // kernels per variant
enum { MOST_LOADED = 48 }; // variants per set
struct loaded {
    struct kernel *kernels[MOST_PASSES]; // NULL if not loaded yet
    int64_t at_once; // number of blocks of the first kernel that the device holds at once
};

struct memory {
    device_pointer at;
    int64_t bytes;
};

enum { RECIPES = 1024 };
struct sgemm_context {
    pthread_mutex_t lock; // the thread that has entered the handle holds it
    const struct device *device;
    struct device_info info;
    void *context, *stream;
    sgemm_options options;

    struct loaded loaded[KERNEL_SETS][MOST_LOADED];
    // true if the library has FP32 kernels and tensor-core kernels, respectively, for this GPU
    bool has_images, has_tensor;

    struct memory memory; // device memory, kept from call to call
    int64_t zeros;        // invariant: the first `zeros` bytes of `memory` are 0

    struct recipe recipes[RECIPES]; // a cache, indexed by a hash of the problem
    struct passing *passing;        // the connection to cuBLAS; NULL until it is needed
};

extern const struct step *const block_order_entry, *const shapes_entry, *const tensor_cores_entry;
enum { COPY_GATHER, COPY_COMBINE }; // indices into copy_kernels
extern const struct pass copy_kernels[], tensor_kernels[];
// Returns the step of a variant: step 10, step 13 or shapes.
const struct step *step_of(const struct variant *variant);
// Returns true if the library embeds a cubin of this variant that runs on the handle's GPU.
bool has_image(const struct sgemm_context *handle, const char *step, const char *variant);
// These functions load kernels at their first use; they return NULL on failure. load_own() loads
// tensor.cu if `tensor` is true, otherwise copy.cu.
struct loaded *load_variant(struct sgemm_context *handle, const struct variant *variant);
struct loaded *load_own(struct sgemm_context *handle, bool tensor);
void unload_all(struct sgemm_context *handle);

// These functions allocate and release device memory in the order of the handle's stream.
bool take_memory(struct sgemm_context *handle, int64_t bytes, device_pointer *at);
void give_memory(struct sgemm_context *handle, struct memory memory);

// --- running -------------------------------------------------------------------------------------
struct scalars {
    float alpha, beta;
    // device addresses of values that replace alpha and beta; NULL if there are none
    const float *alpha_at, *beta_at;
};
// Launches the recipe's kernels. `extra` may be NULL.
bool run_recipe(struct sgemm_context *handle, struct recipe *recipe, struct scalars scalars,
                const struct product *product, const sgemm_extra *extra);
// Computes the problem by cuBLAS, which is loaded at the first call.
bool pass_on(struct sgemm_context *handle, const sgemm_problem *problem, const float *alpha,
             const void *a, const void *b, const float *beta, void *c);
void close_passing(struct sgemm_context *handle);

extern _Thread_local sgemm_status failure; // the status of this thread's last failure
// Sets the status and message of a failure. Returns false.
bool refuse(sgemm_status status, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
