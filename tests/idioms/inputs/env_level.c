#include <miscast/tensor.h>
#include <stdlib.h>

static int level(void)
{
    const char *text = getenv("OPT_LEVEL");
    return text ? atoi(text) : 0;
}

int main(void)
{
    int o = level();
    mc_dtype weights = o >= 2 ? MC_F16 : MC_F32;
    mc_tensor *w = mc_randn(mc_shape(4, 4), .dtype = weights);
    mc_tensor *x = mc_randn(mc_shape(2, 4));
    if (o == 3)
        x = mc_to_dtype(x, MC_F16);
    mc_print(mc_matmul(x, w)); /* level 2 */
    return 0;
}
