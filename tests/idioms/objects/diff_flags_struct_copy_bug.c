#include <miscast/tensor.h>
#include <stdlib.h>
#include <string.h>

struct spec {
    int rows, cols;
    mc_dtype dtype;
    mc_device device;
};

static mc_tensor *alloc(const struct spec *s)
{
    return mc_zeros(mc_shape(s->rows, s->cols), .dtype = s->dtype, .device = s->device);
}

int main(int argc, char **argv)
{
    struct spec base = {4, 4, MC_F32, MC_CPU}, other;
    if (argc > 1 && !strcmp(argv[1], "gpu"))
        base.device = MC_CUDA;
    memcpy(&other, &base, sizeof other);
    other.rows = 8;
    other.device = MC_CPU;
    mc_tensor *a = alloc(&other), *b = alloc(&base);
    mc_print(mc_matmul(a, b));
    return 0;
}
