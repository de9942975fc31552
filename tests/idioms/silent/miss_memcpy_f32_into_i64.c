#include <string.h>
#include <miscast/tensor.h>
int main(void)
{
    mc_tensor *a = mc_full(mc_shape(4), 0.125), *b = mc_zeros(mc_shape(4), .dtype = MC_I64);
    memcpy(mc_data_i64(b), mc_data_f32(a), 16);
    mc_print(b);
}
