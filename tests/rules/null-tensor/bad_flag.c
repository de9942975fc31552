/* No search: whether there is one is a flag, and the run that fails can be named. */

#include <miscast/tensor.h>

static mc_tensor *bias(int wanted)
{
    if (!wanted)
        return NULL;
    return mc_zeros(mc_shape(4));
}

int main(int argc, char **argv)
{
    (void)argv;
    mc_print(mc_add(mc_ones(mc_shape(2, 4)), bias(argc > 1))); /* expect: null-tensor warning */
    return 0;
}
