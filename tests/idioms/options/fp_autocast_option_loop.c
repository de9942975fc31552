#include <miscast/tensor.h>
#include <string.h>
int main(int argc, char **argv)
{
    bool amp = false;
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--amp") == 0)
            amp = true;
    mc_tensor *w1 = mc_randn(mc_shape(8, 8)), *w2 = mc_randn(mc_shape(8, 8)),
              *x = mc_randn(mc_shape(4, 8));
    mc_autocast a = mc_autocast_begin(MC_CPU, MC_BF16, .enabled = amp);
    mc_tensor *y = mc_linear(mc_relu(mc_linear(x, w1, NULL)), w2, NULL);
    mc_autocast_end(a);
    mc_print(y);
    return 0;
}
