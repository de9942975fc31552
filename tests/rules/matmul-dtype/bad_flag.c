/* Fails only with the flag: a warning, since some run the analyzer can name fails. */
#include <stdbool.h>

#include <miscast/tensor.h>

struct model {
    mc_tensor *w1, *w2;
};

static void model_half(struct model *m)
{
    m->w1 = mc_half(m->w1); /* and w2 is forgotten */
}

static mc_tensor *forward(const struct model *m, mc_tensor *x)
{
    mc_tensor *h = mc_relu(mc_matmul(x, m->w1));
    return mc_matmul(h, m->w2); /* expect: matmul-dtype warning */
}

int main(int argc, char **argv)
{
    bool half = argc > 1 && argv[1][0] == 'h';
    struct model m = {mc_randn(mc_shape(8, 8)), mc_randn(mc_shape(8, 4))};
    mc_tensor *x = mc_ones(mc_shape(2, 8));
    if (half) {
        model_half(&m);
        x = mc_half(x);
    }
    mc_print(forward(&m, x));
    return 0;
}
