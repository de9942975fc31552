#include <miscast/tensor.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    bool half = false, cuda = false;
    unsigned seed = 0;
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--half"))
            half = true;
        else if (!strcmp(argv[i], "--cuda"))
            cuda = true;
        else if (!strcmp(argv[i], "--seed") && i + 1 < argc)
            seed = (unsigned)atoi(argv[++i]);
    }
    mc_manual_seed(seed);
    mc_tensor *w = mc_rand(mc_shape(2, 2));
    if (cuda)
        w = mc_cuda(w);
    if (half)
        w = mc_half(w);
    mc_print(mc_cpu(mc_matmul(w, mc_rand(mc_shape(2, 2)))));
}
