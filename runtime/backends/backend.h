/* runtime/backends: a device is a struct of functions. cpu and sim stand here; cuda is a module
 * that is loaded at run time and brings the same struct.
 *
 * sim answers to cuda on any machine: its memory is apart from the host's (the user-visible address
 * is a page that faults), it runs the CPU's kernels, and ops/ holds it to every device rule. */
#ifndef RUNTIME_BACKEND_H
#define RUNTIME_BACKEND_H

#include "runtime/core/core.h"

struct kernels;

/* Bytes of a device. */
struct memory_use {
    size_t used, kept, free, total; /* by tensors; for later ones; by nobody; in all */
};

/* The functions below the line may be NULL: there is nothing to do or say. */
struct backend {
    const char *name; /* "cpu", "sim", "cuda" */
    bool is_cuda;     /* PyTorch's cuda rules and cuda's bits hold */
    bool is_apart;    /* its memory is not the host's: blocks are entered in the ledger for it */
    int (*device_count)(void);
    /* Fills bytes, address and capacity for nbytes > 0. False: no memory. */
    bool (*alloc)(struct storage *s);
    void (*free)(struct storage *s);
    /* Between host memory and this backend's; and within it. n bytes. */
    bool (*upload)(struct storage *to, size_t offset, const void *from, size_t n);
    bool (*download)(void *to, const struct storage *from, size_t offset, size_t n);
    void (*synchronize)(mc_device device);
    const struct kernels *kernels;
    /* ---- */
    /* From one of its devices to another. */
    bool (*across)(struct storage *to, size_t at, const struct storage *from, size_t offset,
                   size_t n);
    void (*memory)(mc_device device, struct memory_use *use);
    void (*empty_cache)(void);
    /* What went wrong since this was last asked, in a line; NULL: nothing did. */
    const char *(*trouble)(void);
};

extern const struct backend cpu_backend, sim_backend;

/* The backend of the module miscast-cuda, which is looked for once; NULL: *why says what is missing
 * (load.c). */
const struct backend *cuda_backend(const char **why);

/* Why nothing is behind cuda, in a line; NULL: something is. */
const char *cuda_missing(void);
/* What went wrong on any of the devices since this was last asked; NULL: nothing did. */
const char *backend_trouble(void);
/* The backend behind a device; NULL if there is no such device. */
const struct backend *backend_of(mc_device device);
/* MC_DEVICE_DEFAULT resolved. */
mc_device device_resolve(mc_device device);

#endif
