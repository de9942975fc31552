#include <miscast/tensor.h>
#include <stdlib.h>

#define HAS(f, b) (((f) & (b)) != 0)
int main(int argc, char **argv)
{
    unsigned f = 0;
    for (int i = 1; i < argc; i++)
        f |= (unsigned)strtoul(argv[i], 0, 0);
    mc_tensor *w = mc_rand(mc_shape(2, 2)), *x = mc_rand(mc_shape(2, 2));
    if (HAS(f, 1u))
        w = mc_half(w);
    if (HAS(f, 1u))
        x = mc_half(x);
    mc_print(mc_matmul(x, w));
}
