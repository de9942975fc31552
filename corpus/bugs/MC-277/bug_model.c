/* Sampling takes a Cholesky factor. */
#include "vision.h"

mc_tensor *model_sample(const struct model *m, mc_tensor *noise)
{
    mc_tensor *ridge =
        mc_eye(WIDTH, .dtype = mc_dtype_of(m->root), .device = mc_device_of(m->root));
    mc_tensor *cov = mc_add(mc_matmul(m->root, mc_t(m->root)), ridge);
    mc_tensor *factor = mc_cholesky(cov); /* expect: unsupported-dtype */
    return mc_add(m->mean, mc_linear(mc_type_as(noise, factor), factor, NULL));
}
