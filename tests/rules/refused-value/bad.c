#include <miscast/tensor.h>

int main(void)
{
    mc_tensor *n = mc_arange(4);
    mc_print(mc_pow(n, -1)); /* expect: refused-value error */
    return 0;
}
