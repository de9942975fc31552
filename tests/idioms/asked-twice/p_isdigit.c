#include <miscast/tensor.h>
#include <ctype.h>

int main(int argc, char **argv)
{
    mc_tensor *w = mc_rand(mc_shape(2, 2)), *x = mc_rand(mc_shape(2, 2));
    if (isdigit(argv[1][0]))
        w = mc_half(w);
    if (isdigit(argv[1][0]))
        x = mc_half(x);
    mc_print(mc_matmul(x, w));
}
