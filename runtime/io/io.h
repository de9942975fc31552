/* runtime/io: NumPy and safetensors files, and tensors as text. The public functions are in
 * miscast/tensor.h; these read the same formats from memory, for tests without files.
 *
 *     file.c              files as blocks of bytes (file.h)
 *     npy.c               .npy files
 *     safetensors.c       reading safetensors files (safetensors.h), whose header is JSON (json.c,
 *                         json.h)
 *     safetensors_save.c  writing them
 *     print.c             tensors as text */
#ifndef RUNTIME_IO_H
#define RUNTIME_IO_H

#include "runtime/core/core.h"

/* What mc_load_npy would load from a file with these bytes. */
mc_tensor *npy_parse(mc_place at, const uint8_t *data, size_t size);
/* What mc_safetensors_open would open; the bytes are copied. */
mc_safetensors *safetensors_parse(mc_place at, const uint8_t *data, size_t size);

#endif
