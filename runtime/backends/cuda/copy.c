/* Copies between the host and a GPU. They go through pinned buffers, of which one is filled or read
 * while the other travels; each thread has its own pair. */
#include "runtime/backends/cuda/cuda.h"

#include <cuda_runtime_api.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { PIECE = 4 << 20, BUFFERS = 2 };

/* Events belong to a device, pinned memory to all. */
struct stage {
    char *pinned[BUFFERS];
    cudaEvent_t arrived[CUDA_MAX_DEVICES][BUFFERS]; /* NULL: not made yet */
};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;

static void stage_free(void *data)
{
    struct stage *s = data;
    for (int i = 0; i < BUFFERS; i++) {
        cudaFreeHost(s->pinned[i]);
        for (int d = 0; d < CUDA_MAX_DEVICES; d++)
            if (s->arrived[d][i])
                cudaEventDestroy(s->arrived[d][i]);
    }
    free(s);
}

static void make_key(void)
{
    pthread_key_create(&key, stage_free);
}

/* This thread's, with events for the device; NULL: out of memory. */
static struct stage *stage_of(int device)
{
    pthread_once(&once, make_key);
    struct stage *s = pthread_getspecific(key);
    if (!s) {
        s = calloc(1, sizeof *s);
        for (int i = 0; s && i < BUFFERS; i++)
            if (!cuda_ok(cudaHostAlloc((void **)&s->pinned[i], PIECE, cudaHostAllocDefault),
                         "pinning memory")) {
                stage_free(s);
                s = NULL;
            }
        if (!s)
            return NULL;
        pthread_setspecific(key, s);
    }
    for (int i = 0; i < BUFFERS; i++)
        if (!s->arrived[device][i] &&
            !cuda_ok(cudaEventCreateWithFlags(&s->arrived[device][i], cudaEventDisableTiming),
                     "making an event"))
            return NULL;
    return s;
}

bool cuda_upload(void *to, const void *from, size_t n)
{
    int device = cuda_device_of(to);
    cuda_use(device);
    struct stage *s = stage_of(device);
    bool ok = s;
    for (size_t at = 0, i = 0; ok && at < n; at += PIECE, i = !i) {
        size_t piece = n - at < PIECE ? n - at : PIECE;
        ok = cuda_ok(cudaEventSynchronize(s->arrived[device][i]), "a copy to the GPU");
        memcpy(s->pinned[i], (const char *)from + at, piece);
        ok = ok &&
             cuda_ok(
                 cudaMemcpyAsync((char *)to + at, s->pinned[i], piece, cudaMemcpyHostToDevice, 0),
                 "a copy to the GPU") &&
             cuda_ok(cudaEventRecord(s->arrived[device][i], 0), "a copy to the GPU");
    }
    return ok;
}

/* Starts the copy of one piece; the event is set when it is done. */
static bool ask(struct stage *s, int device, size_t i, const char *from, size_t piece)
{
    return cuda_ok(cudaMemcpyAsync(s->pinned[i], from, piece, cudaMemcpyDeviceToHost, 0),
                   "a copy from the GPU") &&
           cuda_ok(cudaEventRecord(s->arrived[device][i], 0), "a copy from the GPU");
}

bool cuda_download(void *to, const void *from, size_t n)
{
    int device = cuda_device_of(from);
    cuda_use(device);
    struct stage *s = stage_of(device);
    bool ok = s && (!n || ask(s, device, 0, from, n < PIECE ? n : PIECE));
    for (size_t at = 0, i = 0; ok && at < n; at += PIECE, i = !i) {
        size_t piece = n - at < PIECE ? n - at : PIECE, next = at + piece;
        size_t left = n - next < PIECE ? n - next : PIECE;
        ok = (!left || ask(s, device, !i, (const char *)from + next, left)) &&
             cuda_ok(cudaEventSynchronize(s->arrived[device][i]), "a copy from the GPU");
        if (ok)
            memcpy((char *)to + at, s->pinned[i], piece);
    }
    return ok;
}

/* The stream of each device waits for the other's: what comes before on the source is in what is
 * copied, and what comes after on it does not overtake. */
bool cuda_across(void *to, int to_device, const void *from, int from_device, size_t n)
{
    cuda_wait(to_device);
    cuda_use(from_device);
    bool ok =
        cuda_ok(cudaMemcpyPeerAsync(to, to_device, from, from_device, n, 0), "a copy between GPUs");
    cuda_wait(from_device);
    return ok;
}
