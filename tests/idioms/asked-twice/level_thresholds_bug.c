#include <miscast/tensor.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int level = argc > 1 ? atoi(argv[1]) : 0;
    if (level < 0)
        level = 0;
    if (level > 3)
        level = 3;
    mc_tensor *w = mc_rand(mc_shape(4, 4)), *x = mc_rand(mc_shape(4, 4));
    if (level >= 1)
        w = mc_bfloat16(w);
    if (level >= 2)
        w = mc_cuda(w);
    switch (level) {
    case 0:
        break;
    case 1:
        x = mc_bfloat16(x);
        break;
    case 2:
        x = mc_to(x, .dtype = MC_BF16, .device = MC_CUDA);
        break;
    }
    mc_print(mc_matmul(x, w));
    return 0;
}
