#include <miscast/tensor.h>
#include <string.h>

int main(int argc, char **argv)
{
    mc_tensor *w = mc_rand(mc_shape(2, 2)), *x = mc_rand(mc_shape(2, 2));
    if (strchr(argv[1], 104))
        w = mc_half(w);
    if (strchr(argv[1], 104) != NULL)
        x = mc_half(x);
    mc_print(mc_matmul(x, w));
}
