#include <miscast/tensor.h>
int main(void)
{
    float a[4] = {1, 2, 3, 4};
    for (int i = 0; i < 10; i++) {
        mc_tensor *x = mc_to_device(mc_from_array(a, mc_shape(4)), MC_CUDA);
        mc_print(x);
    }
}
