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
static mc_tensor *fwd(struct amp *a, mc_tensor *x, bool skip)
{
    enter(a);
    mc_tensor *h = mc_matmul(x, x);
    if (skip) {
        leave(a);
        return h;
    }
    h = mc_matmul(h, h);
    leave(a);
    return h;
}
int main(int argc, char **argv)
{
    struct amp a = {.on = argc > 1};
    mc_print(fwd(&a, mc_rand(mc_shape(2, 2)), argc > 2));
    (void)argv;
}
