/* Six flags give 64 paths, more than are kept apart. On each path both factors have one dtype;
 * where states were joined that is no longer known, and that the products fail is not certain. */
#include <miscast/tensor.h>

struct pair {
    mc_tensor *x, *y;
};

static void cast(struct pair *p)
{
    p->x = mc_to_dtype(p->x, MC_F16);
    p->y = mc_to_dtype(p->y, MC_F16);
}

void multiply(int a, int b, int c, int d, int e, int f)
{
    struct pair p[6];
    for (int i = 0; i < 6; i++)
        p[i] = (struct pair){mc_zeros(mc_shape(4, 4)), mc_zeros(mc_shape(4, 4))};
    if (a)
        cast(&p[0]);
    if (b)
        cast(&p[1]);
    if (c)
        cast(&p[2]);
    if (d)
        cast(&p[3]);
    if (e)
        cast(&p[4]);
    if (f)
        cast(&p[5]);
    for (int i = 0; i < 6; i++)
        mc_free(mc_matmul(p[i].x, p[i].y));
}
