/* runtime/backends/cuda: the module miscast-cuda, with the backend for NVIDIA's GPUs. The runtime
 * loads it when a program first uses cuda; it uses only headers of the runtime.
 *
 *     module.c            the struct backend, and opening the module (module.h)
 *     device.c            the GPUs, and errors on them
 *     memory.c, copy.c    memory, which is cached when freed; copies through pinned buffers
 *     blas.c, solver.c    cuBLASLt and cuSOLVER (blas.h, solver.h), loaded when first needed
 *                         (library.c)
 *     *.cuh               what kernels share: launches, dtypes, loops
 *     *.cu                the kernels, by the families of runtime/kernels/ (families.h)
 *
 * All work on a device is in its default stream, so it is done in the order of the calls, from any
 * thread: memory can be reused as soon as it is freed. */
#ifndef RUNTIME_CUDA_H
#define RUNTIME_CUDA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { CUDA_MAX_DEVICES = 16 };

/* ---- device.c ------------------------------------------------------------------------------ */

/* Looks for GPUs; false: why (of size bytes) says in one line what is missing. */
bool cuda_start(char *why, size_t size);
int cuda_device_count(void);
/* "NVIDIA H200 (139.8 GiB, sm_90), driver for CUDA 13.0" */
void cuda_describe(char *text, size_t size);
/* Makes it the one this thread's calls go to. */
void cuda_use(int device);
/* The device whose memory this is. */
int cuda_device_of(const void *address);
int cuda_device_in_use(void);
/* Multiprocessors of the device in use. */
int cuda_processors(void);
void cuda_wait(int device);
/* Remembers the trouble that a call or launch met, if any (error is a cudaError_t); whether none.
 */
bool cuda_ok(int error, const char *what);
/* The same for trouble that another library met, in its words; false. */
bool cuda_fails(const char *what, const char *why);
/* What was remembered since last asked; NULL: nothing. */
const char *cuda_trouble(void);

/* ---- memory.c ------------------------------------------------------------------------------ */

/* Memory of that device, or NULL. What *handle receives is for cuda_memory_give. */
void *cuda_memory_take(int device, size_t nbytes, size_t *handle);
void cuda_memory_give(size_t handle);
/* What is in use by tensors, kept for later, and free, of that device. */
struct cuda_memory_use {
    size_t used, kept, free, total;
};
struct cuda_memory_use cuda_memory_use(int device);
/* Gives back what is kept. */
void cuda_memory_empty_cache(void);

/* ---- copy.c -------------------------------------------------------------------------------- */

/* Between host memory and the device in use. The host's memory can be used again on return. */
bool cuda_upload(void *to, const void *from, size_t n);
bool cuda_download(void *to, const void *from, size_t n);
/* From one device to another. */
bool cuda_across(void *to, int to_device, const void *from, int from_device, size_t n);

/* ---- library.c ----------------------------------------------------------------------------- */

/* A library of CUDA, by the name of its file, from where the system or CUDA keeps them; NULL: not
 * there, which is trouble. */
void *cuda_library(const char *name);
/* Its function of that name; NULL is trouble, too. */
void *cuda_library_function(void *library, const char *name);

#ifdef __cplusplus
}
#endif

#endif
