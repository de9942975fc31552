/* What is tied to the weight is changed, after the weight was replaced. */
#include <miscast/tensor.h>

struct quantiser {
    mc_tensor *scale, *params[1];
};

int main(void)
{
    struct quantiser q = {.scale = mc_ones(mc_shape(1))};
    q.params[0] = q.scale;
    q.scale = mc_cuda(q.scale);
    mc_add_(q.params[0], 3); /* expect: stale-after-move warning */
    mc_print(q.scale);
    return 0;
}
