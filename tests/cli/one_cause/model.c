#include <miscast/tensor.h>

#include <string.h>

static mc_tensor *last(mc_tensor *x, mc_tensor *w)
{
    return mc_linear(x, w, NULL);
}

static mc_tensor *second(mc_tensor *x, mc_tensor *w)
{
    mc_tensor *y = mc_linear(x, w, NULL);
    return mc_add(y, last(x, w));
}

static mc_tensor *first(mc_tensor *x, mc_tensor *w)
{
    mc_tensor *y = mc_linear(x, w, NULL);
    return mc_add(y, second(x, w));
}

int main(int argc, char **argv)
{
    mc_tensor *x = mc_ones(mc_shape(2, 2)), *w = mc_ones(mc_shape(2, 2)), *v = mc_double(w);
    if (argc > 1 && !strcmp(argv[1], "half"))
        x = mc_half(x);
    mc_tensor *y = first(x, w);
    return mc_item(mc_sum(mc_add(y, mc_matmul(x, v)))) > 0;
}
