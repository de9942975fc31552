#include <miscast/tensor.h>
struct o {
    mc_tensor *p, *m;
};
static void base(struct o *o, mc_tensor *m)
{
    o->m = mc_to_dtype(m, mc_dtype_of(o->p));
}
static void load(struct o *o, mc_tensor *m)
{
    base(o, m);
    o->m = mc_to_dtype(o->m, MC_F32);
}
int main(void)
{
    struct o o = {.p = mc_half(mc_randn(mc_shape(64)))};
    load(&o, mc_randn(mc_shape(64)));
    mc_print(o.m);
}
