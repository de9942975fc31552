/* A stand-in for the CUDA runtime and cuBLAS where a program is run to verify its findings: it is
 * compiled with the program, and definitions of the program take precedence. Memory of the device
 * is that of the simulated one, which the host cannot touch. Copies are checked against where
 * memory really is and how much there is; products only check their arguments. Each call writes an
 * event that says what was wrong. Nothing here is read from a pack. */
#include <miscast/probe.h>
#include <miscast/tensor.h>

#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STAND_IN __attribute__((weak))
#define HERE     __builtin_return_address(0)

enum { SUCCESS = 0, INVALID_VALUE = 1, OUT_OF_MEMORY = 2, INVALID_DIRECTION = 21 };
enum { HOST_TO_HOST, TO_DEVICE, TO_HOST, ON_DEVICE, BY_ADDRESS };

/* ---- events -----------------------------------------------------------------------------------
 */

__attribute__((format(printf, 4, 5))) static void report(const char *name, const void *from,
                                                         const char *kind, const char *format, ...)
{
    char message[256] = "";
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    mc_probe_called(name, from, kind, kind ? message : NULL);
}

/* ---- memory -----------------------------------------------------------------------------------
 */

/* What cudaMalloc gave. */
struct block {
    mc_tensor *bytes; /* u8, on the device */
    char *address;
    size_t size;
    struct block *next;
};

static struct block *blocks;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct block *block_of(const void *p)
{
    pthread_mutex_lock(&lock);
    struct block *b = blocks;
    while (b && !((const char *)p >= b->address && (const char *)p < b->address + b->size))
        b = b->next;
    pthread_mutex_unlock(&lock);
    return b;
}

static bool is_device(const void *p)
{
    mc_probe_memory m;
    return block_of(p) || (mc_probe_find(p, &m) && m.on_device);
}

/* How many bytes there are from here on; 0: that is not known. */
static size_t room_at(const void *p)
{
    const struct block *b = block_of(p);
    mc_probe_memory m;
    if (b)
        return b->size - (size_t)((const char *)p - b->address);
    return mc_probe_find(p, &m) ? m.bytes_left : 0;
}

static const char *side(bool device)
{
    return device ? "the device" : "the host";
}

static mc_tensor *part_of(const struct block *b, const void *p, size_t bytes)
{
    return mc_narrow(b->bytes, 0, (const char *)p - b->address, (int64_t)bytes);
}

/* Memory of tensors is copied by the runtime alone: those copies are left out. */
static void copy(void *to, const void *from, size_t bytes)
{
    struct block *b = block_of(to), *a = block_of(from);
    mc_shape shape = mc_shape((int64_t)bytes);
    mc_probe_wide_begin();
    mc_scope s = mc_scope_begin();
    void *source = (void *)(uintptr_t)from;
    if (b && (a || !is_device(from)))
        mc_copy_(part_of(b, to, bytes),
                 a ? part_of(a, from, bytes) : mc_from_blob(source, shape, .dtype = MC_U8));
    else if (a && !is_device(to))
        mc_copy_out(mc_cpu(part_of(a, from, bytes)), to, bytes);
    else if (!is_device(to) && !is_device(from))
        memmove(to, from, bytes);
    mc_scope_end(s);
    mc_probe_wide_end();
}

STAND_IN int cudaMalloc(void **p, size_t bytes)
{
    struct block *b = calloc(1, sizeof *b);
    mc_probe_wide_begin();
    b->bytes = mc_keep(
        mc_zeros(mc_shape((int64_t)(bytes ? bytes : 1)), .dtype = MC_U8, .device = MC_CUDA));
    mc_probe_wide_end();
    b->address = mc_data_ptr(b->bytes);
    b->size = bytes;
    *p = b->address;
    pthread_mutex_lock(&lock);
    b->next = blocks;
    blocks = b;
    pthread_mutex_unlock(&lock);
    return SUCCESS;
}

STAND_IN int cudaFree(void *p)
{
    struct block *b = p ? block_of(p) : NULL;
    bool wrong = p && !b;
    report("cudaFree", HERE, wrong ? "device" : NULL, "what is freed is not of the device");
    if (b)
        b->size = 0; /* it stays, so that its address is not given again */
    return wrong ? INVALID_VALUE : SUCCESS;
}

STAND_IN int cudaMallocHost(void **p, size_t bytes)
{
    *p = malloc(bytes);
    return *p ? SUCCESS : OUT_OF_MEMORY;
}

STAND_IN int cudaFreeHost(void *p)
{
    bool wrong = is_device(p);
    report("cudaFreeHost", HERE, wrong ? "device" : NULL, "what is freed is not of the host");
    if (!wrong)
        free(p);
    return wrong ? INVALID_VALUE : SUCCESS;
}

