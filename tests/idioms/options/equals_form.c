/* Words: --dtype=f64 --device=cuda --size=2 */
#include <miscast/tensor.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *value_of(const char *arg, const char *name)
{
    size_t n = strlen(name);
    return strncmp(arg, name, n) == 0 && arg[n] == '=' ? arg + n + 1 : NULL;
}

int main(int argc, char **argv)
{
    mc_dtype d = MC_F32;
    mc_device dev = MC_CPU;
    int n = 4;
    for (int i = 1; i < argc; i++) {
        const char *v;
        if ((v = value_of(argv[i], "--dtype")))
            d = !strcmp(v, "f64") ? MC_F64 : MC_F32;
        else if ((v = value_of(argv[i], "--device")))
            dev = !strcmp(v, "cuda") ? MC_CUDA : MC_CPU;
        else if ((v = value_of(argv[i], "--size")))
            n = atoi(v);
        else
            return fprintf(stderr, "unknown option %s\n", argv[i]), 2;
    }
    n = n < 1 ? 1 : n > 16 ? 16 : n;
    mc_tensor *a = mc_rand(mc_shape(n, n), .dtype = d, .device = dev);
    mc_tensor *b = mc_eye(n, .dtype = d, .device = dev);
    mc_print(mc_matmul(a, b));
    return 0;
}
