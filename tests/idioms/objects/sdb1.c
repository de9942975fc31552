#include <miscast/tensor.h>
#include <string.h>

struct store {
    int n;
    char names[8][16];
    mc_tensor *t[8];
};
static void put(struct store *s, const char *name, mc_tensor *t)
{
    strncpy(s->names[s->n], name, 15);
    s->t[s->n++] = t;
}
static mc_tensor *get(const struct store *s, const char *name)
{
    for (int k = 0; k < s->n; k++)
        if (!strcmp(s->names[k], name))
            return s->t[k];
    return NULL;
}
int main(int argc, char **argv)
{
    static struct store s;
    int half = argc > 1;
    put(&s, "a", mc_rand(mc_shape(4, 4)));
    put(&s, "b", mc_rand(mc_shape(4, 4)));
    mc_tensor *a = get(&s, "a"), *x = mc_rand(mc_shape(4, 4));
    if (half)
        a = mc_half(a);
    if (half)
        x = mc_half(x);
    mc_print(mc_matmul(x, a));
    (void)argv;
}
