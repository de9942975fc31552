#include <miscast/tensor.h>

struct amp {
    bool on;
    mc_autocast r;
};
static void enter(struct amp *a)
{
    a->r = mc_autocast_begin(MC_CPU, MC_BF16, .enabled = a->on);
}
static void leave(struct amp *a)
{
    mc_autocast_end(a->r);
}
static struct amp start(bool on)
{
    struct amp a = {.on = on};
    enter(&a);
    return a;
}
static mc_autocast begin(bool on)
{
    return mc_autocast_begin(MC_CPU, MC_BF16, .enabled = on);
}

int main(int argc, char **argv)
{
    mc_tensor *q = mc_rand(mc_shape(4, 4)), *y = mc_ones(mc_shape(4, 4));
    struct amp a = {.on = argc > 1};
    if (a.on)
        enter(&a);
    y = mc_linear(y, q, NULL);
    y = mc_linear(mc_relu(y), q, NULL);
    if (a.on)
        leave(&a);
    mc_print(mc_matmul(mc_float(y), q));
    (void)argv;
}
