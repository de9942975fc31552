#include <miscast/tensor.h>

int main(void)
{
    mc_tensor *count = mc_arange(10);
    mc_floor_divide_(count, 2);
    mc_tensor *f = mc_float(count);
    mc_div_(f, 2);
    mc_print(mc_div(f, count));
    return 0;
}
