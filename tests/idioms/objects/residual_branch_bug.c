#include <miscast/tensor.h>
#include <stdlib.h>

struct block {
    mc_tensor *w, *down; /* down may be NULL */
};

static mc_tensor *forward(const struct block *b, mc_tensor *x)
{
    mc_tensor *skip = b->down ? mc_matmul(x, b->down) : x;
    mc_tensor *h = mc_matmul(x, b->w);
    return mc_relu(mc_add(h, skip));
}

int main(int argc, char **argv)
{
    bool low = argc > 1 && atoi(argv[1]) == 1, shrink = argc > 2;
    struct block b = {mc_randn(mc_shape(4, 4)), shrink ? mc_randn(mc_shape(4, 4)) : NULL};
    mc_tensor *x = mc_randn(mc_shape(2, 4));
    if (low) {
        b.w = mc_bfloat16(b.w);
        x = mc_bfloat16(x);
    }
    mc_print(forward(&b, x));
    return 0;
}
