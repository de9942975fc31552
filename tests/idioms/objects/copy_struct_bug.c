#include <miscast/tensor.h>
#include <stdlib.h>

struct model {
    mc_tensor *w, *b;
    mc_dtype dtype;
};

static struct model as_dtype(struct model m, mc_dtype d)
{
    m.w = mc_to(m.w, .dtype = d);
    m.dtype = d;
    return m;
}

int main(int argc, char **argv)
{
    struct model full = {mc_rand(mc_shape(4, 4)), mc_rand(mc_shape(4)), MC_F32}, low;
    low = as_dtype(full, MC_F16);
    struct model *use = argc > 1 && atoi(argv[1]) ? &low : &full;
    mc_tensor *x = mc_rand(mc_shape(2, 4), .dtype = use->dtype);
    mc_print(mc_linear(x, use->w, use->b));
    return 0;
}
