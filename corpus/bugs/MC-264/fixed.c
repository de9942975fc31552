/* bug.c, fixed: the kernel takes f16 too. */
#include <stdio.h>

#include <miscast/tensor.h>

enum { NODES = 4 };

struct node {
    mc_tensor *a, *b, *result;
};

struct graph {
    struct node nodes[NODES];
    int count;
};

static int graph_add(struct graph *g, mc_tensor *a, mc_tensor *b)
{
    g->nodes[g->count] = (struct node){.a = a, .b = b};
    return g->count++;
}

static mc_tensor *add_kernel(mc_tensor *a, mc_tensor *b)
{
    MC_EXPECT(b, MC_DTYPES(MC_F16, MC_F32), MC_CUDA);
    return mc_add(a, b);
}

static void graph_compute(struct graph *g)
{
    for (int i = 0; i < g->count; i++) {
        struct node *n = &g->nodes[i];
        n->result = add_kernel(n->a, n->b);
    }
}

int main(void)
{
    struct graph g = {.count = 0};
    mc_tensor *a = mc_ones(mc_shape(4), .dtype = MC_F16, .device = MC_CUDA);
    mc_tensor *b = mc_ones(mc_shape(4), .dtype = MC_F16, .device = MC_CUDA);
    int sum = graph_add(&g, a, b);
    graph_compute(&g);
    mc_print(mc_cpu(g.nodes[sum].result));
    return 0;
}
