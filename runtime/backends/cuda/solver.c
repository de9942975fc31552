/* cuSOLVER behind solver.h, through its functions that take the dtype as an argument. */
#include "runtime/backends/cuda/solver.h"

#include <cusolverDn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "runtime/backends/cuda/cuda.h"

/* ---- the library ------------------------------------------------------------------------------
 */

#define FUNCTIONS(X)                                                                               \
    X(cusolverDnCreate)                                                                            \
    X(cusolverDnCreateParams)                                                                      \
    X(cusolverDnXgesvd)                                                                            \
    X(cusolverDnXgesvd_bufferSize)                                                                 \
    X(cusolverDnXgetrf)                                                                            \
    X(cusolverDnXgetrf_bufferSize)                                                                 \
    X(cusolverDnXgetrs)                                                                            \
    X(cusolverDnXpotrf)                                                                            \
    X(cusolverDnXpotrf_bufferSize)

#define TEXT_OF(x) #x
#define TEXT(x)    TEXT_OF(x)
#define LIBRARY    "libcusolver.so." TEXT(CUSOLVER_VER_MAJOR)

/* One call at a time: a handle is not to be shared. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct {
    bool ready;
#define MEMBER(name) __typeof__(name) *name;
    FUNCTIONS(MEMBER)
} dn;

static struct {
    cusolverDnHandle_t handle;
    cusolverDnParams_t params;
} devices[CUDA_MAX_DEVICES];

static bool library_ready(void)
{
    void *library = dn.ready ? NULL : cuda_library(LIBRARY);
    if (library) {
        dn.ready = true;
#define FIND(name)                                                                                 \
    *(void **)&dn.name = cuda_library_function(library, #name);                                    \
    dn.ready = dn.ready && dn.name;
        FUNCTIONS(FIND)
    }
    return dn.ready;
}

static bool ok(cusolverStatus_t status, const char *what)
{
    char why[64];
    if (status == CUSOLVER_STATUS_SUCCESS)
        return true;
    snprintf(why, sizeof why, "status %d of cuSOLVER", (int)status);
    return cuda_fails(what, why);
}

/* ---- a call: what it works in -----------------------------------------------------------------
 */

struct call {
    cusolverDnHandle_t handle;
    cusolverDnParams_t params;
    cudaDataType type;
    size_t device_size, host_size;
    void *device_room, *host_room;
    size_t room_handle;
    bool no_memory;
};

/* Holds the lock until call_end, whatever it returns. */
static bool call_begin(struct call *c, mc_dtype dtype)
{
    int number = cuda_device_in_use();
    pthread_mutex_lock(&lock);
    *c = (struct call){.type = dtype == MC_F64 ? CUDA_R_64F : CUDA_R_32F};
    if (!library_ready())
        return false;
    if (!devices[number].handle &&
        !ok(dn.cusolverDnCreate(&devices[number].handle), "cusolverDnCreate"))
        return false;
    if (!devices[number].params &&
        !ok(dn.cusolverDnCreateParams(&devices[number].params), "cusolverDnCreateParams"))
        return false;
    c->handle = devices[number].handle;
    c->params = devices[number].params;
    return true;
}

static void *take(struct call *c, size_t size, size_t *handle)
{
    void *room = cuda_memory_take(cuda_device_in_use(), size ? size : 1, handle);
    c->no_memory = c->no_memory || !room;
    return room;
}

static bool call_takes_room(struct call *c)
{
    c->device_room = take(c, c->device_size, &c->room_handle);
    c->host_room = malloc(c->host_size ? c->host_size : 1);
    c->no_memory = c->no_memory || !c->host_room;
    return !c->no_memory;
}

/* Whether there was memory. */
static bool call_end(struct call *c)
{
    /* What is done on the host for a call may go on after it returned. */
    if (c->host_size)
        cuda_wait(cuda_device_in_use());
    if (c->device_room)
        cuda_memory_give(c->room_handle);
    free(c->host_room);
    pthread_mutex_unlock(&lock);
    return !c->no_memory;
}

/* ---- the functions ----------------------------------------------------------------------------
 */

static void inverse(struct call *c, int64_t n, void *a, void *b, int *info)
{
    /* getrs has its own info, about its arguments, which is not read: after the pivots. */
    size_t handle;
    int64_t *pivots = take(c, (size_t)(n + 1) * sizeof *pivots, &handle);
    if (!pivots)
        return;
    if (ok(dn.cusolverDnXgetrf_bufferSize(c->handle, c->params, n, n, c->type, a, n, c->type,
                                          &c->device_size, &c->host_size),
           "cusolverDnXgetrf_bufferSize") &&
        call_takes_room(c) &&
        ok(dn.cusolverDnXgetrf(c->handle, c->params, n, n, c->type, a, n, pivots, c->type,
                               c->device_room, c->device_size, c->host_room, c->host_size, info),
           "cusolverDnXgetrf"))
        ok(dn.cusolverDnXgetrs(c->handle, c->params, CUBLAS_OP_N, n, n, c->type, a, n, pivots,
                               c->type, b, n, (int *)(pivots + n)),
           "cusolverDnXgetrs");
    cuda_memory_give(handle);
}

bool solver_inverse(mc_dtype dtype, int64_t n, void *a, void *b, int *info)
{
    struct call c;
    if (call_begin(&c, dtype))
        inverse(&c, n, a, b, info);
    return call_end(&c);
}

static void cholesky(struct call *c, int64_t n, void *a, int *info)
{
    const cublasFillMode_t upper = CUBLAS_FILL_MODE_UPPER;
    if (ok(dn.cusolverDnXpotrf_bufferSize(c->handle, c->params, upper, n, c->type, a, n, c->type,
                                          &c->device_size, &c->host_size),
           "cusolverDnXpotrf_bufferSize") &&
        call_takes_room(c))
        ok(dn.cusolverDnXpotrf(c->handle, c->params, upper, n, c->type, a, n, c->type,
                               c->device_room, c->device_size, c->host_room, c->host_size, info),
           "cusolverDnXpotrf");
}

bool solver_cholesky(mc_dtype dtype, int64_t n, void *a, int *info)
{
    struct call c;
    if (call_begin(&c, dtype))
        cholesky(&c, n, a, info);
    return call_end(&c);
}

static void svd(struct call *c, const struct solver_svd *j)
{
    signed char vectors = !j->u ? 'N' : j->full ? 'A' : 'S';
    if (ok(dn.cusolverDnXgesvd_bufferSize(c->handle, c->params, vectors, vectors, j->m, j->n,
                                          c->type, j->a, j->m, c->type, j->s, c->type, j->u, j->m,
                                          c->type, j->vt, j->n, c->type, &c->device_size,
                                          &c->host_size),
           "cusolverDnXgesvd_bufferSize") &&
        call_takes_room(c))
        ok(dn.cusolverDnXgesvd(c->handle, c->params, vectors, vectors, j->m, j->n, c->type, j->a,
                               j->m, c->type, j->s, c->type, j->u, j->m, c->type, j->vt, j->n,
                               c->type, c->device_room, c->device_size, c->host_room, c->host_size,
                               j->info),
           "cusolverDnXgesvd");
}

bool solver_svd(const struct solver_svd *job)
{
    struct call c;
    if (call_begin(&c, job->dtype))
        svd(&c, job);
    return call_end(&c);
}
