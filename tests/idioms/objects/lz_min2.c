#include <miscast/tensor.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    mc_dtype d = argc > 2 ? MC_F16 : MC_F32;
    mc_tensor *w = NULL;
    for (int i = 0, n = atoi(argv[1]); i < n; i++) {
        if (!w)
            w = mc_rand(mc_shape(2, 2), .dtype = d);
        mc_print(mc_matmul(mc_rand(mc_shape(2, 2), .dtype = d), w));
    }
}
