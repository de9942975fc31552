#include <string.h>
#include <miscast/tensor.h>
int main(void)
{
    mc_tensor *a = mc_full(mc_shape(8), 0.125);
    float d[8] = {0};
    memcpy(d, mc_data(a), 8);
    return d[7] == 0.125f;
}
