#include <miscast/tensor.h>
int main(void)
{
    static uint8_t b[64];
    mc_print(mc_from_blob(b, mc_shape(16), .dtype = MC_F32));
    return 0;
}
