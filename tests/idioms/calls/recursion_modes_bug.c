/* What an instance makes is passed to the next one, under conditions; behind it, runs with several
 * layers fail. */
#include <miscast/tensor.h>
#include <stdlib.h>

static mc_tensor *block(mc_tensor *x, int mode, int n)
{
    if (n <= 0)
        return x;
    if (mode == 0) {
        x = mc_relu(x);
    } else if (mode == 1) {
        x = mc_tanh(mc_add(x, mc_zeros(mc_shape(4))));
    } else {
        int *count = calloc(1, sizeof *count);
        if (!count)
            exit(1);
        free(count);
    }
    return block(x, mode, n - 1);
}

int main(int argc, char **argv)
{
    int mode = argc > 1 ? atoi(argv[1]) : 0;
    int layers = argc > 2 ? atoi(argv[2]) : 1;
    mc_tensor *x = block(mc_randn(mc_shape(4, 4)), mode, layers);
    if (layers > 1)
        x = mc_matmul(x, mc_randn(mc_shape(4, 4), .dtype = MC_F16));
    mc_print(x);
    return 0;
}
