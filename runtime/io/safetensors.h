/* What reading and writing safetensors files share: the names of dtypes and the limits. */
#ifndef RUNTIME_SAFETENSORS_H
#define RUNTIME_SAFETENSORS_H

#include "runtime/core/core.h"

#define SAFETENSORS_HEADER_MAX 100000000 /* as other readers have it */
#define SAFETENSORS_METADATA   "__metadata__"

/* Every dtype of the format. Some do not exist here: their tensors are checked like the others, so
 * that the file can be opened, but cannot be loaded. */
struct safetensors_dtype {
    char name[12];
    int bits;
    mc_dtype dtype; /* MC_DTYPE_DEFAULT: none */
};

/* NULL if there is none. */
const struct safetensors_dtype *safetensors_dtype_named(const char *name);
const struct safetensors_dtype *safetensors_dtype_of(mc_dtype dtype);

#endif
