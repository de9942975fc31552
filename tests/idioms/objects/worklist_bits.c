#include <miscast/tensor.h>
#include <stdint.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    mc_tensor *w[8];
    uint8_t pending = 0;
    mc_dtype d = argc > 1 && atoi(argv[1]) == 1 ? MC_F16 : MC_F32;
    for (int i = 0; i < 8; i++) {
        w[i] = mc_rand(mc_shape(2, 2), .dtype = d);
        if (i % 3 == 0)
            pending |= (uint8_t)(1u << i);
    }
    mc_tensor *x = mc_rand(mc_shape(2, 2), .dtype = d);
    while (pending) {
        int at = __builtin_ctz(pending);
        pending &= (uint8_t)(pending - 1);
        x = mc_matmul(x, w[at]);
    }
    mc_print(x);
    return 0;
}
