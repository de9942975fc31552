/* The same, but the pointer is asked for as one to floats: the runtime refuses. */
#include <stdio.h>

#include <miscast/tensor.h>

#include "kernel.h"

enum { ROWS = 2, COLS = 8 };

int main(void)
{
    mc_tensor *x = mc_ones(mc_shape(ROWS, COLS), .dtype = MC_F16);
    float sum = sum_kernel(mc_data_f32(x), COLS); /* expect: data-pointer-dtype error */
    printf("the sum of the first row is %g, and should be %d\n", sum, COLS);
    return 0;
}
