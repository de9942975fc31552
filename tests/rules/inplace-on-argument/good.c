#include <miscast/tensor.h>

/* Not in place. */
static double apart(mc_tensor *a, mc_tensor *b)
{
    return mc_item(mc_amax(mc_abs(mc_sub(a, b))));
}

/* On a tensor of its own. */
static double size(mc_tensor *x)
{
    x = mc_clone(x);
    return mc_item(mc_amax(mc_abs_(x)));
}

/* On what it made. */
static double square(mc_tensor *x)
{
    return mc_item(mc_sum(mc_mul_(mc_clone(x), x)));
}

/* That it changes its argument is what it is for. */
static mc_tensor *clip(mc_tensor *x)
{
    return mc_clamp_(x, 0, 1);
}

static void halve(mc_tensor *x)
{
    mc_mul_(x, 0.5);
}

static int step(mc_tensor *x)
{
    mc_sub_(x, 0.1);
    return 1;
}

/* It says whether it went well. */
static bool shrink(mc_tensor *x)
{
    mc_tensor *y = mc_mul_(x, 0.5);
    return mc_is_contiguous(y);
}

/* Its name says so. */
static double scale_(mc_tensor *x, double by)
{
    return mc_item(mc_sum(mc_mul_(x, by)));
}

/* Nobody reads it again. */
static double used_up(mc_tensor *x)
{
    return mc_item(mc_amax(mc_abs_(x)));
}

int main(void)
{
    mc_tensor *x = mc_randn(mc_shape(4)), *y = mc_randn(mc_shape(4));
    double off = apart(x, y) + size(x) + square(x) + used_up(mc_sub(x, y)) + scale_(x, 2);
    halve(x);
    mc_print(clip(x));
    return step(y) + (off > 1) + shrink(y) + shrink(x);
}
