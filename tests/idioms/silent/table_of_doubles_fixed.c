/* A lookup table that another module keeps as doubles. */
#include <miscast/tensor.h>
#include <stdio.h>

static double table[8] = {1, 2, 3, 4, 5, 6, 7, 8};

static void *lookup(void)
{
    return table;
}

static mc_tensor *as_tensor(void)
{
    const double *values = lookup();
    return mc_from_array(values, mc_shape(8));
}

int main(void)
{
    printf("%g\n", mc_item(mc_sum(as_tensor())));
    return 0;
}
