/* bug.c, fixed: the rows are copied into one array first. */
#include <stdio.h>
#include <stdlib.h>

#include <miscast/tensor.h>

enum { EDGES = 4 };

struct graph {
    int count;
    int32_t **edges; /* each: from, to */
};

static struct graph graph_ring(int n)
{
    struct graph g = {n, malloc((size_t)n * sizeof *g.edges)};
    for (int i = 0; i < n; i++) {
        g.edges[i] = malloc(2 * sizeof **g.edges);
        g.edges[i][0] = i;
        g.edges[i][1] = (i + 1) % n;
    }
    return g;
}

static mc_tensor *edge_index(const struct graph *g)
{
    int32_t *flat = malloc((size_t)g->count * 2 * sizeof *flat);
    for (int i = 0; i < 2 * g->count; i++)
        flat[i] = g->edges[i / 2][i % 2];
    mc_tensor *t = mc_from_array(flat, mc_shape(g->count, 2));
    free(flat);
    return t;
}

int main(void)
{
    struct graph g = graph_ring(EDGES);
    mc_tensor *edges = edge_index(&g);
    int64_t highest = mc_item_int(mc_max(edges));
    printf("the highest node is %lld\n", (long long)highest);
    for (int i = 0; i < g.count; i++)
        free(g.edges[i]);
    free(g.edges);
    return highest != EDGES - 1;
}
