/* The cache is set up once, in the dtype of the model, and filled position by position. */
#include "chat.h"

void cache_setup(struct layer *l, mc_dtype dtype)
{
    l->key_cache = mc_zeros(mc_shape(CONTEXT, WIDTH), .dtype = dtype);
}

void cache_update(struct layer *l, mc_tensor *position, mc_tensor *k)
{
    mc_index_copy_(l->key_cache, 0, position, k); /* expect: indexed-store-dtype */
}
