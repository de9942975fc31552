#include <miscast/tensor.h>
#include <assert.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 8 };

struct params {
    struct {
        char name[24];
        mc_tensor *t;
    } at[MOST];
    int count;
};

static void add(struct params *p, const char *name, mc_tensor *t)
{
    assert(p->count < MOST);
    snprintf(p->at[p->count].name, sizeof p->at[0].name, "%s", name);
    p->at[p->count++].t = t;
}

static mc_tensor *get(const struct params *p, const char *name)
{
    for (int i = 0; i < p->count; i++)
        if (!strcmp(p->at[i].name, name))
            return p->at[i].t;
    return NULL;
}

static void move(struct params *p, mc_device device)
{
    for (int i = 0; i < p->count; i++)
        p->at[i].t = mc_to_device(p->at[i].t, device);
}

int main(int argc, char **argv)
{
    struct params p = {0};
    bool cuda = argc > 1 && !strcmp(argv[1], "cuda");
    add(&p, "fc1.weight", mc_randn(mc_shape(8, 4)));
    add(&p, "fc1.bias", mc_zeros(mc_shape(8)));
    if (cuda)
        move(&p, MC_CUDA);
    add(&p, "fc2.weight", mc_randn(mc_shape(2, 8)));
    mc_tensor *x = mc_rand(mc_shape(3, 4), .device = cuda ? MC_CUDA : MC_CPU);
    mc_tensor *h = mc_relu(mc_linear(x, get(&p, "fc1.weight"), get(&p, "fc1.bias")));
    mc_print(mc_linear(h, get(&p, "fc2.weight"), NULL));
    return 0;
}
