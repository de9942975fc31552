/* Parameter names joined from a prefix, as a model with two blocks has them. */
#include <miscast/tensor.h>
#include <stdio.h>
#include <string.h>
static struct {
    char name[48];
    mc_tensor *t;
} state[16];
static int count;
static void set(const char *prefix, const char *leaf, mc_tensor *t)
{
    char *name = state[count].name;
    strcpy(name, prefix);
    strcat(name, ".");
    strcat(name, leaf);
    state[count++].t = t;
}
static mc_tensor *get(const char *prefix, const char *leaf)
{
    char name[48];
    sprintf(name, "%s.%s", prefix, leaf);
    for (int i = 0; i < count; i++)
        if (!strcmp(state[i].name, name))
            return state[i].t;
    return NULL;
}
static void block(const char *prefix, int64_t n)
{
    set(prefix, "weight", mc_randn(mc_shape(n, n)));
    set(prefix, "bias", mc_zeros(mc_shape(n)));
}
static mc_tensor *run(const char *prefix, mc_tensor *x)
{
    return mc_linear(x, get(prefix, "weight"), get(prefix, "bias"));
}
int main(void)
{
    block("encoder", 4);
    block("decoder", 4);
    for (int i = 0; i < count; i++)
        if (strncmp(state[i].name, "encoder.", 8) == 0)
            state[i].t = mc_half(state[i].t);
    mc_tensor *x = run("encoder", mc_randn(mc_shape(2, 4), .dtype = MC_F16));
    mc_print(run("decoder", mc_float(x)));
    return 0;
}
