/* bug.c, fixed: the position stays a float. */
#include <stdio.h>

#include <miscast/tensor.h>

enum { PIXELS = 16, FEATURES = 4 };

struct head {
    mc_tensor *heat; /* features to pixels */
    mc_tensor *size; /* features to the size of the object */
};

static mc_tensor *keypoint(const struct head *h, mc_tensor *x)
{
    mc_tensor *p = mc_softmax(mc_linear(x, h->heat, NULL), -1);
    return mc_sum(mc_mul(p, mc_float(mc_arange(PIXELS))), .dim = mc_dims(-1));
}

static mc_tensor *loss(const struct head *h, mc_tensor *x, mc_tensor *at, mc_tensor *size)
{
    mc_tensor *found = keypoint(h, x);
    mc_tensor *position = mc_mse_loss(found, at);
    mc_tensor *extent = mc_mse_loss(mc_squeeze(mc_linear(x, h->size, NULL), -1), size);
    return mc_add(position, extent);
}

int main(void)
{
    mc_manual_seed(1);
    struct head h = {
        .heat = mc_randn(mc_shape(PIXELS, FEATURES), .requires_grad = true),
        .size = mc_randn(mc_shape(1, FEATURES), .requires_grad = true),
    };
    mc_tensor *x = mc_randn(mc_shape(2, FEATURES));
    mc_tensor *at = mc_from_array(((float[]){3, 12}), mc_shape(2)), *size = mc_ones(mc_shape(2));
    mc_backward(loss(&h, x, at, size));
    printf("the heat map gets %s gradient\n", mc_grad(h.heat) ? "a" : "no");
    return mc_grad(h.heat) == NULL;
}
