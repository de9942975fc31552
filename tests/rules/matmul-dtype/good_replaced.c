/* A local that is one of two flags: which, is asked again in the same way. */
#include <miscast/tensor.h>

#include <stdbool.h>

struct settings {
    bool half, ema;
};

static mc_tensor *matrix(bool half)
{
    return half ? mc_half(mc_ones(mc_shape(8, 8))) : mc_ones(mc_shape(8, 8));
}

mc_tensor *one_of_two(const struct settings *s, int level)
{
    bool kept = s->half;
    if (level > 2)
        kept = s->ema;
    mc_tensor *w = matrix(kept);
    bool again = level > 2 ? s->ema : s->half;
    return mc_matmul(matrix(again), w);
}
