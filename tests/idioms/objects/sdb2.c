#include <miscast/tensor.h>
#include <string.h>

struct b {
    mc_tensor *w;
};
int main(int argc, char **argv)
{
    int half = argc > 1 && !strcmp(argv[1], "half");
    mc_tensor *pool[3];
    for (int i = 0; i < 3; i++)
        pool[i] = mc_rand(mc_shape(4, 4));
    struct b b[3];
    for (int i = 0; i < 3; i++) {
        b[i].w = pool[(i * 7 + argc) % 3];
        if (half)
            b[i].w = mc_half(b[i].w);
    }
    mc_tensor *x = half ? mc_half(mc_ones(mc_shape(1, 4))) : mc_ones(mc_shape(1, 4));
    for (int i = 0; i < 3; i++)
        x = mc_matmul(x, b[i].w);
    mc_print(x);
}
