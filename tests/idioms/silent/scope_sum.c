#include <miscast/tensor.h>
#include <stdio.h>

int main(void)
{
    mc_tensor *w = mc_randn(mc_shape(16, 16), .dtype = MC_BF16);
    mc_tensor *total = mc_zeros(mc_shape(1), .dtype = MC_BF16);
    for (int i = 0; i < 5000; i++) {
        mc_scope s = mc_scope_begin();
        mc_tensor *x = mc_randn(mc_shape(4, 16), .dtype = MC_BF16);
        mc_tensor *loss = mc_mean(mc_square(mc_matmul(x, w)));
        total = mc_scope_return(s, mc_add(total, loss));
    }
    printf("%.4f\n", mc_item(total) / 5000);
    return 0;
}
