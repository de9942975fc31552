#include <miscast/tensor.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int steps = argc > 1 ? atoi(argv[1]) : 3, warm = argc > 2 ? atoi(argv[2]) : 2;
    mc_tensor *w = mc_rand(mc_shape(4, 4), .dtype = MC_F16);
    mc_tensor *h = mc_rand(mc_shape(2, 4), .dtype = MC_F16);
    for (int i = 0; i < steps; i++) {
        if (i == warm) {
            w = mc_float(w);
            h = mc_float(h);
        }
        h = mc_tanh(mc_matmul(h, w));
    }
    mc_print(h);
    return 0;
}
