#include <miscast/tensor.h>

int main(void)
{
    mc_tensor *n = mc_arange(4);
    mc_print(mc_pow(n, 2));
    mc_print(mc_pow(mc_float(n), -1));
    mc_print(mc_reciprocal(n));
    return 0;
}
