/* ALiBi: a bias that grows with the distance between query and key. */
#include <math.h>
#include <miscast/tensor.h>
#include <stdio.h>

struct config {
    int64_t heads;
    int64_t length;
    mc_dtype dtype;
};

static mc_tensor *alibi(const struct config *c)
{
    mc_tensor *pos = mc_arange(c->length, .dtype = c->dtype);
    mc_tensor *distance = mc_sub(mc_unsqueeze(pos, 0), mc_unsqueeze(pos, 1));
    mc_tensor *slopes = mc_empty(mc_shape(c->heads, 1, 1), .dtype = MC_F32);
    float *s = mc_data_f32(slopes);
    for (int64_t h = 0; h < c->heads; h++)
        s[h] = (float)pow(2.0, -8.0 * (double)(h + 1) / (double)c->heads);
    return mc_mul(mc_to_dtype(slopes, c->dtype), distance);
}

int main(void)
{
    struct config c = {.heads = 4, .length = 1024, .dtype = MC_BF16};
    mc_tensor *bias = alibi(&c);
    mc_tensor *last = mc_select(mc_select(bias, 0, 0), 0, 0);
    mc_print(mc_slice(last, 0, 512, 520));
    return 0;
}
