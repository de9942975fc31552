/* Running mean of observations, for normalizing them. */
#include <miscast/tensor.h>
#include <stdio.h>
#include <string.h>

struct running {
    mc_tensor *mean;
    mc_tensor *count;
};

static void running_init(struct running *r, int64_t n, mc_dtype d)
{
    r->mean = mc_keep(mc_zeros(mc_shape(n), .dtype = d));
    r->count = mc_keep(mc_zeros(mc_shape(), .dtype = d));
}

static void running_add(struct running *r, mc_tensor *x)
{
    mc_add_(r->count, 1.0);
    mc_add_(r->mean, mc_div(mc_sub(x, r->mean), r->count));
}

int main(int argc, char **argv)
{
    mc_dtype d = MC_F32;
    for (int i = 1; i < argc; i++)
        if (!strcmp(argv[i], "--fp16"))
            d = MC_F16;
    struct running r;
    running_init(&r, 4, d);
    mc_manual_seed(0);
    for (int i = 0; i < 6000; i++) {
        mc_scope s = mc_scope_begin();
        running_add(&r, mc_rand(mc_shape(4), .dtype = d));
        mc_scope_end(s);
    }
    printf("%g observations, mean %g\n", mc_item(r.count), mc_item(mc_mean(mc_float(r.mean))));
    return 0;
}
