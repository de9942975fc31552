#include <miscast/tensor.h>
#include <stdlib.h>

struct op {
    int kind;
};
struct lin {
    struct op base;
    mc_tensor *w;
};
static struct op *mk(void)
{
    struct lin *l = malloc(sizeof *l);
    l->base.kind = 1;
    l->w = mc_rand(mc_shape(2, 2));
    return (struct op *)l;
}
int main(void)
{
    struct op *o = mk();
    mc_print(mc_matmul(mc_rand(mc_shape(2, 2), .dtype = MC_F16), ((struct lin *)o)->w));
}
