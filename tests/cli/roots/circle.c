#include <miscast/tensor.h>

void odd(int n);

void even(int n)
{
    if (n)
        odd(n - 1);
}

void odd(int n)
{
    mc_tensor *x = mc_ones(mc_shape(2, 2));
    mc_print(mc_matmul(x, mc_half(x)));
    if (n)
        even(n - 1);
}