/* Whether the way that is told is the way that memory lies. */
static bool is_way(int kind, bool to, bool from)
{
    return kind == BY_ADDRESS || (to == (kind == TO_DEVICE || kind == ON_DEVICE) &&
                                  from == (kind == TO_HOST || kind == ON_DEVICE));
}

static int copy_checked(const char *name, const void *at, void *to, const void *from, size_t bytes,
                        int kind)
{
    bool to_device = is_device(to), from_device = is_device(from);
    size_t room = room_at(to), there = room_at(from);
    if (!is_way(kind, to_device, from_device)) {
        report(name, at, "device", "the copy goes from %s to %s, and is declared otherwise",
               side(from_device), side(to_device));
        return INVALID_DIRECTION;
    }
    if ((room && bytes > room) || (there && bytes > there)) {
        report(name, at, "value", "%zu bytes are copied, and there are %zu", bytes,
               room && bytes > room ? room : there);
        return INVALID_VALUE;
    }
    report(name, at, NULL, "%s", "");
    copy(to, from, bytes);
    return SUCCESS;
}

STAND_IN int cudaMemcpy(void *to, const void *from, size_t bytes, int kind)
{
    return copy_checked("cudaMemcpy", HERE, to, from, bytes, kind);
}

STAND_IN int cudaMemcpyAsync(void *to, const void *from, size_t bytes, int kind, void *stream)
{
    (void)stream;
    return copy_checked("cudaMemcpyAsync", HERE, to, from, bytes, kind);
}

STAND_IN int cudaMemset(void *to, int byte, size_t bytes)
{
    struct block *b = block_of(to);
    size_t room = room_at(to);
    const char *kind = !is_device(to) ? "device" : room && bytes > room ? "value" : NULL;
    if (kind && !is_device(to))
        report("cudaMemset", HERE, kind, "what is set lies on the host");
    else
        report("cudaMemset", HERE, kind, "%zu bytes are set, and there are %zu", bytes, room);
    if (kind || !b)
        return kind ? INVALID_VALUE : SUCCESS;
    mc_probe_wide_begin();
    mc_fill_(part_of(b, to, bytes), (double)(unsigned char)byte);
    mc_probe_wide_end();
    return SUCCESS;
}

/* ---- devices, streams, handles ------------------------------------------------------------------
 */

#define QUIET(name)                                                                                \
    STAND_IN int name(void *unused)                                                                \
    {                                                                                              \
        (void)unused;                                                                              \
        return SUCCESS;                                                                            \
    }
QUIET(cudaDeviceSynchronize)
QUIET(cudaGetLastError)
QUIET(cudaPeekAtLastError)
QUIET(cudaSetDevice)
QUIET(cudaStreamSynchronize)
QUIET(cudaStreamDestroy)
QUIET(cublasDestroy_v2)

#define GIVES(name, value)                                                                         \
    STAND_IN int name(void *to)                                                                    \
    {                                                                                              \
        *(value##_type *)to = value;                                                               \
        return SUCCESS;                                                                            \
    }
typedef int one_type;
typedef void *handle_type;
static const int one = 1;
static void *const handle = &blocks;
GIVES(cudaGetDeviceCount, one)
GIVES(cudaStreamCreate, handle)
GIVES(cublasCreate_v2, handle)

STAND_IN const char *cudaGetErrorString(int error)
{
    return error ? "it failed" : "no error";
}

/* ---- products ----------------------------------------------------------------------------------
 */

/* What a matrix is given as must lie on the device. */
static int look_at_matrices(const char *name, const void *at, const void *const matrices[3])
{
    static const char *const names[3] = {"a", "b", "c"};
    for (int i = 0; i < 3; i++)
        if (!is_device(matrices[i])) {
            report(name, at, "device", "%s lies on the host", names[i]);
            return 14; /* CUBLAS_STATUS_INTERNAL_ERROR */
        }
    report(name, at, NULL, "%s", "");
    return SUCCESS;
}

#define GEMM(name, type)                                                                           \
    STAND_IN int name(void *h, int ta, int tb, int m, int n, int k, const type *alpha,             \
                      const type *a, int lda, const type *b, int ldb, const type *beta, type *c,   \
                      int ldc)                                                                     \
    {                                                                                              \
        (void)h, (void)ta, (void)tb, (void)m, (void)n, (void)k, (void)alpha, (void)lda, (void)ldb, \
            (void)beta, (void)ldc;                                                                 \
        return look_at_matrices(#name, HERE, (const void *const[3]){a, b, c});                     \
    }
GEMM(cublasSgemm_v2, float)
GEMM(cublasDgemm_v2, double)
