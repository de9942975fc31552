#include <miscast/tensor.h>
#include <stdlib.h>
#include <string.h>

/* A tree of modules; a visitor is applied to every parameter. */
struct node {
    mc_tensor *param; /* or NULL */
    struct node *child, *sibling;
};

static struct node *leaf(mc_tensor *param)
{
    struct node *n = calloc(1, sizeof *n);
    n->param = param;
    return n;
}

static struct node *group(struct node *first, struct node *second)
{
    struct node *n = leaf(NULL);
    n->child = first;
    first->sibling = second;
    return n;
}

typedef mc_tensor *(*visitor)(mc_tensor *, void *);

static void visit(struct node *n, visitor fn, void *ctx)
{
    for (; n; n = n->sibling) {
        if (n->param)
            n->param = fn(n->param, ctx);
        visit(n->child, fn, ctx);
    }
}

static mc_tensor *to_dtype(mc_tensor *t, void *ctx)
{
    return mc_to_dtype(t, *(mc_dtype *)ctx);
}

int main(int argc, char **argv)
{
    mc_dtype dtype = MC_F32;
    struct node *w1 = leaf(mc_randn(mc_shape(4, 4))), *w2 = leaf(mc_randn(mc_shape(2, 4)));
    struct node *root = group(w1, w2);
    if (argc > 1 && strcmp(argv[1], "half") == 0) {
        dtype = MC_F16;
        visit(root, to_dtype, &dtype);
    }
    mc_tensor *x = mc_ones(mc_shape(1, 4), .dtype = dtype);
    mc_print(mc_linear(mc_relu(mc_linear(x, w1->param, NULL)), w2->param, NULL));
    return 0;
}
