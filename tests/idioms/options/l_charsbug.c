#include <miscast/tensor.h>

int main(int argc, char **argv)
{
    bool half = false, cuda = false;
    for (const char *p = argc > 1 ? argv[1] : ""; *p; p++)
        switch (*p) {
        case 'h':
            half = true;
            break;
        case 'c':
            cuda = true;
            break;
        default:
            return 2;
        }

    mc_tensor *w = mc_rand(mc_shape(2, 2)), *x = mc_rand(mc_shape(2, 2));
    if (half)
        w = mc_half(w);
    if (cuda)
        x = mc_half(x);
    mc_print(mc_matmul(x, w));
    (void)argc;
    (void)argv;
}
