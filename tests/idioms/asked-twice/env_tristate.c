#include <miscast/tensor.h>
#include <stdlib.h>
#include <string.h>

enum mode { AUTO, ON, OFF };

static enum mode mode_from(const char *name)
{
    const char *v = getenv(name);
    if (!v || !*v)
        return AUTO;
    return strcmp(v, "0") == 0 ? OFF : ON;
}

static bool use_cuda(void)
{
    enum mode m = mode_from("USE_GPU");
    return m != OFF && mc_cuda_is_available();
}

int main(void)
{
    mc_tensor *w = mc_rand(mc_shape(4, 4)), *x = mc_rand(mc_shape(4, 4));
    if (use_cuda())
        w = mc_cuda(w);
    if (use_cuda())
        x = mc_cuda(x);
    mc_print(mc_matmul(x, w));
    return 0;
}
