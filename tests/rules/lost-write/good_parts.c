#include <miscast/tensor.h>

struct pair {
    mc_tensor *from, *to;
};

static void show(mc_tensor **all, int n)
{
    for (int i = 0; i < n; i++)
        mc_print(all[i]);
}

static struct pair doubled(mc_tensor *x)
{
    struct pair p;
    p.from = x;
    p.to = mc_double(x);
    mc_mul_(p.to, 2);
    return p;
}

/* What is in an array is read by whoever has the array, and by an index that is not known. */
int main(int argc, char **argv)
{
    (void)argv;
    mc_tensor *given[2], *picked[2];
    given[0] = mc_randn(mc_shape(3, 4));
    given[1] = mc_double(given[0]);
    mc_mul_(given[1], 2);
    show(given, 2);
    picked[0] = mc_double(given[0]);
    mc_mul_(picked[0], 2);
    picked[1] = given[0];
    mc_print(picked[argc & 1]);
    mc_print(doubled(given[0]).to);
    return 0;
}
