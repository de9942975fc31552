#include <miscast/tensor.h>

/* 'cast' may be the same tensor, but nobody looks at it again. */
mc_tensor *weights(mc_dtype dtype, mc_device device)
{
    mc_tensor *w = mc_rand(mc_shape(4, 4));
    mc_tensor *cast = mc_to_dtype(w, dtype);
    if (cast != w)
        w = cast;
    w = mc_to_device(w, device);
    mc_mul_(w, 0.5);
    return w;
}
