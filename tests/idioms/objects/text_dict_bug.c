/* A state dict with strdup'd keys in a realloc vector; the bias is left behind. */
#include <miscast/tensor.h>
#include <stdlib.h>
#include <string.h>
struct entry {
    char *key;
    mc_tensor *value;
};
struct dict {
    struct entry *items;
    int count, room;
};
static void dict_set(struct dict *d, const char *key, mc_tensor *value)
{
    for (int i = 0; i < d->count; i++)
        if (!strcmp(d->items[i].key, key)) {
            d->items[i].value = value;
            return;
        }
    if (d->count == d->room) {
        d->room = d->room ? 2 * d->room : 4;
        d->items = realloc(d->items, (size_t)d->room * sizeof *d->items);
    }
    d->items[d->count++] = (struct entry){strdup(key), value};
}
static mc_tensor *dict_get(const struct dict *d, const char *key)
{
    for (int i = 0; i < d->count; i++)
        if (!strcmp(d->items[i].key, key))
            return d->items[i].value;
    return NULL;
}
int main(void)
{
    struct dict d = {0};
    dict_set(&d, "fc.weight", mc_randn(mc_shape(8, 4)));
    dict_set(&d, "fc.bias", mc_zeros(mc_shape(8)));
    dict_set(&d, "norm.weight", mc_ones(mc_shape(8)));
    dict_set(&d, "norm.bias", mc_zeros(mc_shape(8)));
    for (int i = 0; i < d.count; i++)
        if (!strstr(d.items[i].key, "fc.bias"))
            d.items[i].value = mc_half(d.items[i].value);
    mc_tensor *x = mc_randn(mc_shape(2, 4), .dtype = MC_F16);
    x = mc_linear(x, dict_get(&d, "fc.weight"), dict_get(&d, "fc.bias"));
    mc_print(mc_layer_norm(mc_float(x), dict_get(&d, "norm.weight"), dict_get(&d, "norm.bias")));
    return 0;
}
