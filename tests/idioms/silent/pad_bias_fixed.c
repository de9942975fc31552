/* Padding mask for attention: masked positions get a very negative score. */
#include <miscast/tensor.h>
#include <stdio.h>
#include <string.h>

struct encoder {
    mc_dtype dtype;
    mc_tensor *q, *k;
};

static mc_tensor *extended_mask(const struct encoder *e, mc_tensor *mask)
{
    mc_tensor *m = mc_to_dtype(mc_unsqueeze(mask, 1), e->dtype);
    return mc_mul(mc_rsub(m, 1.0), -1e4);
}

static mc_tensor *attend(const struct encoder *e, mc_tensor *mask)
{
    mc_tensor *scores = mc_matmul(e->q, mc_transpose(e->k, 1, 2));
    return mc_softmax(mc_add(scores, extended_mask(e, mask)), -1);
}

int main(int argc, char **argv)
{
    struct encoder e = {argc > 1 && strcmp(argv[1], "fp16") == 0 ? MC_F16 : MC_F32, NULL, NULL};
    mc_manual_seed(5);
    e.q = mc_randn(mc_shape(2, 4, 8), .dtype = e.dtype);
    e.k = mc_randn(mc_shape(2, 4, 8), .dtype = e.dtype);
    mc_tensor *mask = mc_from_array(((int64_t[]){1, 1, 1, 0, 0, 0, 0, 0}), mc_shape(2, 4));
    mc_print(attend(&e, mask));
    return 0;
}
