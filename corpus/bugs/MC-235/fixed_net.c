/* The layers. Somebody tried a slope of another dtype and forgot about it. */
#include "face.h"

void face_net_init(struct face_net *n)
{
    mc_manual_seed(8);
    n->trunk = mc_randn(mc_shape(WIDTH, INPUT), .device = MC_CUDA, .requires_grad = true);
    n->slope = mc_full(mc_shape(WIDTH), 0.25, .device = MC_CUDA, .requires_grad = true);
    n->head = mc_randn(mc_shape(PEOPLE, WIDTH), .device = MC_CUDA, .requires_grad = true);
}

/* A leaky ReLU with a slope a channel. */
static mc_tensor *slope_relu(mc_tensor *x, mc_tensor *slope)
{
    return mc_add(mc_relu(x), mc_mul(mc_neg(mc_relu(mc_neg(x))), slope));
}

mc_tensor *face_net_forward(const struct face_net *n, mc_tensor *x)
{
    return mc_linear(slope_relu(mc_linear(x, n->trunk, NULL), n->slope), n->head, NULL);
}
