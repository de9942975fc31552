#include <miscast/tensor.h>

static int yes(void)
{
    return 1;
}
static int no(void)
{
    return 0;
}
int main(int argc, char **argv)
{
    int (*f)(void) = argc > 1 ? yes : no;
    mc_tensor *w = mc_rand(mc_shape(2, 2)), *x = mc_rand(mc_shape(2, 2));
    if (f())
        w = mc_half(w);
    if (f())
        x = mc_half(x);
    mc_print(mc_matmul(x, w));
}
