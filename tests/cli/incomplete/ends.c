/* A missing function may end the runs of one side of a branch before it. */
#include <miscast/tensor.h>

void validate(int argc);

int main(int argc, char **argv)
{
    (void)argv;
    mc_tensor *x = mc_ones(mc_shape(2, 2)), *w = mc_ones(mc_shape(2, 2));
    if (argc > 1)
        x = mc_half(x);
    validate(argc);
    mc_matmul(x, w);
    return 0;
}
