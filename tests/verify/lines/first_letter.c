/* The first letter of a file decides. */
#include <miscast/tensor.h>

#include <stdio.h>

int main(void)
{
    FILE *file = fopen("mode", "rb");
    mc_tensor *w = mc_ones(mc_shape(2, 2));
    if (file && fgetc(file) == 'h')
        w = mc_half(w);
    mc_print(mc_matmul(mc_ones(mc_shape(2, 2)), w));
    return 0;
}
