#include <miscast/tensor.h>

static const bool t[] = {false, true, false};

int main(int argc, char **argv)
{
    int d = argv[1][0] - '0';
    if (d < 0 || d > 2)
        return 1;
    mc_tensor *w = mc_rand(mc_shape(2, 2)), *x = mc_rand(mc_shape(2, 2));
    if (t[d])
        w = mc_half(w);
    if (d == 1)
        x = mc_half(x);
    mc_print(mc_matmul(x, w));
    (void)argc;
    (void)argv;
}
