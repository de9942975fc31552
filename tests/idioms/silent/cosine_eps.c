/* Cosine similarity of rows; a row of zeros is similar to nothing. */
#include <miscast/tensor.h>
#include <stdio.h>
#include <string.h>

#define TINY 1e-9

static mc_tensor *normalized(mc_tensor *x)
{
    mc_tensor *n = mc_sqrt(mc_sum(mc_square(x), .dim = mc_dims(1), .keepdim = true));
    return mc_div(x, mc_maximum(n, mc_full_like(n, TINY)));
}

int main(int argc, char **argv)
{
    mc_dtype d = MC_F32;
    for (char **a = argv + 1; a < argv + argc; a++)
        if (!strcmp(*a, "--fp16"))
            d = MC_F16;
    mc_tensor *x =
        mc_cat(0, mc_ones(mc_shape(1, 8), .dtype = d), mc_zeros(mc_shape(1, 8), .dtype = d));
    mc_print(mc_matmul(normalized(x), mc_t(normalized(x))));
    return 0;
}
