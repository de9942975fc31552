/* A forward pass that adds in place to an f16 input, with the profile of what it cost. An in-place
 * op never changes the dtype of its tensor. */
#define _POSIX_C_SOURCE 200809L /* setenv */
#include <stdio.h>
#include <stdlib.h>

#include <miscast/tensor.h>

enum { ROWS = 256, COLS = 256, PASSES = 10 };

static mc_tensor *forward(mc_tensor *x)
{
    mc_add_(x, 1);
    return x;
}

int main(void)
{
    setenv("MISCAST_PROFILE", "1", 1); /* the table comes at the end, on stderr */
    mc_tensor *x = mc_zeros(mc_shape(ROWS, COLS), .dtype = MC_F16);
    mc_tensor *y = x;
    for (int i = 0; i < PASSES; i++)
        y = forward(y);
    printf("input: %s\n", mc_dtype_name(mc_dtype_of(x)));
    printf("output: %s, every element %g\n", mc_dtype_name(mc_dtype_of(y)), mc_item(mc_max(y)));
    return 0;
}
