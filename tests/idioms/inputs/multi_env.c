#include <miscast/tensor.h>
#include <stdlib.h>
#include <string.h>

struct env {
    const char *device, *dtype;
};

static const char *env_or(const char *name, const char *otherwise)
{
    const char *v = getenv(name);
    return v ? v : otherwise;
}

int main(void)
{
    struct env e = {env_or("NN_DEVICE", "cpu"), env_or("NN_DTYPE", "float32")};
    bool gpu = strncmp(e.device, "cuda", 4) == 0;
    mc_dtype d = strcmp(e.dtype, "float16") == 0 ? MC_F16 : MC_F32;
    mc_tensor *x = mc_randn(mc_shape(2, 4), .dtype = d, .device = gpu ? MC_CUDA : MC_CPU);
    if (gpu && d == MC_F16) {
        mc_tensor *stats = mc_zeros(mc_shape(4, 4), .device = MC_CUDA);
        x = mc_matmul(x, stats);
    }
    mc_print(x);
    return 0;
}
