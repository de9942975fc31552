/* Directions of vectors; the smallest length is kept as a tensor with the model. */
#include <miscast/tensor.h>
#include <stdio.h>

struct unit {
    mc_tensor *smallest;
};

static mc_tensor *direction(const struct unit *u, mc_tensor *v)
{
    mc_tensor *n = mc_norm(v, .dim = mc_dims(1), .keepdim = true);
    return mc_div(v, mc_maximum(n, u->smallest));
}

int main(void)
{
    struct unit u = {mc_full(mc_shape(1), 1e-4, .dtype = MC_F16)};
    mc_tensor *v = mc_zeros(mc_shape(3, 4), .dtype = MC_F16);
    printf("%g\n", mc_item(mc_sum(mc_float(direction(&u, v)))));
    return 0;
}
