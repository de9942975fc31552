#include <miscast/tensor.h>

int main(void)
{
    mc_tensor *count = mc_arange(10);
    mc_floor_divide_(count, 2);
    mc_print(mc_div(count, 2));
    mc_div_(mc_float(count), 2);
    return 0;
}
