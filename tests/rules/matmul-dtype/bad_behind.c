/* Where a call fails, the run ends. What would fail behind it, though other runs get there and it
 * works, is worth a note, unless it is for the same reason; what only such runs would get to is told
 * as ever. */
#include <miscast/tensor.h>

static mc_tensor *two(mc_tensor *x, mc_tensor *w, mc_tensor *v)
{
    mc_tensor *y = mc_matmul(x, w); /* expect: matmul-dtype warning */
    y = mc_add(y, mc_matmul(x, w));
    return mc_add(y, mc_linear(x, v, NULL)); /* expect: matmul-dtype note */
}

static mc_tensor *never(mc_tensor *x, mc_tensor *w)
{
    mc_tensor *y = mc_matmul(mc_half(x), w); /* expect: matmul-dtype error */
    mc_print(mc_linear(mc_double(x), w, NULL)); /* expect: matmul-dtype error */
    return y;
}

int main(int argc, char **argv)
{
    (void)argv;
    mc_tensor *x = mc_ones(mc_shape(2, 4)), *w = mc_ones(mc_shape(4, 4));
    if (argc > 2)
        mc_print(never(x, w));
    if (argc > 1)
        x = mc_half(x);
    mc_print(two(x, w, mc_ones(mc_shape(4, 4))));
    return 0;
}
