// libsgemm_cublas.so: loaded by LD_PRELOAD, it intercepts a program's FP32 products by cuBLAS and
// cublasLt. libsgemm computes the calls that it is expected to make faster. All other calls are
// passed on to the real cuBLAS unchanged.
//
//   SGEMM_METHOD=auto      the method: auto, safe or dispatch; off passes on every call
//   SGEMM_TAKE=all         computes every call that it can, even if cuBLAS is faster: for tests
//   SGEMM_LOG=1            waits for each call and times it; prints a table at exit
//   SGEMM_MOST_MB=n        limits the device memory of one stream's calls, in MiB
//
// The real cuBLAS is the one that the program has loaded, version 12 or 13. Its headers are not
// needed: numbers and types are from the cuBLAS manual, "cuBLAS API" and "cuBLASLt API".
#include "intercept.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FLOAT = 0 };                                   // cudaDataType_t
enum { COMPUTE_32F = 68, COMPUTE_32F_PEDANTIC = 69 }; // cublasComputeType_t
enum { PEDANTIC = 2, MATH_MODE_MASK = 15 };           // cublasMath_t; the mask removes its flags
enum { NOT_INITIALIZED = 1, STATUS_FAILED = 13 };     // cublasStatus_t
enum { COLUMN_ORDER = 0, ROW_ORDER = 1 };             // cublasLtOrder_t
enum { EPILOGUE_DEFAULT = 1, EPILOGUE_BIAS = 4 };     // cublasLtEpilogue_t

// --- settings, from environment variables --------------------------------------------------------
static struct {
    pthread_once_t once;
    bool takes_all;
    sgemm_method method;
    sgemm_options options;
    const char *passes_all; // why every call is passed on to cuBLAS; NULL if libsgemm takes calls
} settings = {.once = PTHREAD_ONCE_INIT};

static void read_settings(void) {
    static const struct {
        const char *name;
        sgemm_method method;
    } methods[] = {{"auto", SGEMM_AUTO},
                   {"safe", SGEMM_SAFE},
                   {"dispatch", SGEMM_DISPATCH},
                   {"off", SGEMM_CUBLAS}};
    const char *method = getenv("SGEMM_METHOD"), *most = getenv("SGEMM_MOST_MB"),
               *tf32 = getenv("NVIDIA_TF32_OVERRIDE"), *take = getenv("SGEMM_TAKE");
    size_t i = 0;
    while (method && i < 4 && strcmp(methods[i].name, method) != 0) i++;
    if (i == 4)
        fprintf(
            stderr,
            "libsgemm_cublas: SGEMM_METHOD=%s: expected auto, safe, dispatch or off; using auto\n",
            method);
    settings.method = methods[i % 4].method;
    if (settings.method == SGEMM_CUBLAS) settings.passes_all = "SGEMM_METHOD=off";
    if (tf32 && strcmp(tf32, "1") == 0)
        settings.passes_all = "NVIDIA_TF32_OVERRIDE=1 asks for TF32";
    settings.takes_all = take && strcmp(take, "all") == 0;
    if (take && !settings.takes_all)
        fprintf(stderr, "libsgemm_cublas: SGEMM_TAKE=%s: expected all; ignoring it\n", take);
    if (most) settings.options.most_bytes = (size_t)strtoull(most, NULL, 10) << 20;
    if (most && settings.options.most_bytes == 0)
        fprintf(stderr,
                "libsgemm_cublas: SGEMM_MOST_MB=%s: expected a number of MiB, 1 or more; using a "
                "quarter of the "
                "device's memory\n",
                most);
}

// --- handles: one per stream and context ---------------------------------------------------------
enum { MOST_STREAMS = 64 };
static struct {
    pthread_mutex_t lock;
    int count;
    struct {
        void *context, *stream;
        sgemm_handle handle; // NULL if its creation failed; no call tries again
    } of[MOST_STREAMS];
} handles = {.lock = PTHREAD_MUTEX_INITIALIZER};

static sgemm_handle make_handle(void *stream) {
    sgemm_handle handle = NULL;
    if (sgemm_create(&handle, &settings.options) != SGEMM_OK) return NULL;
    // set directly, because a new handle has no earlier work to wait for
    handle->stream = stream;
    return handle;
}

