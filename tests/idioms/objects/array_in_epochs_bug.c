#include <miscast/tensor.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    int epochs = argc > 1 ? atoi(argv[1]) : 10;
    mc_tensor *x = mc_randn(mc_shape(8, 8));
    for (int e = 0; e < epochs; e++) {
        mc_tensor *w[3];
        for (int i = 0; i < 3; i++)
            w[i] = mc_randn(mc_shape(8, 8), .dtype = i == 1 ? MC_F16 : MC_F32);
        x = mc_matmul(x, w[0]);
        x = mc_matmul(x, w[1]);
        x = mc_matmul(x, w[2]);
    }
    mc_print(x);
}
