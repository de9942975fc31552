/* Normalize for display and for the model, from one batch. */
#include <miscast/tensor.h>
#include <stdio.h>

static mc_tensor *to_float(mc_tensor *x)
{
    return mc_to_dtype(x, MC_F32);
}

static mc_tensor *normalize(mc_tensor *image, double mean, double std)
{
    mc_tensor *x = to_float(image);
    mc_sub_(x, mean);
    mc_div_(x, std);
    return x;
}

int main(void)
{
    mc_manual_seed(1);
    mc_tensor *batch = mc_rand(mc_shape(4, 8));
    for (int epoch = 0; epoch < 3; epoch++)
        printf("%g\n", mc_item(mc_mean(normalize(batch, 0.5, 0.25))));
    return 0;
}
