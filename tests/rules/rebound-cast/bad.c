#include <miscast/tensor.h>

/* A loop over parameters: only the variable is another tensor afterwards. */
void model_half(mc_tensor **params, int count)
{
    for (int i = 0; i < count; i++) {
        mc_tensor *p = params[i];
        if (mc_is_floating_point(p))
            p = mc_half(p); /* expect: rebound-cast warning */
    }
}

void to_gpu(mc_tensor *x)
{
    x = mc_cuda(x); /* expect: rebound-cast warning */
}
