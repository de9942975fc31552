#include <miscast/amp.h>
#include <miscast/tensor.h>
#include <stdlib.h>

#define WITH_AUTOCAST(on)                                                                          \
    for (mc_autocast r_ = mc_autocast_begin(MC_CPU, MC_BF16, .enabled = (on)), *once_ = &r_;       \
         once_; mc_autocast_end(r_), once_ = NULL)

int main(int argc, char **argv)
{
    bool amp = argc > 1 && atoi(argv[1]);
    mc_tensor *w = mc_rand(mc_shape(4, 4)), *x = mc_rand(mc_shape(2, 4)), *y = NULL;
    WITH_AUTOCAST(amp)
    {
        y = mc_linear(x, w, NULL);
        y = mc_linear(y, w, NULL);
    }
    y = mc_float(y);
    mc_print(mc_matmul(y, w));
    return 0;
}
