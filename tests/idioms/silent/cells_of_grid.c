#include <miscast/tensor.h>

struct grid {
    double cell;
    double origin[3];
};

static mc_tensor *grid_index(const struct grid *g, mc_tensor *points)
{
    mc_tensor *origin = mc_float(mc_from_array(g->origin, mc_shape(3)));
    mc_tensor *at = mc_div(mc_sub(points, origin), g->cell);
    return mc_int(mc_floor(at));
}

int main(void)
{
    struct grid g = {0.25, {0, 0, 0}};
    mc_tensor *points = mc_sub(mc_rand(mc_shape(5, 3)), 0.5);
    mc_print(grid_index(&g, points));
    return 0;
}
