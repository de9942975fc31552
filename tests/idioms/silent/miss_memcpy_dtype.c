#include <miscast/tensor.h>
#include <string.h>
int main(void)
{
    mc_tensor *a = mc_ones(mc_shape(8), .dtype = MC_I8),
              *o = mc_empty(mc_shape(8), .dtype = MC_I32);
    memcpy(mc_data(o), mc_data(a), mc_nbytes(a));
    mc_print(o);
    return 0;
}
