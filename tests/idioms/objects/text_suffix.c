/* What is cast is chosen by the end of its name. */
#include <miscast/tensor.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
struct weight {
    char *name;
    mc_tensor *data;
    struct weight *next;
};
static bool ends_with(const char *s, const char *end)
{
    size_t n = strlen(s), m = strlen(end);
    return n >= m && strcmp(s + n - m, end) == 0;
}
static struct weight *weight_new(const char *name, mc_tensor *data, struct weight *next)
{
    struct weight *w = calloc(1, sizeof *w);
    w->name = strdup(name);
    w->data = data;
    w->next = next;
    return w;
}
static mc_tensor *weight(struct weight *all, const char *name)
{
    while (all && strcmp(all->name, name) != 0)
        all = all->next;
    return all ? all->data : NULL;
}
int main(void)
{
    struct weight *all = weight_new("conv.weight", mc_randn(mc_shape(4, 3, 3, 3)), NULL);
    all = weight_new("fc.weight", mc_randn(mc_shape(5, 4)), all);
    all = weight_new("bn.running_mean", mc_zeros(mc_shape(4)), all);
    for (struct weight *w = all; w; w = w->next)
        if (ends_with(w->name, ".weight"))
            w->data = mc_half(w->data);
    mc_tensor *x =
        mc_conv2d(mc_rand(mc_shape(1, 3, 8, 8), .dtype = MC_F16), weight(all, "conv.weight"), NULL);
    mc_tensor *mean = weight(all, "bn.running_mean");
    mc_print(mc_sub(mc_float(mc_mean(x, .dim = mc_dims(2, 3))), mean));
    mc_print(mc_linear(mc_half(mean), weight(all, "fc.weight"), NULL));
    return 0;
}
