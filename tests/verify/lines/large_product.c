/* Products that are too large in f16, which is asked for. */
#include <miscast/tensor.h>
#include <string.h>

int main(int argc, char **argv)
{
    mc_tensor *q = mc_mul(mc_randn(mc_shape(8, 8)), 1000),
              *k = mc_mul(mc_randn(mc_shape(8, 8)), 1000);
    if (argc > 1 && !strcmp(argv[1], "--half")) {
        q = mc_half(q);
        k = mc_half(k);
    }
    mc_print(mc_mul(mc_matmul(q, k), 0.35));
    return 0;
}
