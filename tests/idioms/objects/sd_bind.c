#include <miscast/tensor.h>
#include <string.h>

struct b {
    mc_tensor *w, *b;
};
static mc_tensor *get(mc_tensor **t, int n, int i)
{
    for (int k = 0; k < n; k++)
        if (k == i)
            return t[k];
    return NULL;
}
int main(int argc, char **argv)
{
    mc_tensor *t[4];
    for (int i = 0; i < 4; i++)
        t[i] = mc_rand(mc_shape(2, 2));
    int half = argc > 1 && !strcmp(argv[1], "half");
    struct b b[2];
    for (int i = 0; i < 2; i++) {
        b[i].w = get(t, 4, 2 * i);
        b[i].b = get(t, 4, 2 * i + 1);
        if (half) {
            b[i].w = mc_half(b[i].w);
            b[i].b = mc_half(b[i].b);
        }
    }
    mc_tensor *x = mc_rand(mc_shape(2, 2));
    if (half)
        x = mc_half(x);
    for (int i = 0; i < 2; i++)
        x = mc_matmul(x, b[i].w);
    mc_print(x);
}
