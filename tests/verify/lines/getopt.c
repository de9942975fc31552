/* One letter each: it fails with a half on the device.
 *
 *     getopt [-p f32|f16] [-c] [-n N] */
#include <miscast/tensor.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    mc_dtype dtype = MC_F32;
    mc_device device = MC_CPU;
    int count = 1;
    for (int c; (c = getopt(argc, argv, "p:cn:")) != -1;) {
        if (c == 'p')
            dtype = strcmp(optarg, "f16") == 0 ? MC_F16 : MC_F32;
        else if (c == 'c')
            device = MC_CUDA;
        else if (c == 'n')
            count = atoi(optarg);
        else
            return 2;
    }
    mc_tensor *x = mc_randn(mc_shape(4, 4), .dtype = dtype, .device = device);
    mc_tensor *w = mc_randn(mc_shape(4, 4), .device = device);
    for (int i = 0; i < count && device == MC_CUDA; i++)
        mc_print(mc_matmul(x, w));
    return 0;
}
