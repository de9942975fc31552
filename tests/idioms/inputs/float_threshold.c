#include <miscast/tensor.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    float lr = argc > 1 ? strtof(argv[1], NULL) : 0.1f;
    float wd = argc > 2 ? strtof(argv[2], NULL) : 0.f;
    mc_tensor *w = mc_randn(mc_shape(3, 3)), *g = mc_randn(mc_shape(3, 3));
    if (lr < 1e-3f)
        w = mc_half(w);
    if (wd > 0.5f)
        g = mc_matmul(w, g);
    mc_print(mc_add(w, g));
    return 0;
}
