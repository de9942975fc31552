/* A hash table of tensors keyed by name. */
#include <miscast/tensor.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#define SLOTS 16
struct slot {
    char name[24];
    mc_tensor *t;
};
static struct slot table[SLOTS];
static uint32_t hash(const char *s)
{
    uint32_t h = 2166136261u;
    for (; *s; s++)
        h = (h ^ (unsigned char)*s) * 16777619u;
    return h;
}
static struct slot *slot_of(const char *name)
{
    uint32_t i = hash(name) % SLOTS;
    while (table[i].t && strcmp(table[i].name, name))
        i = (i + 1) % SLOTS;
    return &table[i];
}
static void put(const char *name, mc_tensor *t)
{
    struct slot *s = slot_of(name);
    strcpy(s->name, name);
    s->t = t;
}
static mc_tensor *get(const char *name)
{
    return slot_of(name)->t;
}
int main(void)
{
    put("embed", mc_randn(mc_shape(16, 8)));
    put("head", mc_randn(mc_shape(4, 8)));
    put("scale", mc_ones(mc_shape(8)));
    put("head", mc_half(get("head")));
    mc_tensor *x = mc_randn(mc_shape(2, 8), .dtype = MC_F16);
    mc_print(mc_linear(x, get("head"), NULL));
    mc_print(mc_linear(mc_float(x), get("embed"), NULL));
    mc_print(mc_mul(get("scale"), mc_float(x)));
    return 0;
}