static sgemm_handle handle_for(void *stream) {
    void *context = current_context();
    sgemm_handle handle = NULL;
    if (!context) return NULL;
    pthread_mutex_lock(&handles.lock);
    int i = 0;
    while (i < handles.count &&
           (handles.of[i].context != context || handles.of[i].stream != stream))
        i++;
    if (i == handles.count && i < MOST_STREAMS) {
        handles.of[i].context = context, handles.of[i].stream = stream;
        handles.of[i].handle = make_handle(stream);
        handles.count++;
    }
    if (i < handles.count) handle = handles.of[i].handle;
    pthread_mutex_unlock(&handles.lock);
    return handle;
}

// --- a call --------------------------------------------------------------------------------------
struct blas_call {
    const char *entry; // name of the intercepted function
    sgemm_problem p;
    const void *alpha, *a, *b, *beta;
    void *c, *stream;
    sgemm_extra extra;
    const char *why; // why cuBLAS must compute the call; NULL if libsgemm does
    int status;      // the status to return if libsgemm computed the call
    struct timing timing;
};

// Returns an estimate of cuBLAS's time in FP32 on an H200 or H100, in microseconds: 4 us, plus the
// longer of the times for arithmetic and for memory. The time for arithmetic is that of the best
// tile size and number of parts of K. A tile of 128 x 128 takes 2 us for its first loads and its
// stores. Of 383 random calls on an H200, half take at least 1.22 times the estimate, and nine of
// ten at least 1.03 times.
static double cublas_time(const struct sgemm_context *h, const sgemm_problem *p) {
    static const struct {
        int m, n;
        double rate;
    } tiles[] = {{128, 128, 1},  {256, 128, 1},  {128, 64, 0.95},
                 {64, 64, 0.85}, {32, 128, 0.6}, {128, 32, 0.6}};
    const double sm_rate = 0.8 * 2 * 128 * h->info.clock_mhz; // operations per microsecond
    const double batch = p->batch ? (double)p->batch : 1;
    double best = INFINITY;
    for (size_t i = 0; i < sizeof tiles / sizeof *tiles; i++)
        for (int parts = 1; parts <= 64 && (parts == 1 || p->k >= parts * 128); parts *= 2) {
            const double blocks =
                ceil((double)p->m / tiles[i].m) * ceil((double)p->n / tiles[i].n) * parts * batch;
            const double rounds = ceil(blocks / h->info.multiprocessors),
                         depth = ceil((double)p->k / parts);
            const double us = rounds * tiles[i].m * tiles[i].n *
                                  (2 * depth / (sm_rate * tiles[i].rate) + 2.0 / (128 * 128)) +
                              (parts > 1 ? 3 : 0);
            if (us < best) best = us;
        }
    const double m = (double)p->m, n = (double)p->n, k = (double)p->k,
                 memory = 4 * batch * (m * k + k * n + m * n) / 4e6;
    // cuBLAS has vector kernels, which take only the time for memory
    if (p->m == 1 || p->n == 1) best = 0;
    return 4 + (best > memory ? best : memory);
}

// Returns why cuBLAS must compute a call; NULL if libsgemm is expected to be faster, or if
// SGEMM_TAKE=all and libsgemm can compute it.
static const char *why_not(struct blas_call *c, sgemm_handle handle) {
    sgemm_plan_info info;
    if (c->p.m == 0 || c->p.n == 0 || c->p.k == 0) return "empty";
    if (!handle) return "no handle for this stream";
    const sgemm_status status = sgemm_plan(handle, &c->p, &info);
    if (status == SGEMM_BAD_ARGUMENT) return "arguments are wrong";
    if (status != SGEMM_OK)
        return status == SGEMM_NO_MEMORY ? "too little memory" : "not on this device";
    if (info.method == SGEMM_CUBLAS) return "no kernels for this GPU";
    if (settings.takes_all) return NULL;
    const double m = (double)c->p.m, n = (double)c->p.n, k = (double)c->p.k,
                 batch = c->p.batch ? (double)c->p.batch : 1;
    const bool combines = c->p.device_scalars || c->p.pointers || c->extra.bias || c->extra.source;
    const double second_pass = combines ? 2 + 12 * m * n * batch / 3e6 : 0;
    const double copies = c->p.pointers ? 6 + 8 * (m * k + k * n) * batch / 2.5e6 : 0;
    const double more = second_pass + copies;
    const double cublas = cublas_time(handle, &c->p);
    // The inputs are not read yet. So libsgemm must be faster even if FP16 cannot hold them.
    return info.microseconds + more < 0.85 * cublas && info.most_microseconds + more < cublas
               ? NULL
               : "not expected to be faster";
}

