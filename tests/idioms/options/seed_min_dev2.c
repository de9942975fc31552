#include <miscast/tensor.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    bool cuda = false;
    unsigned seed = 0;
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--cuda"))
            cuda = true;
        else if (!strcmp(argv[i], "--seed") && i + 1 < argc)
            seed = (unsigned)atoi(argv[++i]);
    }
    mc_manual_seed(seed);
    mc_tensor *w = mc_rand(mc_shape(4, 4)), *t = mc_randint(0, 4, mc_shape(4));
    if (cuda)
        w = mc_cuda(w);
    printf("%f", mc_item(mc_cross_entropy(w, t)));
}
