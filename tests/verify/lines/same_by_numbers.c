/* It is right: both conditions hold for the same numbers, which the analysis does not know. */
#include <miscast/tensor.h>
#include <string.h>
int main(int argc, char **argv)
{
    int level = 0;
    for (int i = 1; i < argc; i++)
        if (!strcmp(argv[i], "-v"))
            level += 2;
    mc_tensor *x = mc_ones(mc_shape(2, 2)), *w = mc_ones(mc_shape(2, 2));
    if (level % 4 == 2)
        x = mc_half(x);
    if (level % 2 == 0 && level % 4 != 0)
        w = mc_half(w);
    mc_print(mc_matmul(x, w));
    return 0;
}
