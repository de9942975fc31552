#include <miscast/tensor.h>
#include <stdlib.h>
struct layer {
    mc_tensor *w;
    mc_dtype d;
};
int main(void)
{
    int n = 4;
    struct layer *l = malloc(sizeof *l * (size_t)n);
    mc_tensor *x = mc_randn(mc_shape(8, 8));
    if (!l)
        return 1;
    for (int i = 0; i < n; i++) {
        l[i].d = i < n / 2 ? MC_F32 : MC_BF16;
        l[i].w = mc_randn(mc_shape(8, 8), .dtype = l[i].d);
    }
    for (int i = 0; i < n; i++)
        x = mc_matmul(mc_to_dtype(x, l[i].d), l[i].w);
    mc_print(x);
    free(l);
}
