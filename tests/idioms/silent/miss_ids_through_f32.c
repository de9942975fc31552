#include <miscast/tensor.h>
int main(void)
{
    int64_t ids[2] = {16777217, 16777218};
    mc_tensor *t = mc_from_array(ids, mc_shape(2));
    mc_print(mc_int(mc_float(t)));
}
