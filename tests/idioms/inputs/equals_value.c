#include <miscast/tensor.h>
#include <stdio.h>
#include <string.h>

static const char *value_of(int argc, char **argv, const char *name)
{
    size_t n = strlen(name);
    for (int i = 1; i < argc; i++)
        if (!strncmp(argv[i], name, n) && argv[i][n] == '=')
            return argv[i] + n + 1;
    return NULL;
}

int main(int argc, char **argv)
{
    const char *precision = value_of(argc, argv, "--precision");
    const char *device = value_of(argc, argv, "--device");
    mc_device on = device && !strcmp(device, "cuda") ? MC_CUDA : MC_CPU;
    mc_dtype d = precision && !strcmp(precision, "fp16") ? MC_F16 : MC_F32;
    mc_tensor *w = mc_randn(mc_shape(4, 4), .dtype = d, .device = on);
    mc_tensor *x = mc_randn(mc_shape(2, 4), .dtype = d, .device = on);
    mc_tensor *mask = mc_zeros(mc_shape(2, 4), .dtype = d);
    x = mc_add(x, mask); /* on cuda */
    mc_print(mc_matmul(x, w));
    return 0;
}
