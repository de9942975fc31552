/* Words: 1 2 3 5 */
#include <miscast/tensor.h>
#include <stdlib.h>

#define FLAG_HALF   (1u << 0)
#define FLAG_CUDA   (1u << 1)
#define HAS(f, bit) (((f) & (bit)) != 0)

struct ctx {
    unsigned flags;
};

static mc_tensor *prepare(const struct ctx *c, mc_tensor *t)
{
    if (HAS(c->flags, FLAG_HALF))
        t = mc_half(t);
    return HAS(c->flags, FLAG_CUDA) ? mc_cuda(t) : t;
}

int main(int argc, char **argv)
{
    struct ctx c = {.flags = argc > 1 ? (unsigned)atoi(argv[1]) : 0};
    mc_tensor *w = prepare(&c, mc_rand(mc_shape(4, 4)));
    mc_tensor *x = prepare(&c, mc_rand(mc_shape(4, 4)));
    mc_print(mc_matmul(x, w));
    return 0;
}
