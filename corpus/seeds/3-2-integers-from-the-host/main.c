/* An array of C ints becomes a tensor of i32; with a cast, one of f32. */
#include <stdio.h>

#include <miscast/tensor.h>

enum { COUNT = 4 };

static void read_counts(int *counts)
{
    for (int i = 0; i < COUNT; i++)
        counts[i] = i * i;
}

int main(void)
{
    int counts[COUNT];
    read_counts(counts);

    mc_tensor *as_is = mc_from_array(counts, mc_shape(COUNT));
    mc_tensor *cast = mc_float(mc_from_array(counts, mc_shape(COUNT)));
    printf("without float(): %s\n", mc_dtype_name(mc_dtype_of(as_is)));
    mc_print(as_is);
    printf("with float(): %s\n", mc_dtype_name(mc_dtype_of(cast)));
    mc_print(cast);
    return 0;
}
