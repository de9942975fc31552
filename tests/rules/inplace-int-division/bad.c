#include <miscast/tensor.h>

int main(void)
{
    mc_tensor *count = mc_arange(10);
    mc_div_(count, 2); /* expect: inplace-int-division error */
    mc_print(count);
    return 0;
}
