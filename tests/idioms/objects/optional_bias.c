#include <miscast/tensor.h>
#include <stdlib.h>
#include <string.h>

struct linear {
    mc_tensor *w, *b; /* b may be NULL */
};

static struct linear linear_new(int in, int out, bool bias)
{
    struct linear l = {.w = mc_randn(mc_shape(out, in))};
    if (bias)
        l.b = mc_zeros(mc_shape(out));
    return l;
}

static void linear_half(struct linear *l)
{
    l->w = mc_half(l->w);
    if (l->b)
        l->b = mc_half(l->b);
}

int main(int argc, char **argv)
{
    bool bias = false, half = false;
    for (char **a = argv + 1; *a; a++) {
        bias |= !strcmp(*a, "--bias");
        half |= !strcmp(*a, "--half");
    }
    struct linear l = linear_new(4, 2, bias);
    mc_tensor *x = mc_rand(mc_shape(3, 4));
    if (half) {
        linear_half(&l);
        x = mc_half(x);
    }
    mc_print(mc_linear(x, l.w, l.b));
    (void)argc;
    return 0;
}
