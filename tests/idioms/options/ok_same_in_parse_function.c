#include <string.h>
#include <miscast/tensor.h>
struct args {
    bool up;
    mc_dtype d;
};
static struct args parse(int argc, char **argv)
{
    struct args a = {.d = MC_F32};
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--up") == 0)
            a.up = true;
        if (strcmp(argv[i], "--half") == 0)
            a.d = MC_F16;
    }
    return a;
}
int main(int argc, char **argv)
{
    struct args a = parse(argc, argv);
    mc_tensor *x = mc_to_dtype(mc_randn(mc_shape(4, 4)), a.d),
              *w = mc_to_dtype(mc_randn(mc_shape(4, 4)), a.d);
    if (a.up)
        x = mc_float(x);
    mc_print(mc_matmul(x, w));
}
