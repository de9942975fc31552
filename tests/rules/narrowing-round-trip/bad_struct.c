/* Narrowed in one function, replaced by what is wide again in another. */
#include <miscast/tensor.h>

struct optimizer {
    mc_tensor *param, *momentum;
};

static void load_base(struct optimizer *o, mc_tensor *momentum)
{
    o->momentum = mc_to_dtype(momentum, mc_dtype_of(o->param));
}

static void load(struct optimizer *o, mc_tensor *momentum)
{
    load_base(o, momentum);
    o->momentum = mc_float(o->momentum); /* expect: narrowing-round-trip note */
}

int main(void)
{
    struct optimizer o = {.param = mc_randn(mc_shape(64), .dtype = MC_F16)};
    load(&o, mc_randn(mc_shape(64)));
    mc_print(o.momentum);
    return 0;
}