// Computes a call by libsgemm, or sets c->why to the reason why cuBLAS must compute it.
static void offer(struct blas_call *c) {
    sgemm_handle handle = NULL;
    pthread_once(&settings.once, read_settings);
    if (!c->why) c->why = settings.passes_all;
    if (!c->why && (!c->alpha || !c->beta)) c->why = "a pointer is NULL";
    if (!c->why) {
        if (c->p.method == SGEMM_AUTO) c->p.method = settings.method;
        handle = handle_for(c->stream);
        c->why = why_not(c, handle);
    }
    start_timing(&c->timing, c->stream);
    if (c->why) return;
    const sgemm_status status =
        sgemm_run(handle, &c->p, c->alpha, c->a, c->b, c->beta, c->c, &c->extra);
    if (status == SGEMM_NO_MEMORY)
        c->why = "too little memory"; // in this case sgemm_run() has launched nothing
    else if (status != SGEMM_OK)
        c->why = status == SGEMM_BAD_ARGUMENT ? "arguments are wrong" : NULL;
    c->status = status == SGEMM_OK ? 0 : STATUS_FAILED;
}

static int finish(struct blas_call *c, int status) {
    log_call(c->entry, &c->p, c->why, stop_timing(&c->timing, c->stream));
    return status;
}

// Reads stream, pointer mode and math mode of the caller's cuBLAS handle.
static void ask_handle(struct blas_call *c, void *cublas) {
    int math = 0, mode = 0;
    static int (*get_stream)(void *, void **), (*get_mode)(void *, int *),
        (*get_math)(void *, int *);
    if (!find_real("cublasGetStream_v2", (void **)&get_stream) ||
        !find_real("cublasGetPointerMode_v2", (void **)&get_mode) ||
        !find_real("cublasGetMathMode", (void **)&get_math)) {
        c->why = "this cuBLAS is too old";
        return;
    }
    if (!cublas || get_stream(cublas, &c->stream) || get_mode(cublas, &mode) ||
        get_math(cublas, &math)) {
        c->why = "the cuBLAS handle is invalid";
        return;
    }
    c->p.device_scalars = mode;
    if ((math & MATH_MODE_MASK) == PEDANTIC)
        c->p.method = SGEMM_DISPATCH;
    else if (math & MATH_MODE_MASK)
        c->why = "the handle allows less than FP32";
}

static void ask_types(struct blas_call *c, int a, int b, int of_c, int compute) {
    if (a != FLOAT || b != FLOAT || of_c != FLOAT)
        c->why = "not FP32";
    else if (compute == COMPUTE_32F_PEDANTIC)
        c->p.method = SGEMM_DISPATCH;
    else if (compute != COMPUTE_32F)
        c->why = "allows less than FP32";
}

static struct blas_call make_call(const char *entry, int ta, int tb, int64_t m, int64_t n,
                                  int64_t k, const void *alpha, const void *a, int64_t lda,
                                  const void *b, int64_t ldb, const void *beta, const void *c,
                                  int64_t ldc) {
    return (struct blas_call){
        .entry = entry,
        .p = {.order = SGEMM_COLUMN_MAJOR,
              .a = (sgemm_transpose)ta,
              .b = (sgemm_transpose)tb,
              .m = m,
              .n = n,
              .k = k,
              .lda = lda,
              .ldb = ldb,
              .ldc = ldc},
        .alpha = alpha,
        .a = a,
        .b = b,
        .beta = beta,
        .c = (void *)(uintptr_t)c,
    };
}

