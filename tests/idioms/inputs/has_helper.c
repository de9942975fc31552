/* usage: encoder [--half] [--bias] */
#include <miscast/tensor.h>
#include <string.h>

static bool has(int argc, char **argv, const char *flag)
{
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], flag) == 0)
            return true;
    return false;
}

int main(int argc, char **argv)
{
    mc_tensor *x = mc_randn(mc_shape(4, 8)), *w = mc_randn(mc_shape(3, 8));
    mc_tensor *b = has(argc, argv, "--bias") ? mc_zeros(mc_shape(3)) : NULL;
    if (has(argc, argv, "--half")) {
        x = mc_half(x);
        w = mc_half(w);
    }
    mc_print(mc_linear(x, w, b)); /* bug: the bias stays f32 */
    return 0;
}
