#include <miscast/tensor.h>
#include <stdlib.h>

enum { STAGES = 3 };

int main(int argc, char **argv)
{
    mc_device at[STAGES] = {MC_CPU, MC_CPU, MC_CPU};
    mc_tensor *w[STAGES];
    if (argc > 1 && atoi(argv[1]) > 0)
        at[1] = at[2] = MC_CUDA;
    for (int i = 0; i < STAGES; i++)
        w[i] = mc_rand(mc_shape(4, 4), .device = at[i]);
    mc_tensor *x = mc_rand(mc_shape(2, 4));
    for (int i = 0; i < STAGES; i++) {
        if (i == 2)
            x = mc_to(x, .device = at[i]);
        x = mc_matmul(x, w[i]);
    }
    mc_print(x);
    return 0;
}
