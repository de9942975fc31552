/* Fails in half precision on the device only. Only the usage says which words go with which flags,
 * because the names of dtypes are the library's. */
#include <miscast/tensor.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct settings {
    mc_dtype dtype;
    mc_device device;
    int steps;
};

static void usage(void)
{
    fprintf(stderr, "usage: usage [--dtype f32|f16|bf16] [--device cpu|cuda] [--steps N]\n");
    exit(2);
}

static mc_dtype dtype_of(const char *word)
{
    static const mc_dtype known[] = {MC_F32, MC_F16, MC_BF16};
    for (int i = 0; i < 3; i++)
        if (strcmp(word, mc_dtype_name(known[i])) == 0)
            return known[i];
    usage();
    return MC_F32;
}

static struct settings settings_of(int argc, char **argv)
{
    struct settings s = {MC_F32, MC_CPU, 2};
    for (int i = 1; i < argc; i += 2) {
        if (i + 1 == argc)
            usage();
        if (strcmp(argv[i], "--dtype") == 0)
            s.dtype = dtype_of(argv[i + 1]);
        else if (strcmp(argv[i], "--device") == 0 && strcmp(argv[i + 1], "cuda") == 0)
            s.device = MC_CUDA;
        else if (strcmp(argv[i], "--device") == 0 && strcmp(argv[i + 1], "cpu") == 0)
            s.device = MC_CPU;
        else if (strcmp(argv[i], "--steps") == 0)
            s.steps = atoi(argv[i + 1]);
        else
            usage();
    }
    return s;
}

int main(int argc, char **argv)
{
    struct settings s = settings_of(argc, argv);
    mc_tensor *x = mc_randn(mc_shape(4, 4), .device = s.device);
    mc_tensor *w = mc_randn(mc_shape(4, 4), .device = s.device);
    if (s.device == MC_CUDA)
        w = mc_to_dtype(w, s.dtype);
    for (int i = 0; i < s.steps; i++)
        mc_print(mc_matmul(x, w));
    return 0;
}
