/* Survey points in UTM metres; distances of centimetres matter. */
#include <miscast/tensor.h>
#include <stdio.h>

static mc_tensor *load_points(int64_t n)
{
    mc_tensor *offset = mc_mul(mc_arange(n, .dtype = MC_F64), 0.01);
    return mc_add(offset, 5412345.678);
}

int main(void)
{
    mc_tensor *north = load_points(100);
    mc_tensor *local = mc_float(mc_sub(north, 5412345.0));
    mc_tensor *step = mc_sub(mc_slice(local, 0, 1, 100), mc_slice(local, 0, 0, 99));
    printf("%g %g\n", mc_item(mc_amin(step)), mc_item(mc_amax(step)));
    return 0;
}
