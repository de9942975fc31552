/* A backend: what a device brings to the runtime, as a struct of functions. The CPU and the
 * simulation are in backends/; cuda is a module that is loaded at run time and has the same struct.
 */
#ifndef RUNTIME_BACKEND_H
#define RUNTIME_BACKEND_H

#include "runtime/core/core.h"

struct kernels;

/* Memory of a device, in bytes. */
struct memory_use {
    size_t used; /* by tensors */
    size_t kept; /* cached for later tensors */
    size_t free; /* not allocated by anyone */
    size_t total;
};

/* The functions below the line may be NULL: then there is nothing to do. */
struct backend {
    const char *name; /* "cpu", "sim", "cuda" */
    bool is_cuda;     /* PyTorch's rules for cuda apply, and results have cuda's bits */
    bool is_apart;    /* its memory is not the host's: its blocks are entered in the ledger */
    int (*device_count)(void);
    /* Fills in bytes, address and capacity for nbytes > 0. False: out of memory. */
    bool (*alloc)(struct storage *s);
    void (*free)(struct storage *s);
    /* Copies n bytes from host memory to this backend's, and back. */
    bool (*upload)(struct storage *to, size_t offset, const void *from, size_t n);
    bool (*download)(void *to, const struct storage *from, size_t offset, size_t n);
    void (*synchronize)(mc_device device);
    const struct kernels *kernels;
    /* ---- */
    /* Copies n bytes from one of its devices to another. */
    bool (*across)(struct storage *to, size_t at, const struct storage *from, size_t offset,
                   size_t n);
    void (*memory)(mc_device device, struct memory_use *use);
    void (*empty_cache)(void);
    /* Memory of the program is used as a storage, and is no longer. */
    void (*lend)(struct storage *s);
    void (*give_back)(struct storage *s);
    /* Errors since the last call, in one line; NULL: none. */
    const char *(*trouble)(void);
};

#endif
