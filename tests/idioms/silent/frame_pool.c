/* Mean of the features of a long video, frame by frame. */
#include <miscast/tensor.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct pool {
    mc_tensor *sum;
    int frames;
};

static struct pool *pool_new(int64_t dim, mc_dtype d)
{
    struct pool *p = malloc(sizeof *p);
    p->sum = mc_zeros(mc_shape(dim), .dtype = d);
    p->frames = 0;
    return p;
}

static void pool_push(struct pool *p, mc_tensor *feature)
{
    p->sum = mc_add(p->sum, feature);
    p->frames++;
}

static mc_tensor *pool_mean(struct pool *p)
{
    return mc_div(mc_float(p->sum), p->frames);
}

static mc_dtype parse(const char *s)
{
    return strcmp(s, "half") == 0 ? MC_F16 : MC_F32;
}

int main(int argc, char **argv)
{
    mc_dtype d = argc > 2 && !strcmp(argv[1], "--precision") ? parse(argv[2]) : MC_F32;
    struct pool *p = pool_new(4, d);
    for (int t = 0; t < 6000; t++) {
        mc_tensor *feature = mc_sigmoid(mc_full(mc_shape(4), 1.5, .dtype = d));
        pool_push(p, feature);
    }
    mc_print(pool_mean(p));
    free(p);
    return 0;
}
