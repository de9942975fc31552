#include <miscast/tensor.h>
#include <stdlib.h>

typedef mc_tensor *hook_fn(mc_tensor *x, void *user);
struct hook {
    hook_fn *run;
    void *user;
};
static struct hook hooks[4];
static int hook_count;

static void add_hook(hook_fn *run, void *user)
{
    hooks[hook_count++] = (struct hook){run, user};
}

static mc_tensor *scale(mc_tensor *x, void *user)
{
    return mc_mul(x, *(double *)user);
}

static mc_tensor *project(mc_tensor *x, void *user)
{
    return mc_matmul(x, user);
}

int main(int argc, char **argv)
{
    static double half = 0.5;
    mc_tensor *p = mc_rand(mc_shape(4, 4), .dtype = MC_F64);
    (void)argv;
    add_hook(scale, &half);
    if (argc > 1)
        add_hook(project, p);
    mc_tensor *x = mc_rand(mc_shape(2, 4), .dtype = MC_F64);
    for (int i = 0; i < hook_count; i++)
        x = hooks[i].run(x, hooks[i].user);
    mc_print(x);
    return 0;
}
