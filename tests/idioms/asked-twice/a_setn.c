#include <miscast/tensor.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    mc_dtype d[4] = {MC_F32, MC_F32, MC_F32, MC_F32};
    unsigned k = (unsigned)atoi(argv[1]) % 4;
    d[k] = MC_F16;
    mc_tensor *w = mc_rand(mc_shape(2, 2), .dtype = d[k]);
    mc_print(mc_matmul(w, mc_rand(mc_shape(2, 2), .dtype = MC_F16)));
    (void)argc;
}
