#include <miscast/tensor.h>
#include <stdlib.h>
struct block {
    mc_tensor *w;
};
int main(void)
{
    struct block *blocks = calloc(2, sizeof *blocks);
    struct block *b = blocks;
    b->w = mc_randn(mc_shape(4, 4));
    mc_tensor *x = mc_ones(mc_shape(1, 4));
    x = mc_linear(x, blocks[0].w, NULL);
    mc_print(x);
    return 0;
}
