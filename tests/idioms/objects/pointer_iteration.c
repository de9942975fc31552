#include <miscast/tensor.h>
struct layer {
    mc_tensor *w;
    mc_dtype d;
};
int main(void)
{
    struct layer l[3] = {{0}};
    struct layer *end = l + 3;
    mc_tensor *x = mc_randn(mc_shape(4, 4));
    for (struct layer *p = l; p < end; p++) {
        p->d = p == l ? MC_F16 : MC_F32;
        p->w = mc_randn(mc_shape(4, 4), .dtype = p->d);
    }
    for (struct layer *p = l; p != end; p++)
        x = mc_matmul(mc_to_dtype(x, p->d), p->w);
    mc_print(x);
}
