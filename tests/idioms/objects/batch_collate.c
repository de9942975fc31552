#include <miscast/tensor.h>
#include <stdlib.h>

struct sample {
    mc_tensor *x, *y;
};
struct batch {
    mc_tensor *x, *y;
};

static struct batch collate(const struct sample *s, int n)
{
    mc_tensor *xs[8], *ys[8];
    for (int i = 0; i < n; i++) {
        xs[i] = s[i].x;
        ys[i] = s[i].y;
    }
    return (struct batch){mc_catn(0, xs, n), mc_catn(0, ys, n)};
}

int main(int argc, char **argv)
{
    struct sample data[8];
    int n = argc > 1 ? atoi(argv[1]) : 4;
    if (n < 1 || n > 8)
        return 2;
    for (int i = 0; i < n; i++)
        data[i] =
            (struct sample){mc_rand(mc_shape(1, 4)), mc_full(mc_shape(1), i % 3, .dtype = MC_I64)};
    struct batch b = collate(data, n);
    mc_tensor *w = mc_rand(mc_shape(3, 4));
    mc_tensor *logits = mc_linear(b.x, w, NULL);
    mc_print(mc_cross_entropy(logits, b.y));
    return 0;
}
