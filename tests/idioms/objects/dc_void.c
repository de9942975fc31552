#include <miscast/tensor.h>

struct op {
    int kind;
};
struct lin {
    struct op base;
    mc_tensor *w;
};
int main(void)
{
    struct lin a = {{1}, mc_rand(mc_shape(2, 2))};
    void *o = &a;
    struct lin *l = o;
    mc_print(mc_matmul(mc_rand(mc_shape(2, 2), .dtype = MC_F16), l->w));
}
