#include <miscast/tensor.h>
#include <stdio.h>
#include <string.h>

struct named {
    char name[32];
    mc_tensor *t;
};

static struct named state[8];
static int count;

static void save(const char *prefix, int layer, const char *leaf, mc_tensor *t)
{
    snprintf(state[count].name, sizeof state[count].name, "%s.%d.%s", prefix, layer, leaf);
    state[count++].t = t;
}

static mc_tensor *load(const char *prefix, int layer, const char *leaf)
{
    char name[32];
    snprintf(name, sizeof name, "%s.%d.%s", prefix, layer, leaf);
    for (int i = 0; i < count; i++)
        if (!strcmp(state[i].name, name))
            return state[i].t;
    return NULL;
}

int main(void)
{
    save("enc", 0, "weight", mc_rand(mc_shape(4, 4)));
    save("enc", 0, "bias", mc_zeros(mc_shape(4)));
    save("enc", 1, "weight", mc_rand(mc_shape(4, 4), .dtype = MC_F64));
    save("enc", 1, "bias", mc_zeros(mc_shape(4)));
    mc_tensor *x = mc_rand(mc_shape(2, 4));
    for (int l = 0; l < 2; l++) {
        mc_tensor *w = load("enc", l, "weight"), *b = load("enc", l, "bias");
        if (w && b)
            x = mc_linear(x, w, b);
    }
    mc_print(x);
    return 0;
}
