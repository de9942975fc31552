#include <stdlib.h>

#include <miscast/tensor.h>

mc_tensor *over_host(void)
{
    float *field = calloc(8, sizeof *field);
    return mc_from_blob(field, mc_shape(8), .device = MC_CUDA); /* expect: buffer-space error */
}
