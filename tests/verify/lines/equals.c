/* Values are part of the word, and dtypes have names of the program's own. */
#include <miscast/tensor.h>

#include <string.h>

int main(int argc, char **argv)
{
    mc_dtype dtype = MC_F32;
    mc_device device = MC_CPU;
    for (int i = 1; i < argc; i++) {
        if (strncmp(argv[i], "--precision=", 12) == 0)
            dtype = strcmp(argv[i] + 12, "half") == 0     ? MC_F16
                    : strcmp(argv[i] + 12, "single") == 0 ? MC_F32
                                                          : MC_DTYPE_DEFAULT;
        else if (strncmp(argv[i], "--on=", 5) == 0)
            device = strcmp(argv[i] + 5, "gpu") == 0 ? MC_CUDA : MC_CPU;
        else
            return 2;
        if (dtype == MC_DTYPE_DEFAULT)
            return 2;
    }
    mc_tensor *x = mc_randn(mc_shape(4, 4), .dtype = dtype, .device = device);
    mc_tensor *w = mc_randn(mc_shape(4, 4), .device = device);
    if (device == MC_CUDA)
        mc_print(mc_matmul(x, w));
    return 0;
}
