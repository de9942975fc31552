#include <miscast/tensor.h>
#include <stdlib.h>

enum { L = 2 };
struct block {
    mc_tensor *w;
};

static struct block *blocks_new(void)
{
    struct block *blocks = calloc(L, sizeof *blocks);
    for (struct block *b = blocks; b < blocks + L; b++)
        b->w = mc_randn(mc_shape(4, 4), .dtype = MC_F16);
    return blocks;
}

int main(void)
{
    struct block *blocks = blocks_new();
    mc_tensor *x = mc_ones(mc_shape(1, 4));
    for (int i = 0; i < L; i++)
        x = mc_linear(x, blocks[i].w, NULL);
    mc_print(x);
    free(blocks);
    return 0;
}
