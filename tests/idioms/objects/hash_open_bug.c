#include <miscast/tensor.h>
#include <stdlib.h>
#include <string.h>

#define SLOTS 16

struct entry {
    const char *name;
    mc_tensor *value;
};

struct table {
    struct entry slots[SLOTS];
    int used;
};

static unsigned hash(const char *s)
{
    unsigned h = 5381;
    while (*s)
        h = h * 33 + (unsigned char)*s++;
    return h;
}

static struct entry *slot_of(struct table *t, const char *name)
{
    unsigned at = hash(name) % SLOTS;
    while (t->slots[at].name && strcmp(t->slots[at].name, name) != 0)
        at = (at + 1) % SLOTS;
    return &t->slots[at];
}

static void put(struct table *t, const char *name, mc_tensor *value)
{
    struct entry *e = slot_of(t, name);
    if (!e->name) {
        e->name = name;
        t->used++;
    }
    e->value = value;
}

static mc_tensor *get(struct table *t, const char *name)
{
    struct entry *e = slot_of(t, name);
    return e->name ? e->value : NULL;
}

int main(int argc, char **argv)
{
    struct table t = {0};
    bool half = argc > 1 && !strcmp(argv[1], "half");
    put(&t, "weight", mc_randn(mc_shape(8, 4), .dtype = half ? MC_F16 : MC_F32));
    put(&t, "bias", mc_zeros(mc_shape(8)));
    mc_tensor *x = mc_ones(mc_shape(2, 4), .dtype = half ? MC_F16 : MC_F32);
    mc_tensor *w = get(&t, "weight"), *b = get(&t, "bias");
    if (!w || !b)
        return 1;
    mc_print(mc_linear(x, w, b));
    return 0;
}
