#include <miscast/tensor.h>
#include <stdlib.h>
#include <string.h>

struct block {
    struct {
        mc_tensor *w, *b;
    } up, down;
};

static void block_init(struct block *b, mc_dtype d)
{
    memset(b, 0, sizeof *b);
    b->up.w = mc_randn(mc_shape(8, 4), .dtype = d);
    b->down.w = mc_randn(mc_shape(4, 8), .dtype = d);
    b->up.b = mc_zeros(mc_shape(8), .dtype = d);
    b->down.b = mc_zeros(mc_shape(4), .dtype = d);
}

static mc_tensor *block_run(const struct block *b, mc_tensor *x)
{
    mc_tensor *h = mc_gelu(mc_linear(x, b->up.w, b->up.b));
    return mc_add(x, mc_linear(h, b->down.w, b->down.b));
}

int main(int argc, char **argv)
{
    struct block net[3];
    mc_dtype d = getenv("LOW") ? MC_BF16 : MC_F32;
    for (struct block *b = net; b < net + 3; b++)
        block_init(b, d);
    mc_tensor *x = mc_rand(mc_shape(2, 4), .dtype = d);
    for (size_t i = 0; i < sizeof net / sizeof *net; i++)
        x = block_run(&net[i], x);
    mc_print(x);
    (void)argc;
    (void)argv;
    return 0;
}
