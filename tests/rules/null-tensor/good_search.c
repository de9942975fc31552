/* Tensors by their names, which the program knows to be there; and one that may be missing. */

#include <stdlib.h>
#include <string.h>

#include <miscast/tensor.h>

struct named {
    const char *name;
    mc_tensor *t;
    struct named *next;
};

static struct named *add(struct named *all, const char *name, mc_tensor *t)
{
    struct named *n = malloc(sizeof *n);
    n->name = name;
    n->t = t;
    n->next = all;
    return n;
}

static mc_tensor **slot(struct named *all, const char *name)
{
    for (; all; all = all->next)
        if (strcmp(all->name, name) == 0)
            return &all->t;
    return NULL;
}

static mc_tensor *get(struct named *all, const char *name)
{
    mc_tensor **at = slot(all, name);
    return at ? *at : NULL;
}

int main(void)
{
    struct named *all = add(NULL, "w", mc_randn(mc_shape(4, 4), .requires_grad = true));
    all = add(all, "u", mc_randn(mc_shape(4, 4), .requires_grad = true));
    mc_tensor *x = mc_ones(mc_shape(2, 4)), *bias = get(all, "bias");
    x = mc_linear(mc_linear(x, get(all, "w"), NULL), get(all, "u"), NULL);
    if (bias)
        x = mc_add(x, bias);
    mc_backward(mc_sum(x));
    return 0;
}
