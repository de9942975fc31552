#include <miscast/tensor.h>
int main(void)
{
    float a[4] = {1, 2, 3, 4};
    mc_print(mc_from_array((const void *)a, mc_shape(4), .dtype = MC_F64));
}
