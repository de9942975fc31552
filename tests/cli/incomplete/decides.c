/* What fails whenever it is reached is reported, even if missing code decides whether it is. */
#include <miscast/tensor.h>

int ok(mc_tensor *x);
int parse(void);
extern int mode;

static void runs_or_not(mc_tensor *x, mc_tensor *w)
{
    if (ok(x))
        mc_matmul(mc_half(x), w);
    parse();
    if (mode)
        mc_mm(mc_half(x), w);
}

static void runs_behind(mc_tensor *x, mc_tensor *w)
{
    if (!ok(x))
        return;
    mc_matmul(mc_half(x), w);
}

/* What fails in some of the runs that reach it is not, if missing code decides in which. */
static void differs(mc_tensor *x, mc_tensor *w)
{
    mc_tensor *y = x;
    if (ok(x))
        x = mc_half(x);
    mc_matmul(x, w);
    parse();
    if (mode)
        y = mc_half(y);
    mc_matmul(y, w);
}

int main(void)
{
    mc_tensor *x = mc_ones(mc_shape(2, 2)), *w = mc_ones(mc_shape(2, 2));
    runs_or_not(x, w);
    runs_behind(x, w);
    differs(x, w);
    return 0;
}
