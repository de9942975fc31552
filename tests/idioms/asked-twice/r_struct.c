#include <miscast/tensor.h>
#include <stdlib.h>
#include <string.h>

struct o {
    double lr;
};
static bool big(struct o o)
{
    return o.lr > 1;
}

int main(int argc, char **argv)
{
    struct o o = {.lr = 0.1};
    for (int i = 1; i < argc; i++)
        if (!strcmp(argv[i], "--lr"))
            o.lr = atof(argv[++i]);
    mc_tensor *w = mc_rand(mc_shape(2, 2)), *x = mc_rand(mc_shape(2, 2));
    if (big(o))
        w = mc_half(w);
    if (big(o))
        x = mc_half(x);
    mc_print(mc_matmul(x, w));
    (void)argc;
    (void)argv;
}
