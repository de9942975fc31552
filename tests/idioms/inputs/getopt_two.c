#include <miscast/tensor.h>
#include <stdlib.h>
#include <unistd.h>

struct config {
    mc_dtype dtype;
    int layers;
    bool residual;
};

int main(int argc, char **argv)
{
    struct config c = {MC_F32, 1, false};
    int o;
    while ((o = getopt(argc, argv, "hrn:")) != -1)
        switch (o) {
        case 'h':
            c.dtype = MC_BF16;
            break;
        case 'r':
            c.residual = true;
            break;
        case 'n':
            c.layers = atoi(optarg);
            break;
        default:
            return 2;
        }
    mc_tensor *x = mc_randn(mc_shape(2, 4), .dtype = c.dtype);
    mc_tensor *w = mc_randn(mc_shape(4, 4), .dtype = c.dtype);
    mc_tensor *skip = mc_zeros(mc_shape(4, 4));
    for (int i = 0; i < c.layers; i++)
        x = mc_relu(mc_matmul(x, w));
    if (c.residual)
        x = mc_matmul(x, skip);
    mc_print(x);
    return 0;
}
