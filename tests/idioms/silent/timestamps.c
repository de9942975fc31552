/* Time between events, from Unix timestamps. */
#include <miscast/tensor.h>
#include <stdio.h>

static mc_tensor *gaps(mc_tensor *stamps)
{
    mc_tensor *t = mc_float(stamps);
    int64_t n = mc_size(t, 0);
    return mc_sub(mc_slice(t, 0, 1, n), mc_slice(t, 0, 0, n - 1));
}

int main(void)
{
    enum { N = 64 };
    int64_t seconds[N];
    for (int i = 0; i < N; i++)
        seconds[i] = 1700000000 + 7 * i;
    mc_tensor *stamps = mc_from_array(seconds, mc_shape(N));
    mc_tensor *g = gaps(stamps);
    printf("mean gap %g, largest %g\n", mc_item(mc_mean(g)), mc_item(mc_amax(g)));
    return 0;
}
