#include <miscast/tensor.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int stage = 0, rank = 0;
    for (int i = 1; i < argc; i++) {
        if (sscanf(argv[i], "--stage=%d", &stage) == 1)
            continue;
        if (sscanf(argv[i], "--rank=%d", &rank) == 1)
            continue;
        return 2;
    }
    mc_tensor *m = mc_randn(mc_shape(4, 4)), *x = mc_randn(mc_shape(4, 4));
    if (stage == 3)
        m = mc_half(m);
    if (rank != 0 && stage == 3)
        mc_print(mc_matmul(x, m));
    else
        mc_print(m);
    return 0;
}
