#include <miscast/tensor.h>

/* A table of many functions, one of which is chosen by a number. */
typedef mc_tensor *(*function)(mc_tensor *);

static mc_tensor *square(mc_tensor *x)
{
    return mc_mul(x, x);
}

static mc_tensor *halved(mc_tensor *x)
{
    return mc_half(x);
}

static const function table[] = {mc_relu,    mc_gelu, mc_silu, mc_tanh,
                                 mc_sigmoid, square,  mc_exp,  halved};

mc_tensor *apply(unsigned which)
{
    mc_tensor *x = table[which % 8](mc_ones(mc_shape(2, 4)));
    return mc_matmul(x, mc_randn(mc_shape(4, 4))); /* expect: matmul-dtype warning */
}
