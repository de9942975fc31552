#include <miscast/tensor.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int budget = argc > 1 ? atoi(argv[1]) : 3;
    bool promoted = false;
    mc_tensor *w = mc_rand(mc_shape(4, 4), .dtype = MC_F16);
    mc_tensor *x = mc_rand(mc_shape(2, 4), .dtype = MC_F16);
    for (int i = 0; i < budget; i++) {
        if (i == 2 && !promoted) {
            w = mc_float(w);
            x = mc_float(x);
            promoted = true;
        }
        x = mc_matmul(x, w);
    }
    mc_print(promoted ? x : mc_float(x));
    return 0;
}
