/* While a model is loaded its dtype is the default one; afterwards it is f32 again. */
#include "engine.h"

mc_dtype default_dtype = MC_F32;

static mc_tensor *new_weight(void)
{
    return mc_to_dtype(mc_randn(mc_shape(HEADS, WIDTH, WIDTH)), default_dtype);
}

void layer_load(struct layer *l, mc_dtype dtype)
{
    mc_dtype before = default_dtype;
    default_dtype = dtype;
    l->q = new_weight();
    l->k = new_weight();
    l->v = new_weight();
    default_dtype = before;
}
