/* Layers by formatted names; every weight is cast. */
#include <miscast/tensor.h>
#include <stdio.h>
#include <string.h>
#define LAYERS 4
static struct {
    char name[32];
    mc_tensor *t;
} params[2 * LAYERS];
static int n_params;
static void add_param(const char *name, mc_tensor *t)
{
    strncpy(params[n_params].name, name, sizeof params[n_params].name - 1);
    params[n_params].name[sizeof params[n_params].name - 1] = '\0';
    params[n_params++].t = t;
}
static mc_tensor **find(const char *name)
{
    for (int i = 0; i < n_params; i++)
        if (strcmp(params[i].name, name) == 0)
            return &params[i].t;
    return NULL;
}
static mc_tensor *layer(mc_tensor *x, int i)
{
    char w[32], b[32];
    snprintf(w, sizeof w, "layers.%d.weight", i);
    snprintf(b, sizeof b, "layers.%d.bias", i);
    return mc_relu(mc_linear(x, *find(w), *find(b)));
}
int main(void)
{
    char name[32];
    for (int i = 0; i < LAYERS; i++) {
        snprintf(name, sizeof name, "layers.%d.weight", i);
        add_param(name, mc_randn(mc_shape(8, 8)));
        snprintf(name, sizeof name, "layers.%d.bias", i);
        add_param(name, mc_zeros(mc_shape(8)));
    }
    for (int i = 0; i < n_params; i++)
        params[i].t = mc_bfloat16(params[i].t);
    mc_tensor *x = mc_randn(mc_shape(2, 8), .dtype = MC_BF16);
    for (int i = 0; i < LAYERS; i++)
        x = layer(x, i);
    mc_print(x);
    return 0;
}
