#include <miscast/tensor.h>

static int opt(const char *s)
{
    switch (*s) {
    case 'h':
        return 1;
    case 'b':
        return 2;
    default:
        return 0;
    }
}

int main(int argc, char **argv)
{

    mc_tensor *w = mc_rand(mc_shape(2, 2)), *x = mc_rand(mc_shape(2, 2));
    if (opt(argv[1]) == 1)
        w = mc_half(w);
    if (argv[1][0] == 'h')
        x = mc_half(x);
    mc_print(mc_matmul(x, w));
    (void)argc;
    (void)argv;
}
