#include <miscast/tensor.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    mc_device device = argc > 1 && atoi(argv[1]) ? MC_CUDA : MC_CPU;
    mc_tensor *w = mc_rand(mc_shape(4, 4));
    if (getenv("HALF"))
        w = mc_bfloat16(w);
    w = mc_to_device(w, device);
    mc_mul_(w, 0.5);
    mc_print(w);
}
