#include <miscast/tensor.h>

static int eq(const char *a, const char *b)
{
    while (*a && *a == *b)
        a++, b++;
    return *a == *b;
}

int main(int argc, char **argv)
{

    mc_tensor *w = mc_rand(mc_shape(2, 2)), *x = mc_rand(mc_shape(2, 2));
    if (eq(argv[1], "half"))
        w = mc_half(w);
    if (eq(argv[1], "half"))
        x = mc_half(x);
    mc_print(mc_matmul(x, w));
    (void)argc;
    (void)argv;
}
