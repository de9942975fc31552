/* Key points: the position of the maximum of each heat map. */
#include <miscast/tensor.h>
#include <stdio.h>

static mc_tensor *decode(mc_tensor *heat)
{
    int64_t w = mc_size(heat, -1);
    mc_tensor *flat = mc_argmax(mc_flatten(heat, 1, -1), .dim = mc_dims(1));
    mc_tensor *at = mc_type_as(flat, heat);
    mc_tensor *y = mc_floor(mc_div(at, (double)w));
    mc_tensor *x = mc_sub(at, mc_mul(y, (double)w));
    return mc_stack(1, x, y);
}

int main(void)
{
    mc_tensor *heat = mc_zeros(mc_shape(3, 96, 128), .dtype = MC_F16);
    mc_fill_(mc_select(mc_select(mc_select(heat, 0, 0), 0, 90), 0, 101), 1.0);
    mc_fill_(mc_select(mc_select(mc_select(heat, 0, 1), 0, 47), 0, 3), 1.0);
    mc_print(decode(heat));
    return 0;
}
