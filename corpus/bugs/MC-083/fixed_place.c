/* Where the layers are: the first ones on one GPU, the last on another. */
#include "parallel.h"

static struct layer layer_on(mc_device device, int64_t out, int64_t in)
{
    struct layer l = {device, mc_randn(mc_shape(out, in), .device = device)};
    return l;
}

void model_load(struct model *m, mc_device first, mc_device last)
{
    mc_manual_seed(83);
    m->embedding = mc_randn(mc_shape(VOCAB, WIDTH), .device = first);
    m->body = layer_on(first, WIDTH, WIDTH);
    m->head = layer_on(last, VOCAB, WIDTH);
}
