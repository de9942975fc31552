#include <miscast/tensor.h>
int main(void)
{
    mc_tensor *a = mc_full(mc_shape(8), 0.125);
    float d[8];
    mc_copy_out(a, d, mc_numel(a));
    return d[7] == 0.125f;
}
