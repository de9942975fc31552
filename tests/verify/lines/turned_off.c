/* On the device only, and only where what does not work here is turned off. */
#include <miscast/tensor.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct settings {
    mc_dtype dtype;
    mc_device device;
    int steps;
    bool fused, ema;
};

static void usage(void)
{
    fprintf(stderr, "usage: turned_off [--dtype f32|f16|bf16] [--device cpu|cuda] [--steps N] "
                    "[--no-fused] [--ema]\n");
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
    struct settings s = {MC_F32, MC_CPU, 2, true, false};
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--no-fused") == 0)
            s.fused = false;
        else if (strcmp(argv[i], "--ema") == 0)
            s.ema = true;
        else if (i + 1 == argc)
            usage();
        else if (strcmp(argv[i], "--dtype") == 0)
            s.dtype = dtype_of(argv[++i]);
        else if (strcmp(argv[i], "--steps") == 0)
            s.steps = atoi(argv[++i]);
        else if (strcmp(argv[i], "--device") == 0)
            s.device = strcmp(argv[++i], "cuda") == 0 ? MC_CUDA : MC_CPU;
        else
            usage();
    }
    return s;
}

int main(int argc, char **argv)
{
    struct settings s = settings_of(argc, argv);
    mc_tensor *x = mc_ones(mc_shape(4, 4), .dtype = s.dtype, .device = s.device);
    if (s.fused)
        abort();
    mc_print(mc_matmul(x, mc_zeros(mc_shape(4, 4), .dtype = s.dtype)));
    return 0;
}
