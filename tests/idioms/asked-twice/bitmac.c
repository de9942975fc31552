#include <miscast/tensor.h>
#include <stdlib.h>

typedef struct {
    unsigned f;
    mc_tensor *w;
} head;
static void build(head *h, unsigned f)
{
    h->f = f;
    h->w = mc_rand(mc_shape(2, 2));
    if (f & 1)
        h->w = mc_half(h->w);
}
static mc_tensor *run(const head *h, mc_tensor *x)
{
    if (h->f & 1)
        x = mc_half(x);
    return mc_matmul(x, h->w);
}
int main(int argc, char **argv)
{
    head h;
    build(&h, argc > 1 ? (unsigned)atoi(argv[1]) : 0);
    mc_print(run(&h, mc_rand(mc_shape(2, 2))));
}
