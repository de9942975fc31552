/* The GPUs of this machine, and errors on them. */
#include "runtime/backends/cuda/cuda.h"

#include <cuda_runtime_api.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

static int device_count;
static pid_t started_in; /* the process; its children have these GPUs in no usable state */
static int processors[CUDA_MAX_DEVICES];
static _Thread_local int device_in_use; /* a thread begins with the first */

/* An error may be reported long after the call that caused it, so the first one is kept. */
static pthread_mutex_t trouble_lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_bool in_trouble;
static char trouble[256];

static const char *what_is_missing(cudaError_t error)
{
    switch (error) {
    case cudaErrorNoDevice:
        return "there is no NVIDIA GPU on this machine, or it is not visible";
    case cudaErrorInsufficientDriver: {
        int version = 0;
        return cudaDriverGetVersion(&version) || !version
                   ? "there is no NVIDIA driver on this machine"
                   : "the NVIDIA driver is too old for the CUDA this was built with";
    }
    default:
        return cudaGetErrorString(error);
    }
}

bool cuda_start(char *why, size_t size)
{
    int count = 0;
    cudaError_t error = cudaGetDeviceCount(&count);
    if (!error && !count)
        error = cudaErrorNoDevice;
    if (error) {
        snprintf(why, size, "%s", what_is_missing(error));
        cudaGetLastError(); /* reported; it must not be reported again */
        return false;
    }
    started_in = getpid();
    device_count = count < CUDA_MAX_DEVICES ? count : CUDA_MAX_DEVICES;
    for (int i = 0; i < device_count; i++)
        cudaDeviceGetAttribute(&processors[i], cudaDevAttrMultiProcessorCount, i);
    return true;
}

void cuda_describe(char *text, size_t size)
{
    int version = 0;
    size_t at = 0;
    cudaDriverGetVersion(&version);
    for (int i = 0; i < device_count && at < size; i++) {
        struct cudaDeviceProp p;
        if (cudaGetDeviceProperties(&p, i))
            continue;
        at += (size_t)snprintf(text + at, size - at, "%s (%.1f GiB, sm_%d%d), ", p.name,
                               (double)p.totalGlobalMem / (1 << 30), p.major, p.minor);
    }
    if (at < size)
        snprintf(text + at, size - at, "driver for CUDA %d.%d", version / 1000,
                 version % 1000 / 10);
}

int cuda_device_count(void)
{
    return device_count;
}

void cuda_use(int device)
{
    if (device != device_in_use && cuda_ok(cudaSetDevice(device), "cudaSetDevice"))
        device_in_use = device;
}

int cuda_device_of(const void *address)
{
    if (device_count < 2)
        return 0;
    struct cudaPointerAttributes about;
    cudaError_t error = cudaPointerGetAttributes(&about, address);
    if (error)
        cudaGetLastError();
    /* What is empty has an address of the host, and any device will do. */
    return error || about.device < 0 ? device_in_use : about.device;
}

int cuda_device_in_use(void)
{
    return device_in_use;
}

int cuda_processors(void)
{
    return processors[device_in_use];
}

void cuda_wait(int device)
{
    cuda_use(device);
    cuda_ok(cudaStreamSynchronize(0), "waiting for the GPU");
}

bool cuda_fails(const char *what, const char *why)
{
    pthread_mutex_lock(&trouble_lock);
    if (!atomic_load(&in_trouble)) {
        snprintf(trouble, sizeof trouble, "%s: %s", what, why);
        atomic_store(&in_trouble, true);
    }
    pthread_mutex_unlock(&trouble_lock);
    return false;
}

bool cuda_ok(int error, const char *what)
{
    if (!error)
        return true;
    if (getpid() != started_in)
        cuda_fails("this process was forked from one that used cuda",
                   "it cannot use cuda itself; fork before the first tensor on cuda");
    else
        cuda_fails(what, cudaGetErrorString((cudaError_t)error));
    cudaGetLastError(); /* clears what can be cleared */
    return false;
}

const char *cuda_trouble(void)
{
    static _Thread_local char said[sizeof trouble];
    if (!atomic_load_explicit(&in_trouble, memory_order_relaxed))
        return NULL;
    pthread_mutex_lock(&trouble_lock);
    snprintf(said, sizeof said, "%s", trouble);
    atomic_store(&in_trouble, false);
    pthread_mutex_unlock(&trouble_lock);
    return said;
}
