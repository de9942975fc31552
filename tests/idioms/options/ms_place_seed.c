#include <miscast/tensor.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct o {
    bool half, cuda;
    unsigned seed;
};
static mc_tensor *place(const struct o *o, mc_tensor *t)
{
    if (o->cuda)
        t = mc_cuda(t);
    if (o->half && mc_is_floating_point(t))
        t = mc_half(t);
    return t;
}
int main(int argc, char **argv)
{
    struct o o = {0};
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--half"))
            o.half = true;
        else if (!strcmp(argv[i], "--cuda"))
            o.cuda = true;
        else if (!strcmp(argv[i], "--seed") && i + 1 < argc)
            o.seed = (unsigned)atoi(argv[++i]);
        else
            return 2;
    }
    mc_tensor *w = place(&o, mc_rand(mc_shape(4, 4))), *t = mc_randint(0, 4, mc_shape(4));
    printf("%f", mc_item(mc_cross_entropy(w, t)));
}
