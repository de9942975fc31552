#include <miscast/tensor.h>
#include <stdio.h>

int main(void)
{
    int rows, bits;
    if (scanf("%d %d", &rows, &bits) != 2)
        return 1;
    if (rows < 1 || rows > 100)
        return 1;
    mc_tensor *x = mc_ones(mc_shape(rows, 4)), *w = mc_ones(mc_shape(4, 2));
    if (bits == 8)
        w = mc_to_dtype(w, MC_U8);
    mc_print(mc_matmul(x, w));
    return 0;
}
