#include <miscast/tensor.h>
#include <stdlib.h>

static mc_tensor *w;
static void load(void)
{
    w = mc_rand(mc_shape(2, 2));
    if (getenv("H"))
        w = mc_half(w);
}
static mc_tensor *in(void)
{
    mc_tensor *x = mc_rand(mc_shape(2, 2));
    if (getenv("H"))
        x = mc_half(x);
    return x;
}
int main(void)
{
    load();
    mc_print(mc_matmul(in(), w));
}
