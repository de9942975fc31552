/* The layers. Somebody tried a slope of another dtype and forgot about it. */
#include "face.h"

void face_net_init(struct face_net *n)
{
    mc_manual_seed(8);
    n->trunk = mc_randn(mc_shape(WIDTH, INPUT), .device = MC_CUDA, .requires_grad = true);
    n->slope = mc_full(mc_shape(WIDTH), 0.25, .device = MC_CUDA, .requires_grad = true);
    n->head = mc_randn(mc_shape(PEOPLE, WIDTH), .device = MC_CUDA, .requires_grad = true);
}

mc_tensor *face_net_forward(const struct face_net *n, mc_tensor *x)
{
    return mc_linear(mc_prelu(mc_linear(x, n->trunk, NULL), n->slope), n->head, NULL);
}
