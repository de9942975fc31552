#include <miscast/amp.h>
#include <miscast/tensor.h>
#include <string.h>

static bool asked(char **argv, const char *what)
{
    while (*++argv)
        if (!strcmp(*argv, what))
            return true;
    return false;
}

int main(int argc, char **argv)
{
    (void)argc;
    bool amp = asked(argv, "amp"), head = asked(argv, "head");
    mc_tensor *x = mc_randn(mc_shape(2, 4)), *w = mc_randn(mc_shape(4, 4)), *y;
    mc_autocast region = mc_autocast_begin(MC_CPU, MC_BF16, .enabled = amp);
    y = mc_matmul(x, w);
    mc_autocast_end(region);
    if (head)
        y = mc_matmul(y, w); /* outside of the region */
    mc_print(y);
    return 0;
}
