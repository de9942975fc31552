#include <miscast/tensor.h>
#include <stdlib.h>

struct layer {
    mc_tensor *w, *b;
    struct layer *next;
};

static struct layer *push(struct layer *head, int64_t in, int64_t out)
{
    struct layer *l = malloc(sizeof *l);
    l->w = mc_randn(mc_shape(out, in));
    l->b = mc_zeros(mc_shape(out));
    l->next = head;
    return l;
}

static void to(struct layer *l, mc_dtype dtype)
{
    for (; l; l = l->next) {
        l->w = mc_to_dtype(l->w, dtype);
        if (l->next)
            l->b = mc_to_dtype(l->b, dtype);
    }
}

static mc_tensor *forward(const struct layer *l, mc_tensor *x)
{
    for (; l; l = l->next)
        x = mc_tanh(mc_linear(x, l->w, l->b));
    return x;
}

static void destroy(struct layer *l)
{
    while (l) {
        struct layer *next = l->next;
        free(l);
        l = next;
    }
}

int main(int argc, char **argv)
{
    struct layer *net = NULL;
    int depth = argc > 1 ? atoi(argv[1]) : 2;
    for (int i = 0; i < depth && i < 5; i++)
        net = push(net, 4, 4);
    to(net, MC_BF16);
    mc_print(forward(net, mc_ones(mc_shape(1, 4), .dtype = MC_BF16)));
    destroy(net);
    (void)argv;
    return 0;
}
