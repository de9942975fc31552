/* The interface between the runtime and the module miscast-cuda. Both are built from one source
 * tree; if their terms differ, the module is of another version and is rejected. */
#ifndef RUNTIME_CUDA_MODULE_H
#define RUNTIME_CUDA_MODULE_H

#include "runtime/backends/backends.h"
#include "runtime/kernels/kernels.h"

struct module_terms {
    const char *version;
    size_t storage, backend, kernels; /* sizes of the structs */
};

#define MODULE_TERMS                                                                               \
    ((struct module_terms){MISCAST_VERSION, sizeof(struct storage), sizeof(struct backend),        \
                           sizeof(struct kernels)})

/* The backend; NULL: why says in one line what is missing. */
typedef const struct backend *module_open(const struct module_terms *terms, char *why, size_t size);
#define MODULE_OPEN      miscast_cuda_open
#define MODULE_OPEN_NAME "miscast_cuda_open"
module_open MODULE_OPEN;

/* A one-line description of the GPUs; false: of what is missing. */
bool miscast_cuda_describe(char *text, size_t size);

#endif
