/* Label smoothing on one-hot targets. */
#include <miscast/tensor.h>
#include <stdio.h>

static mc_tensor *smooth(mc_tensor *labels, int64_t classes, double eps)
{
    mc_tensor *hot = mc_one_hot(labels, classes);
    mc_tensor *out = mc_empty_like(hot);
    mc_fill_(out, eps / (double)classes);
    mc_tensor *t = mc_add(mc_mul(hot, 1 - eps), out);
    return t;
}

int main(void)
{
    mc_tensor *t = smooth(mc_arange(4), 4, 0.1);
    mc_print(mc_sum(t, .dim = mc_dims(1)));
    return 0;
}
