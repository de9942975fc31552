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
int main(int argc, char **argv)
{
    struct amp a = {.on = argc > 1};
    enter(&a);
    mc_print(mc_matmul(mc_rand(mc_shape(2, 2)), mc_rand(mc_shape(2, 2))));
    leave(&a);
    (void)argv;
}
