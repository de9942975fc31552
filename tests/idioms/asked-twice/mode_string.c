#include <miscast/tensor.h>
#include <string.h>

static bool is_mode(const char *mode, const char *name)
{
    return mode && strcmp(mode, name) == 0;
}

int main(int argc, char **argv)
{
    const char *mode = argc > 1 ? argv[1] : "eval";
    mc_tensor *w = mc_randn(mc_shape(4, 4));
    if (is_mode(mode, "train") || is_mode(mode, "finetune"))
        mc_requires_grad_(w, true);
    mc_tensor *y = mc_sum(mc_matmul(mc_randn(mc_shape(2, 4)), w));
    if (is_mode(mode, "train") || is_mode(mode, "finetune"))
        mc_backward(y);
    mc_print(y);
    return 0;
}
