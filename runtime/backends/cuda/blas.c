/* cuBLASLt behind blas.h. It counts down columns, we along rows: what it is requested is the
 * transposed product bᵀ·aᵀ, whose columns are our rows.
 *
 * Choosing an algorithm takes longer than a small product does. So descriptors and the choice are
 * kept, for each device in a table of the products that were requested. */
#include "runtime/backends/cuda/blas.h"

#include <cublasLt.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/backends/cuda/cuda.h"

/* ---- the library ------------------------------------------------------------------------------
 */

#define FUNCTIONS(X)                                                                               \
    X(cublasLtCreate)                                                                              \
    X(cublasLtGetStatusString)                                                                     \
    X(cublasLtMatmul)                                                                              \
    X(cublasLtMatmulAlgoGetHeuristic)                                                              \
    X(cublasLtMatmulDescCreate)                                                                    \
    X(cublasLtMatmulDescDestroy)                                                                   \
    X(cublasLtMatmulDescSetAttribute)                                                              \
    X(cublasLtMatmulPreferenceCreate)                                                              \
    X(cublasLtMatmulPreferenceDestroy)                                                             \
    X(cublasLtMatmulPreferenceSetAttribute)                                                        \
    X(cublasLtMatrixLayoutCreate)                                                                  \
    X(cublasLtMatrixLayoutDestroy)                                                                 \
    X(cublasLtMatrixLayoutSetAttribute)

#define TEXT_OF(x) #x
#define TEXT(x)    TEXT_OF(x)
#define LIBRARY    "libcublasLt.so." TEXT(CUBLAS_VER_MAJOR)

static struct {
    bool ready;
#define MEMBER(name) __typeof__(name) *name;
    FUNCTIONS(MEMBER)
} lt;

static pthread_mutex_t library_lock = PTHREAD_MUTEX_INITIALIZER;

