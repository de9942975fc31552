/* Relative position buckets, as in T5. */
#include <math.h>
#include <miscast/tensor.h>
#include <stdio.h>

static mc_tensor *buckets(mc_tensor *relative, int64_t n, int64_t exact, double far)
{
    mc_tensor *d = mc_bfloat16(mc_abs(relative));
    mc_tensor *large = mc_mul(mc_log(mc_div(mc_clamp(d, 1, NULL), (double)exact)),
                              (double)(n - exact) / log(far / (double)exact));
    mc_tensor *b = mc_add(mc_floor(large), (double)exact);
    return mc_long(mc_where(mc_lt(d, exact), d, mc_clamp(b, NULL, n - 1)));
}

int main(void)
{
    mc_tensor *q = mc_unsqueeze(mc_arange(1024), 1), *k = mc_unsqueeze(mc_arange(1024), 0);
    mc_tensor *b = buckets(mc_sub(k, q), 512, 400, 1024.0);
    printf("%g\n", mc_item(mc_mean(mc_float(b))));
    return 0;
}
