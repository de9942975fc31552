#include <miscast/tensor.h>
#include <stdlib.h>
struct layer {
    mc_tensor *w;
    mc_dtype d;
};
static struct layer *layer_new(mc_dtype d)
{
    struct layer *l = malloc(sizeof *l);
    if (!l)
        abort();
    l->d = d;
    l->w = mc_randn(mc_shape(8, 8), .dtype = d);
    return l;
}
int main(void)
{
    struct layer *l[4];
    mc_tensor *x = mc_randn(mc_shape(8, 8), .dtype = MC_F16);
    for (int i = 0; i < 4; i++)
        l[i] = layer_new(i == 3 ? MC_F32 : MC_F16);
    for (int i = 0; i < 4; i++)
        x = mc_matmul(x, l[i]->w);
    mc_print(x);
}
