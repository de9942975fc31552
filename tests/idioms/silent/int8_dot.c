/* Similarity of binary codes and small integer features. */
#include <miscast/tensor.h>
#include <stdint.h>
#include <stdio.h>

static mc_tensor *features(int64_t rows, int64_t dims)
{
    return mc_char(mc_randint(0, 10, mc_shape(rows, dims)));
}

static mc_tensor *similar(mc_tensor *a, mc_tensor *b)
{
    return mc_matmul(a, mc_t(b));
}

int main(void)
{
    mc_manual_seed(19);
    mc_tensor *a = features(4, 64), *b = features(6, 64);
    mc_tensor *s = similar(a, b);
    mc_print(s);
    mc_print(mc_argmax(s, .dim = mc_dims(1)));
    return 0;
}
