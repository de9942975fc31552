#include <miscast/tensor.h>
#include <stdio.h>

int main(void)
{
    mc_tensor *w = mc_randn(mc_shape(16, 16), .dtype = MC_BF16);
    mc_tensor *total = NULL;
    for (int i = 0; i < 600; i++) {
        mc_tensor *x = mc_randn(mc_shape(4, 16), .dtype = MC_BF16);
        mc_tensor *loss = mc_mean(mc_square(mc_matmul(x, w)));
        if (!total)
            total = loss;
        else
            total = mc_add(total, loss);
    }
    printf("%.4f\n", mc_item(total) / 600);
    return 0;
}
