#include <miscast/tensor.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    mc_tensor *bufs[2];
    mc_dtype d = argc > 1 && atoi(argv[1]) ? MC_F16 : MC_F32;
    bufs[0] = mc_rand(mc_shape(4, 4), .dtype = d);
    bufs[1] = mc_zeros(mc_shape(4, 4));
    mc_tensor *k = mc_eye(4, .dtype = d);
    int cur = 0;
    for (int step = 0; step < 6; step++) {
        mc_matmul(bufs[cur], k, .out = bufs[1 - cur]);
        cur = 1 - cur;
    }
    mc_print(bufs[cur]);
    return 0;
}
