/* Between the runtime and the module miscast-cuda. Both are built of one tree; terms that differ
 * are a module of another version, which is refused. */
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

/* The GPUs in a line, for people; false: what is missing. */
bool miscast_cuda_describe(char *text, size_t size);

#endif
