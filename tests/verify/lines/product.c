/* Numbers of which nothing is known, small enough in each run. */
#include <miscast/tensor.h>
#include <string.h>

int main(int argc, char **argv)
{
    mc_tensor *q = mc_randn(mc_shape(8, 8)), *k = mc_randn(mc_shape(8, 8));
    if (argc > 1 && !strcmp(argv[1], "--half")) {
        q = mc_half(q);
        k = mc_half(k);
    }
    mc_print(mc_mul(mc_matmul(q, k), 0.35));
    return 0;
}
