#include <miscast/tensor.h>
#include <stdlib.h>

int main(void)
{
    mc_tensor *w = mc_rand(mc_shape(2, 2)), *x = mc_rand(mc_shape(2, 2));
    if (getenv("H"))
        w = mc_half(w);
    if (getenv("H"))
        x = mc_half(x);
    mc_print(mc_matmul(x, w));
}
