#include <miscast/tensor.h>
#include <stdlib.h>

static int gpus(void)
{
    const char *limit = getenv("MAX_GPUS");
    int n = mc_cuda_device_count();
    int most = limit ? atoi(limit) : n;
    return n < most ? n : most;
}

int main(void)
{
    mc_tensor *w = mc_rand(mc_shape(4, 4)), *x = mc_rand(mc_shape(4, 4));
    if (gpus() > 0)
        w = mc_to(w, .device = MC_CUDA);
    if (gpus() > 0)
        x = mc_to(x, .device = MC_CUDA);
    mc_print(mc_matmul(x, w));
    return 0;
}
