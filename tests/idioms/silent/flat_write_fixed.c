/* Loads a flat array into a weight that is stored transposed. */
#include <miscast/tensor.h>
#include <stdio.h>

static void load(mc_tensor *w, const float *from)
{
    mc_copy_(w, mc_from_array(from, mc_shape(3, 2)));
}

int main(void)
{
    const float from[] = {1, 2, 3, 4, 5, 6};
    mc_tensor *w = mc_t(mc_zeros(mc_shape(2, 3)));
    load(w, from);
    printf("%g\n", mc_item(mc_sum(w)));
    return 0;
}
