#include <miscast/tensor.h>
#include <stdlib.h>
struct layer {
    mc_tensor *w, *b;
};
static void layer_half(struct layer *l)
{
    l->w = mc_half(l->w);
}
int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 2;
    struct layer *ls = malloc(n * sizeof *ls);
    mc_tensor *x = mc_randn(mc_shape(4, 4), .dtype = MC_F16);
    for (int i = 0; i < n; i++) {
        struct layer *l = &ls[i];
        l->w = mc_randn(mc_shape(4, 4));
        l->b = mc_randn(mc_shape(4));
        layer_half(l);
        x = mc_linear(x, l->w, l->b);
    }
    mc_print(x);
    free(ls);
}
