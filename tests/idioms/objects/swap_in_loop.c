#include <miscast/tensor.h>
static void swap(mc_tensor **a, mc_tensor **b)
{
    mc_tensor *t = *a;
    *a = *b;
    *b = t;
}
int main(void)
{
    mc_tensor *cur = mc_randn(mc_shape(4, 4)), *next = mc_half(mc_randn(mc_shape(4, 4)));
    for (int i = 0; i < 5; i++) {
        mc_print(mc_matmul(cur, mc_ones(mc_shape(4, 4), .dtype = mc_dtype_of(cur))));
        swap(&cur, &next);
    }
    mc_print(mc_matmul(mc_half(next), cur));
}
