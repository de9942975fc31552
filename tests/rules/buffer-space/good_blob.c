#include <stdlib.h>

#include <miscast/tensor.h>

mc_tensor *copied(float *given)
{
    float *field = calloc(8, sizeof *field);
    mc_tensor *x = mc_cuda(mc_from_blob(field, mc_shape(8)));
    return mc_add(x, mc_from_blob(given, mc_shape(8), .device = MC_CUDA));
}