/* Tried again by the next product where it failed: each then has its trouble. */
static bool library_ready(void)
{
    pthread_mutex_lock(&library_lock);
    void *library = lt.ready ? NULL : cuda_library(LIBRARY);
    if (library) {
        lt.ready = true;
#define FIND(name)                                                                                 \
    *(void **)&lt.name = cuda_library_function(library, #name);                                    \
    lt.ready = lt.ready && lt.name;
        FUNCTIONS(FIND)
    }
    bool ready = lt.ready;
    pthread_mutex_unlock(&library_lock);
    return ready;
}

static bool ok(cublasStatus_t status, const char *what)
{
    return status == CUBLAS_STATUS_SUCCESS || cuda_fails(what, lt.cublasLtGetStatusString(status));
}

/* ---- what is kept -----------------------------------------------------------------------------
 */

enum { A, B, C, MATRICES };

/* All that an algorithm depends on. Numbers of one width have no gaps, so keys compare as bytes. */
struct key {
    int64_t dtype, c_dtype, m, n, k, batch;
    struct {
        int64_t ld, batch_step, transposed, alignment;
    } matrix[MATRICES];
};

struct choice {
    struct key key;
    bool known; /* the key is set */
    bool found; /* there is an algorithm; else only the key is set */
    cublasLtMatmulDesc_t product;
    cublasLtMatrixLayout_t layout[MATRICES];
    cublasLtMatmulAlgo_t algorithm;
    size_t workspace;
};

enum {
    SETS = 256, /* of the table: a key has its place in one of them */
    WAYS = 4,
    WORKSPACE = 32 << 20,
};

static struct device {
    pthread_mutex_t lock; /* all zeros is unlocked */
    cublasLtHandle_t handle;
    void *workspace; /* NULL: there was no memory, algorithms have to do without */
    size_t workspace_size;
    struct choice (*table)[WAYS];
    unsigned next; /* the way that is given up for the next product that is new */
} devices[CUDA_MAX_DEVICES];

static bool device_ready(struct device *d, int number)
{
    size_t handle;
    if (d->handle)
        return true;
    if (!d->table)
        d->table = calloc(SETS, sizeof *d->table);
    if (!d->table)
        return cuda_fails("cuBLASLt", "no memory");
    if (!ok(lt.cublasLtCreate(&d->handle), "cublasLtCreate")) {
        d->handle = NULL;
        return false;
    }
    d->workspace = cuda_memory_take(number, WORKSPACE, &handle);
    d->workspace_size = d->workspace ? WORKSPACE : 0;
    return true;
}

/* ---- choosing ---------------------------------------------------------------------------------
 */

static int64_t alignment_of(const void *address)
{
    uintptr_t lowest = (uintptr_t)address & -(uintptr_t)address;
    return lowest > 256 ? 256 : (int64_t)lowest;
}

static struct key key_of(const struct blas_gemm *job)
{
    const struct blas_matrix *of[] = {[A] = &job->a, [B] = &job->b, [C] = &job->c};
    struct key key = {job->dtype, job->c_dtype, job->m, job->n, job->k, job->batch, {{0}}};
    for (int i = 0; i < MATRICES; i++) {
        key.matrix[i].ld = of[i]->ld;
        key.matrix[i].batch_step = job->batch > 1 ? of[i]->batch_step : 0;
        key.matrix[i].transposed = of[i]->transposed;
        key.matrix[i].alignment = alignment_of(of[i]->data);
    }
    return key;
}

static unsigned set_of(const struct key *key)
{
    const unsigned char *bytes = (const unsigned char *)key;
    uint64_t hash = 0;
    for (size_t i = 0; i < sizeof *key; i += sizeof hash) {
        uint64_t word;
        memcpy(&word, bytes + i, sizeof word);
        hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 29;
    }
    return (unsigned)(hash >> 32) % SETS;
}

static cudaDataType type_of(int64_t dtype)
{
    return dtype == MC_F16    ? CUDA_R_16F
           : dtype == MC_BF16 ? CUDA_R_16BF
           : dtype == MC_F64  ? CUDA_R_64F
                              : CUDA_R_32F;
}

static void choice_release(struct choice *choice)
{
    if (choice->product)
        lt.cublasLtMatmulDescDestroy(choice->product);
    for (int i = 0; i < MATRICES; i++)
        if (choice->layout[i])
            lt.cublasLtMatrixLayoutDestroy(choice->layout[i]);
    memset(choice, 0, sizeof *choice);
}

/* A matrix of rows × cols, as cuBLASLt sees it: its columns are our rows. */
static bool layout_make(struct choice *choice, int which, int64_t rows, int64_t cols)
{
    const struct key *key = &choice->key;
    cublasLtMatrixLayout_t *layout = &choice->layout[which];
    bool turned = key->matrix[which].transposed;
    int64_t step = key->matrix[which].batch_step;
    int32_t count = (int32_t)key->batch;
    return ok(lt.cublasLtMatrixLayoutCreate(layout, type_of(which == C ? key->c_dtype : key->dtype),
                                            (uint64_t)(turned ? rows : cols),
                                            (uint64_t)(turned ? cols : rows),
                                            key->matrix[which].ld),
              "cublasLtMatrixLayoutCreate") &&
           ok(lt.cublasLtMatrixLayoutSetAttribute(*layout, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT,
                                                  &count, sizeof count),
              "a batch of cuBLASLt") &&
           ok(lt.cublasLtMatrixLayoutSetAttribute(
                  *layout, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, &step, sizeof step),
              "a batch of cuBLASLt");
}

static bool product_make(struct choice *choice)
{
    const struct key *key = &choice->key;
    bool f64 = key->dtype == MC_F64;
    cublasOperation_t a = key->matrix[A].transposed ? CUBLAS_OP_T : CUBLAS_OP_N;
    cublasOperation_t b = key->matrix[B].transposed ? CUBLAS_OP_T : CUBLAS_OP_N;
    return ok(lt.cublasLtMatmulDescCreate(&choice->product,
                                          f64 ? CUBLAS_COMPUTE_64F : CUBLAS_COMPUTE_32F,
                                          f64 ? CUDA_R_64F : CUDA_R_32F),
              "cublasLtMatmulDescCreate") &&
           /* Its A is our b. */
           ok(lt.cublasLtMatmulDescSetAttribute(choice->product, CUBLASLT_MATMUL_DESC_TRANSA, &b,
                                                sizeof b),
              "cuBLASLt") &&
           ok(lt.cublasLtMatmulDescSetAttribute(choice->product, CUBLASLT_MATMUL_DESC_TRANSB, &a,
                                                sizeof a),
              "cuBLASLt");
}

static bool prefer(cublasLtMatmulPreference_t preference, cublasLtMatmulPreferenceAttributes_t what,
                   const void *value, size_t size)
{
    return ok(lt.cublasLtMatmulPreferenceSetAttribute(preference, what, value, size), "cuBLASLt");
}

/* Algorithms that sum in the dtype of c would round more than once. */
static bool preferences_set(const struct device *d, const struct key *key,
                            cublasLtMatmulPreference_t preference)
{
    uint64_t workspace = d->workspace_size;
    uint32_t sums = CUBLASLT_REDUCTION_SCHEME_NONE | CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE;
    static const struct {
        cublasLtMatmulPreferenceAttributes_t what;
        int of;
    } alignments[] = {
        {CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, B},
        {CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES, A},
        {CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, C},
        {CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES, C},
    };
    bool set = prefer(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &workspace,
                      sizeof workspace) &&
               prefer(preference, CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK, &sums, sizeof sums);
    for (size_t i = 0; i < sizeof alignments / sizeof *alignments; i++) {
        uint32_t bytes = (uint32_t)key->matrix[alignments[i].of].alignment;
        set = set && prefer(preference, alignments[i].what, &bytes, sizeof bytes);
    }
    return set;
}

/* False: trouble. That there is no algorithm is a choice, too. */
static bool algorithm_find(const struct device *d, struct choice *choice)
{
    cublasLtMatmulPreference_t preference;
    cublasLtMatmulHeuristicResult_t result = {0};
    int count = 0;
    if (!ok(lt.cublasLtMatmulPreferenceCreate(&preference), "cublasLtMatmulPreferenceCreate"))
        return false;
    bool set = preferences_set(d, &choice->key, preference);
    cublasStatus_t status =
        set ? lt.cublasLtMatmulAlgoGetHeuristic(d->handle, choice->product, choice->layout[B],
                                                choice->layout[A], choice->layout[C],
                                                choice->layout[C], preference, 1, &result, &count)
            : CUBLAS_STATUS_SUCCESS;
    lt.cublasLtMatmulPreferenceDestroy(preference);
    if (!set)
        return false;
    choice->found = status == CUBLAS_STATUS_SUCCESS && count > 0;
    choice->algorithm = result.algo;
    choice->workspace = result.workspaceSize;
    return choice->found || status == CUBLAS_STATUS_SUCCESS ||
           status == CUBLAS_STATUS_NOT_SUPPORTED || status == CUBLAS_STATUS_INVALID_VALUE ||
           ok(status, "cublasLtMatmulAlgoGetHeuristic");
}

/* NULL: trouble. */
static const struct choice *choose(struct device *d, const struct key *key)
{
    struct choice *set = d->table[set_of(key)];
    for (int i = 0; i < WAYS; i++)
        if (set[i].known && memcmp(&set[i].key, key, sizeof *key) == 0)
            return &set[i];
    struct choice *choice = &set[d->next++ % WAYS];
    choice_release(choice);
    choice->key = *key;
    choice->known = product_make(choice) && layout_make(choice, A, key->m, key->k) &&
                    layout_make(choice, B, key->k, key->n) &&
                    layout_make(choice, C, key->m, key->n) && algorithm_find(d, choice);
    return choice->known ? choice : NULL;
}

/* ---- products ---------------------------------------------------------------------------------
 */

static void run(const struct device *d, const struct choice *choice, const struct blas_gemm *job)
{
    float alpha_f32 = (float)job->alpha, beta_f32 = (float)job->beta;
    bool f64 = job->dtype == MC_F64;
    ok(lt.cublasLtMatmul(
           d->handle, choice->product, f64 ? (const void *)&job->alpha : (const void *)&alpha_f32,
           job->b.data, choice->layout[B], job->a.data, choice->layout[A],
           f64 ? (const void *)&job->beta : (const void *)&beta_f32, job->c.data, choice->layout[C],
           job->c.data, choice->layout[C], &choice->algorithm, d->workspace, d->workspace_size, 0),
       "cublasLtMatmul");
}

bool blas_gemm(const struct blas_gemm *job)
{
    int number = cuda_device_in_use();
    struct device *d = &devices[number];
    struct key key = key_of(job);
    if (!library_ready())
        return true; /* there is trouble */
    pthread_mutex_lock(&d->lock);
    const struct choice *choice = device_ready(d, number) ? choose(d, &key) : NULL;
    bool has_way = !choice || choice->found;
    if (choice && choice->found)
        run(d, choice, job);
    pthread_mutex_unlock(&d->lock);
    return has_way;
}
