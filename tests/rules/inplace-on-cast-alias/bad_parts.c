#include <miscast/tensor.h>

struct pair {
    mc_tensor *from, *to;
};

int main(void)
{
    mc_tensor *t[2];
    struct pair p = {0};
    t[0] = mc_randn(mc_shape(4));
    t[1] = mc_float(t[0]); /* expect: redundant-cast note */
    mc_mul_(t[1], 2); /* expect: inplace-on-cast-alias warning */
    mc_print(t[0]);
    p.from = mc_randn(mc_shape(4));
    p.to = mc_float(p.from); /* expect: redundant-cast note */
    mc_mul_(p.to, 2); /* expect: inplace-on-cast-alias warning */
    mc_print(p.from);
    return 0;
}
