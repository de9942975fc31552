#include <miscast/tensor.h>

static void products(mc_tensor *w, mc_tensor *v, mc_tensor *b)
{
    mc_print(mc_mm(w, v));  /* expect: matmul-rank error */
    mc_print(mc_mv(v, w));  /* expect: matmul-rank error */
    mc_print(mc_bmm(w, b)); /* expect: matmul-rank error */
}

int main(void)
{
    products(mc_randn(mc_shape(4, 4)), mc_randn(mc_shape(4)), mc_randn(mc_shape(2, 4, 4)));
    mc_tensor *one = mc_scalar_tensor(1.0);
    mc_print(mc_matmul(one, one)); /* expect: matmul-rank error */
    return 0;
}
