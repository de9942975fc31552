/* More arguments than are read. */
#include <miscast/tensor.h>
#include <stdio.h>

void print(mc_tensor *x)
{
    mc_tensor *y = mc_neg(x);
    printf("%d", 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23,
           24, 25);
    mc_free(y);
}
