/* Point clouds: the voxel of each point. */
#include <miscast/tensor.h>
#include <stdio.h>

static mc_tensor *voxels(mc_tensor *points, double size)
{
    return mc_long(mc_div(points, size));
}

int main(void)
{
    mc_manual_seed(1);
    mc_tensor *points = mc_mul(mc_sub(mc_rand(mc_shape(1000, 3)), 0.5), 8.0);
    mc_tensor *v = voxels(points, 0.5);
    mc_tensor *origin = mc_all(mc_eq(v, 0), .dim = mc_dims(1));
    printf("%lld points in the voxel at 0\n", (long long)mc_item_int(mc_sum(origin)));
    return 0;
}
