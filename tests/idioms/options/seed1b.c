#include <miscast/tensor.h>
#include <stdlib.h>
#include <string.h>

struct o {
    bool half, cuda;
    unsigned seed;
    int n, k;
    const char *path;
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
        else if (!strcmp(argv[i], "--seed"))
            o.seed = (unsigned)atoi(argv[++i]);
        else
            return 2;
    }
    mc_tensor *w = place(&o, mc_rand(mc_shape(2, 2)));
    mc_print(mc_cpu(mc_matmul(w, mc_rand(mc_shape(2, 2)))));
}
