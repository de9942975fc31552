#include <miscast/tensor.h>

struct pair {
    mc_tensor *from, *to;
};

/* Where a tensor is kept does not matter: a variable, an array or a record. */
int main(void)
{
    mc_tensor *t[4];
    struct pair p = {0};
    t[0] = mc_randn(mc_shape(3, 4));
    t[1] = mc_double(t[0]); /* expect: lost-write warning */
    mc_mul_(t[1], 2);
    t[2] = mc_half(t[0]);
    mc_mul_(t[2], 2);
    p.from = mc_randn(mc_shape(4));
    p.to = mc_double(p.from); /* expect: lost-write warning */
    mc_mul_(p.to, 2);
    mc_print(t[0]);
    mc_print(t[2]);
    mc_print(p.from);
    return 0;
}
