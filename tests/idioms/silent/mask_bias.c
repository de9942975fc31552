/* Attention with an additive mask, made from 0/1 of the tokenizer. */
#include <math.h>
#include <miscast/tensor.h>
#include <stdio.h>
#include <string.h>

static mc_tensor *extended_mask(mc_tensor *mask, mc_dtype dtype)
{
    mc_tensor *m = mc_unsqueeze(mc_to_dtype(mask, dtype), 1);
    return mc_mul(mc_rsub(m, 1.0), -1e9);
}

static mc_tensor *attend(mc_tensor *q, mc_tensor *k, mc_tensor *v, mc_tensor *bias)
{
    double scale = 1.0 / sqrt((double)mc_size(q, -1));
    mc_tensor *s = mc_mul(mc_bmm(q, mc_transpose(k, 1, 2)), scale);
    return mc_bmm(mc_softmax(mc_add(s, bias), -1), v);
}

int main(int argc, char **argv)
{
    mc_dtype d = argc > 1 && strcmp(argv[1], "half") == 0 ? MC_F16 : MC_F32;
    mc_manual_seed(1);
    mc_tensor *q = mc_randn(mc_shape(2, 4, 8), .dtype = d);
    mc_tensor *mask = mc_from_array(((int64_t[]){1, 1, 1, 0, 0, 0, 0, 0}), mc_shape(2, 4));
    mc_tensor *o = attend(q, q, q, extended_mask(mask, d));
    printf("%g %g\n", mc_item(mc_mean(mc_float(mc_select(o, 0, 0)))),
           mc_item(mc_mean(mc_float(mc_select(o, 0, 1)))));
    return 0;
}
