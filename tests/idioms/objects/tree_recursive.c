/* Words: d */
#include <miscast/tensor.h>
#include <stdlib.h>

struct tree {
    struct tree *left, *right;
    mc_tensor *w;
};

static struct tree *grow(int depth, mc_dtype d)
{
    struct tree *t = calloc(1, sizeof *t);
    if (!t)
        exit(1);
    t->w = mc_rand(mc_shape(2, 2), .dtype = d);
    if (depth > 0) {
        t->left = grow(depth - 1, d);
        t->right = grow(depth - 1, d);
    }
    return t;
}

static mc_tensor *walk(const struct tree *t, mc_tensor *x)
{
    x = mc_matmul(x, t->w);
    if (t->left)
        x = walk(t->left, x);
    if (t->right)
        x = walk(t->right, x);
    return x;
}

int main(int argc, char **argv)
{
    mc_dtype d = argc > 1 && argv[1][0] == 'd' ? MC_F64 : MC_F32;
    struct tree *t = grow(2, d);
    mc_print(walk(t, mc_ones(mc_shape(1, 2), .dtype = d)));
    return 0;
}
