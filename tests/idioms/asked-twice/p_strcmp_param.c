#include <miscast/tensor.h>
#include <string.h>

static int is(const char *s)
{
    return strcmp(s, "h") == 0;
}
int main(int argc, char **argv)
{
    mc_tensor *w = mc_rand(mc_shape(2, 2)), *x = mc_rand(mc_shape(2, 2));
    if (is(argv[1]))
        w = mc_half(w);
    if (is(argv[1]))
        x = mc_half(x);
    mc_print(mc_matmul(x, w));
}
