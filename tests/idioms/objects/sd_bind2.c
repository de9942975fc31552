#include <miscast/tensor.h>
#include <string.h>

struct b {
    mc_tensor *w;
};
int main(int argc, char **argv)
{
    int half = argc > 1 && !strcmp(argv[1], "half");
    struct b b[2];
    for (int i = 0; i < 2; i++) {
        b[i].w = mc_rand(mc_shape(2, 2));
        if (half)
            b[i].w = mc_half(b[i].w);
    }
    mc_tensor *x = mc_rand(mc_shape(2, 2));
    if (half)
        x = mc_half(x);
    for (int i = 0; i < 2; i++)
        x = mc_matmul(x, b[i].w);
    mc_print(x);
}
