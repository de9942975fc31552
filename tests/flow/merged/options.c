/* What fails under an option says so: under the one that a loop sets, and under the one that a
 * branch before stands for. */
#include <miscast/tensor.h>

#include <stdbool.h>
#include <string.h>

static mc_tensor *cached;

static mc_tensor *cache(void)
{
    static int calls;
    if (!calls++)
        cached = mc_ones(mc_shape(2, 2), .dtype = MC_BF16);
    return cached;
}

/* Who set it before may have put anything there. */
mc_tensor *cached_before(void)
{
    return mc_neg(cache());
}

int main(int argc, char **argv)
{
    bool half = false, seen = false;
    for (int i = 1; i < argc; i++)
        if (!strcmp(argv[i], "--half"))
            half = true;
    if (argc > 5)
        seen = true;
    mc_tensor *x = mc_ones(mc_shape(2, 2)), *w = mc_ones(mc_shape(2, 2));
    mc_tensor *y = x;
    if (half)
        x = mc_half(x);
    if (seen)
        y = mc_half(y);
    mc_matmul(x, w);
    mc_matmul(y, w);
    return 0;
}
