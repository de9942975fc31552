/* Fails after very many ops: more than are recorded in full. */
#include <miscast/tensor.h>

int main(void)
{
    mc_tensor *x = mc_ones(mc_shape(2)), *sum = mc_keep(mc_zeros(mc_shape(2)));
    for (int i = 0; i < 60000; i++) {
        mc_scope s = mc_scope_begin();
        mc_add_(sum, mc_mul(x, 0.5));
        mc_scope_end(s);
    }
    mc_print(mc_sub(mc_gt(sum, 1.0), mc_lt(sum, 2.0)));
    return 0;
}