// --- cuBLAS --------------------------------------------------------------------------------------
// Defines an intercepted function. `names` are the arguments for the real function, `made_of` those
// of make_call(); `more` has the statements that set the rest of `c`.
#define CATCH(name, parameters, names, made_of, more) \
    SGEMM_API int name parameters { \
        static int(*real) parameters; \
        if (!find_real(#name, (void **)&real)) return NOT_INITIALIZED; \
        if (inside) return real names; \
        inside = true; \
        struct blas_call c = make_call made_of; \
        ask_handle(&c, handle); \
        more; \
        offer(&c); \
        const int status = finish(&c, c.why ? real names : c.status); \
        inside = false; \
        return status; \
    }

#define BOTH(CATCH_ONE) CATCH_ONE(, int) CATCH_ONE(_64, int64_t)

#define SHAPE(I)   void *handle, int ta, int tb, I m, I n, I k
#define CALL(name) (#name, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c_, ldc)

#define SGEMM(suffix, I) \
    CATCH(cublasSgemm_v2##suffix, \
          (SHAPE(I), const float *alpha, const float *a, I lda, const float *b, I ldb, \
           const float *beta, float *c_, I ldc), \
          (handle, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c_, ldc), \
          CALL(cublasSgemm_v2##suffix), (void)0)
BOTH(SGEMM)

#define STRIDED(suffix, I) \
    CATCH(cublasSgemmStridedBatched##suffix, \
          (SHAPE(I), const float *alpha, const float *a, I lda, long long sa, const float *b, \
           I ldb, long long sb, const float *beta, float *c_, I ldc, long long sc, I batch), \
          (handle, ta, tb, m, n, k, alpha, a, lda, sa, b, ldb, sb, beta, c_, ldc, sc, batch), \
          CALL(cublasSgemmStridedBatched##suffix), in_batch(&c, batch, sa, sb, sc))
#define LISTED(suffix, I) \
    CATCH(cublasSgemmBatched##suffix, \
          (SHAPE(I), const float *alpha, const float *const a[], I lda, const float *const b[], \
           I ldb, const float *beta, float *const c_[], I ldc, I batch), \
          (handle, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c_, ldc, batch), \
          CALL(cublasSgemmBatched##suffix), (in_batch(&c, batch, 0, 0, 0), c.p.pointers = 1))
#define EX(suffix, I) \
    CATCH(cublasGemmEx##suffix, \
          (SHAPE(I), const void *alpha, const void *a, int type_a, I lda, const void *b, \
           int type_b, I ldb, const void *beta, void *c_, int type_c, I ldc, int compute, \
           int algorithm), \
          (handle, ta, tb, m, n, k, alpha, a, type_a, lda, b, type_b, ldb, beta, c_, type_c, ldc, \
           compute, algorithm), \
          CALL(cublasGemmEx##suffix), ask_types(&c, type_a, type_b, type_c, compute))
#define STRIDED_EX(suffix, I) \
    CATCH(cublasGemmStridedBatchedEx##suffix, \
          (SHAPE(I), const void *alpha, const void *a, int type_a, I lda, long long sa, \
           const void *b, int type_b, I ldb, long long sb, const void *beta, void *c_, int type_c, \
           I ldc, long long sc, I batch, int compute, int algorithm), \
          (handle, ta, tb, m, n, k, alpha, a, type_a, lda, sa, b, type_b, ldb, sb, beta, c_, \
           type_c, ldc, sc, batch, compute, algorithm), \
          CALL(cublasGemmStridedBatchedEx##suffix), \
          (in_batch(&c, batch, sa, sb, sc), ask_types(&c, type_a, type_b, type_c, compute)))
#define LISTED_EX(suffix, I) \
    CATCH(cublasGemmBatchedEx##suffix, \
          (SHAPE(I), const void *alpha, const void *const a[], int type_a, I lda, \
           const void *const b[], int type_b, I ldb, const void *beta, void *const c_[], \
           int type_c, I ldc, I batch, int compute, int algorithm), \
          (handle, ta, tb, m, n, k, alpha, a, type_a, lda, b, type_b, ldb, beta, c_, type_c, ldc, \
           batch, compute, algorithm), \
          CALL(cublasGemmBatchedEx##suffix), \
          (in_batch(&c, batch, 0, 0, 0), c.p.pointers = 1, \
           ask_types(&c, type_a, type_b, type_c, compute)))

static void in_batch(struct blas_call *c, int64_t batch, int64_t stride_a, int64_t stride_b,
                     int64_t stride_c) {
    c->p.batch = batch;
    c->p.stride_a = stride_a, c->p.stride_b = stride_b, c->p.stride_c = stride_c;
    if (batch == 0) c->why = "empty"; // libsgemm would treat a batch of 0 as 1
}
BOTH(STRIDED)
BOTH(LISTED)
BOTH(EX)
BOTH(STRIDED_EX)
BOTH(LISTED_EX)

// --- cublasLt ------------------------------------------------------------------------------------
// Attributes of a matrix layout and of a product, with their numbers in cublasLt.h.
enum {
    LAYOUT_TYPE,
    LAYOUT_ORDER,
    LAYOUT_ROWS,
    LAYOUT_COLS,
    LAYOUT_LD,
    LAYOUT_BATCH,
    LAYOUT_STRIDE
};
enum {
    DESC_COMPUTE,
    DESC_SCALE,
    DESC_POINTER_MODE,
    DESC_TRANS_A,
    DESC_TRANS_B,
    DESC_EPILOGUE = 7,
    DESC_BIAS,
    DESC_BIAS_STRIDE = 10,
    DESC_BIAS_TYPE = 26
};

typedef int get_attribute(const void *of, int attribute, void *value, size_t bytes,
                          size_t *written);
static get_attribute *of_layout, *of_desc;

struct lt_layout {
    int32_t type, order, batch;
    uint64_t rows, cols;
    int64_t ld, stride;
};

static bool read_layout(const void *layout, struct lt_layout *l) {
    size_t written;
    *l = (struct lt_layout){0};
    return layout && !of_layout(layout, LAYOUT_TYPE, &l->type, 4, &written) &&
           !of_layout(layout, LAYOUT_ORDER, &l->order, 4, &written) &&
           !of_layout(layout, LAYOUT_ROWS, &l->rows, 8, &written) &&
           !of_layout(layout, LAYOUT_COLS, &l->cols, 8, &written) &&
           !of_layout(layout, LAYOUT_LD, &l->ld, 8, &written) &&
           !of_layout(layout, LAYOUT_BATCH, &l->batch, 4, &written) &&
           !of_layout(layout, LAYOUT_STRIDE, &l->stride, 8, &written) && l->order <= ROW_ORDER &&
           l->type == FLOAT && l->ld < INT64_MAX && l->rows < INT64_MAX;
}

// Returns an attribute of 4 bytes; `default_value` if this cublasLt does not know the attribute.
static int32_t described(const void *desc, int attribute, int32_t default_value) {
    size_t written;
    int32_t value = default_value;
    return of_desc(desc, attribute, &value, 4, &written) ? default_value : value;
}

static const char *read_desc(struct blas_call *c, const void *desc, bool *ta, bool *tb) {
    size_t written;
    const int compute = described(desc, DESC_COMPUTE, -1),
              epilogue = described(desc, DESC_EPILOGUE, EPILOGUE_DEFAULT);
    const int mode = described(desc, DESC_POINTER_MODE, 0),
              bias_type = described(desc, DESC_BIAS_TYPE, FLOAT);
    int64_t bias_stride = 0;
    if (compute == COMPUTE_32F_PEDANTIC)
        c->p.method = SGEMM_DISPATCH;
    else if (compute != COMPUTE_32F)
        return "allows less than FP32";
    if (described(desc, DESC_SCALE, FLOAT) != FLOAT) return "not FP32";
    if (mode > 1) return "a scale for each row";
    if (epilogue != EPILOGUE_DEFAULT && epilogue != EPILOGUE_BIAS) return "another epilogue";
    c->p.device_scalars = mode;
    *ta = described(desc, DESC_TRANS_A, 0) != 0, *tb = described(desc, DESC_TRANS_B, 0) != 0;
    if (epilogue == EPILOGUE_DEFAULT) return NULL;
    of_desc(desc, DESC_BIAS_STRIDE, &bias_stride, 8, &written);
    if (of_desc(desc, DESC_BIAS, &c->extra.bias, sizeof c->extra.bias, &written) ||
        !c->extra.bias || bias_stride != 0 || (bias_type != FLOAT && bias_type != -1))
        return "another bias";
    return NULL;
}

// Sets c->p to the problem of a cublasLt product, in the storage order of its result D. An operand
// in the other order counts as transposed. Returns why cuBLAS must compute the call; NULL if
// libsgemm may.
static const char *read_matmul(struct blas_call *c, const void *desc,
                               const void *const layouts[4]) {
    struct lt_layout l[4]; // the layouts of A, B, C and D
    bool ta = false, tb = false;
    for (int i = 0; i < 4; i++)
        if (!read_layout(layouts[i], &l[i])) return "not FP32 by rows or columns";
    const char *why = read_desc(c, desc, &ta, &tb);
    if (why) return why;
    const struct lt_layout *d = &l[3];
    if (l[2].order != d->order || l[0].batch != d->batch || l[1].batch != d->batch ||
        l[2].batch != d->batch)
        return "mixed layouts";
    c->p = (sgemm_problem){
        .order = d->order == ROW_ORDER ? SGEMM_ROW_MAJOR : SGEMM_COLUMN_MAJOR,
        .a = ta != (l[0].order != d->order) ? SGEMM_T : SGEMM_N,
        .b = tb != (l[1].order != d->order) ? SGEMM_T : SGEMM_N,
        .method = c->p.method,
        .m = (int64_t)d->rows,
        .n = (int64_t)d->cols,
        .k = (int64_t)(ta ? l[0].rows : l[0].cols),
        .lda = l[0].ld,
        .ldb = l[1].ld,
        .ldc = d->ld,
        .batch = d->batch,
        .stride_a = l[0].stride,
        .stride_b = l[1].stride,
        .stride_c = d->stride,
        .device_scalars = c->p.device_scalars,
    };
    const uint64_t k = tb ? l[1].cols : l[1].rows, m = ta ? l[0].cols : l[0].rows,
                   n = tb ? l[1].rows : l[1].cols;
    if (k != (uint64_t)c->p.k || m != d->rows || n != d->cols || l[2].rows != d->rows ||
        l[2].cols != d->cols || d->batch < 1)
        return "shapes do not fit";
    c->extra.lds = l[2].ld, c->extra.stride_s = l[2].stride;
    return NULL;
}

#define MATMUL \
    void *lt, const void *desc, const void *alpha, const void *a, const void *layout_a, \
        const void *b, const void *layout_b, const void *beta, const void *source, \
        const void *layout_c, void *d, const void *layout_d, const void *algorithm, \
        void *workspace, size_t workspace_bytes, void *stream
SGEMM_API int cublasLtMatmul(MATMUL) {
    static int (*real)(MATMUL);
    if (!find_real("cublasLtMatmul", (void **)&real)) return NOT_INITIALIZED;
    if (!inside) {
        struct blas_call c = {.entry = "cublasLtMatmul",
                              .alpha = alpha,
                              .a = a,
                              .b = b,
                              .beta = beta,
                              .c = d,
                              .stream = stream};
        inside = true;
        if (!desc || !find_real("cublasLtMatrixLayoutGetAttribute", (void **)&of_layout) ||
            !find_real("cublasLtMatmulDescGetAttribute", (void **)&of_desc))
            c.why = "arguments are wrong";
        else
            c.why = read_matmul(&c, desc,
                                (const void *const[]){layout_a, layout_b, layout_c, layout_d});
        if (source != d) c.extra.source = source;
        offer(&c);
        const int status = finish(&c, c.why ? real(lt, desc, alpha, a, layout_a, b, layout_b, beta,
                                                   source, layout_c, d, layout_d, algorithm,
                                                   workspace, workspace_bytes, stream)
                                            : c.status);
        inside = false;
        return status;
    }
    return real(lt, desc, alpha, a, layout_a, b, layout_b, beta, source, layout_c, d, layout_d,
                algorithm, workspace, workspace_bytes, stream);
}
