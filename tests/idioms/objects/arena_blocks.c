#include <miscast/tensor.h>
#include <stdlib.h>
#include <string.h>

/* Layers live in a block that is handed out piece by piece, each cleared. */
struct pool {
    unsigned char *block;
    size_t at, room;
};

static void *pool_zeroed(struct pool *p, size_t bytes)
{
    bytes = (bytes + 7) / 8 * 8;
    if (bytes > p->room - p->at)
        abort();
    unsigned char *piece = p->block + p->at;
    memset(piece, 0, bytes);
    p->at += bytes;
    return piece;
}

struct conv {
    mc_tensor *kernel, *bias;
    struct conv *next;
};

struct net {
    struct conv *first;
    int count;
};

static void net_add(struct pool *p, struct net *n, int64_t in, int64_t out)
{
    struct conv *c = pool_zeroed(p, sizeof *c);
    c->kernel = mc_randn(mc_shape(out, in, 3, 3));
    if (n->count == 0)
        c->bias = mc_zeros(mc_shape(out));
    c->next = n->first;
    n->first = c;
    n->count++;
}

static void net_half(struct net *n)
{
    for (struct conv *c = n->first; c; c = c->next) {
        c->kernel = mc_half(c->kernel);
        c->bias = c->bias ? mc_half(c->bias) : NULL;
    }
}

int main(int argc, char **argv)
{
    struct pool p = {malloc(1024), 0, 1024};
    if (!p.block)
        return 1;
    struct net *n = pool_zeroed(&p, sizeof *n);
    net_add(&p, n, 4, 8);
    net_add(&p, n, 3, 4);
    bool half = argc > 1 && strcmp(argv[1], "-h") == 0;
    mc_tensor *x = mc_randn(mc_shape(1, 3, 8, 8));
    if (half) {
        net_half(n);
        x = mc_half(x);
    }
    for (struct conv *c = n->first; c; c = c->next)
        x = mc_conv2d(x, c->kernel, c->bias);
    mc_print(x);
    free(p.block);
    return 0;
}
