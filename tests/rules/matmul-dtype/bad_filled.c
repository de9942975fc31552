/* An array that a loop fills: of a run in which it fills nothing, nobody knows what is stacked. What
 * is told is what happens where it is known. */
#include <miscast/tensor.h>

#include <stdlib.h>

enum { MAX_TIME = 16 };

static mc_tensor *head(mc_tensor *x, mc_tensor *w, mc_tensor *b)
{
    mc_tensor *seen[MAX_TIME];
    int64_t time = mc_size(x, 0);
    if (time > MAX_TIME)
        abort();
    for (int64_t t = 0; t < time; t++)
        seen[t] = mc_select(x, 0, t);
    return mc_linear(mc_stackn(0, seen, (size_t)time), w, b); /* expect: matmul-dtype error */
}

int main(int argc, char **argv)
{
    mc_tensor *w = mc_randn(mc_shape(4, 4), .dtype = MC_F64), *b = mc_zeros(mc_shape(4));
    mc_print(head(mc_randn(mc_shape(argc, 4)), w, b));
    return argv[0] == NULL;
}
