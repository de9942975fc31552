/* Words: 16 */
#include <miscast/tensor.h>
#include <stdlib.h>
#include <string.h>

struct node {
    struct node *next;
    char key[16];
    mc_tensor *value;
};

struct map {
    struct node *heads[8];
};

static unsigned bucket(const char *key)
{
    unsigned h = 0;
    for (; *key; key++)
        h = 31 * h + (unsigned)*key;
    return h & 7;
}

static struct node *find(struct map *m, const char *key)
{
    for (struct node *n = m->heads[bucket(key)]; n; n = n->next)
        if (strcmp(n->key, key) == 0)
            return n;
    return NULL;
}

static void set(struct map *m, const char *key, mc_tensor *value)
{
    struct node *n = find(m, key);
    if (!n) {
        n = calloc(1, sizeof *n);
        if (!n)
            abort();
        strncpy(n->key, key, sizeof n->key - 1);
        n->next = m->heads[bucket(key)];
        m->heads[bucket(key)] = n;
    }
    n->value = value;
}

static void cast_all(struct map *m, mc_dtype d)
{
    for (int i = 0; i < 8; i++)
        for (struct node *n = m->heads[i]; n; n = n->next)
            n->value = mc_to(n->value, .dtype = d);
}

int main(int argc, char **argv)
{
    struct map m = {0};
    set(&m, "q", mc_randn(mc_shape(4, 4)));
    set(&m, "k", mc_randn(mc_shape(4, 4)));
    mc_tensor *x = mc_randn(mc_shape(2, 4));
    if (argc > 1 && atoi(argv[1]) == 16) {
        cast_all(&m, MC_BF16);
        x = mc_to(x, .dtype = MC_BF16);
    }
    struct node *q = find(&m, "q"), *k = find(&m, "k");
    if (q && k)
        mc_print(mc_matmul(mc_matmul(x, q->value), k->value));
    return 0;
}
