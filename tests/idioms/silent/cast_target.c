/* The first rows of an embedding are replaced by better ones. */
#include <miscast/tensor.h>
#include <stdio.h>

static void replace(mc_tensor *table, mc_tensor *rows)
{
    mc_tensor *wide = mc_float(table);
    mc_copy_(mc_narrow(wide, 0, 0, mc_size(rows, 0)), rows);
}

int main(void)
{
    mc_tensor *table = mc_zeros(mc_shape(10, 4), .dtype = MC_F16);
    replace(table, mc_ones(mc_shape(3, 4)));
    printf("%g\n", mc_item(mc_sum(mc_float(table))));
    return 0;
}
