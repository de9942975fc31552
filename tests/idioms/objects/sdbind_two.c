#include <miscast/tensor.h>
#include <stdio.h>
#include <string.h>

#define MAXP 32
struct store {
    const char *file;
    int n;
    char names[MAXP][48];
    mc_tensor *t[MAXP];
};
struct block {
    mc_tensor *w, *b;
};

static void put(struct store *s, const char *name, mc_tensor *t)
{
    strncpy(s->names[s->n], name, sizeof s->names[0] - 1);
    s->t[s->n++] = t;
}

static mc_tensor *get(const struct store *s, const char *fmt, int i)
{
    char name[48];
    snprintf(name, sizeof name, fmt, i);
    for (int k = 0; k < s->n; k++)
        if (!strcmp(s->names[k], name))
            return s->t[k];
    return NULL;
}

int main(int argc, char **argv)
{
    static struct store s;
    char name[48];
    int half = argc > 1 && !strcmp(argv[1], "half");
    for (int i = 0; i < 2; i++) {
        snprintf(name, sizeof name, "h.%d.w", i);
        put(&s, name, mc_rand(mc_shape(4, 4)));
        snprintf(name, sizeof name, "h.%d.b", i);
        put(&s, name, mc_rand(mc_shape(4)));
    }
    struct block blocks[2];
    for (int i = 0; i < 2; i++) {
        blocks[i].w = get(&s, "h.%d.w", i);
        blocks[i].b = get(&s, "h.%d.b", i);
        if (half) {
            blocks[i].w = mc_half(blocks[i].w);
            blocks[i].b = mc_half(blocks[i].b);
        }
    }
    mc_tensor *x = half ? mc_half(mc_ones(mc_shape(1, 4))) : mc_ones(mc_shape(1, 4));
    for (int i = 0; i < 2; i++)
        x = mc_linear(x, blocks[i].w, blocks[i].b);
    mc_print(x);
    return 0;
}
