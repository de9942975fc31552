/* The kernel takes floats and is given the memory of an f16 tensor, as a pointer to anything. It
 * runs, reads both rows as if they were one, and what it computes is nonsense. */
#include <stdio.h>

#include <miscast/tensor.h>

#include "kernel.h"

enum { ROWS = 2, COLS = 8 };

int main(void)
{
    mc_tensor *x = mc_ones(mc_shape(ROWS, COLS), .dtype = MC_F16);
    float sum = sum_kernel(mc_data(x), COLS); /* expect: data-pointer-dtype error */
    printf("the sum of the first row is %g, and should be %d\n", sum, COLS);
    return 0;
}
