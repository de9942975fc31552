/* Aborting, tensors and graphs. */
#include "ggml.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void ggml_abort(const char *file, int line, const char *format, ...)
{
    va_list rest;
    va_start(rest, format);
    fprintf(stderr, "%s:%d: ", file, line);
    vfprintf(stderr, format, rest);
    va_end(rest);
    abort();
}

struct ggml_tensor *ggml_new_tensor(struct ggml_context *ctx, enum ggml_type type, int n_dims,
                                    const int64_t *ne)
{
    struct ggml_tensor *t = calloc(1, sizeof *t);
    (void)ctx;
    t->type = type;
    memcpy(t->ne, ne, sizeof *ne * (size_t)n_dims);
    return t;
}

int ggml_graph_n_nodes(struct ggml_cgraph *graph)
{
    return graph->n_nodes;
}

struct ggml_tensor *ggml_graph_node(struct ggml_cgraph *graph, int i)
{
    return graph->nodes[i];
}

struct ggml_cgraph ggml_graph_view(struct ggml_cgraph *graph, int i0, int i1)
{
    struct ggml_cgraph view = {.n_nodes = i1 - i0};
    memcpy(view.nodes, graph->nodes + i0, sizeof view.nodes[0] * (size_t)(i1 - i0));
    return view;
}

void ggml_build_forward_expand(struct ggml_cgraph *graph, struct ggml_tensor *tensor)
{
    for (int i = 0; i < 2; i++)
        if (tensor->src[i] && tensor->src[i]->op)
            ggml_build_forward_expand(graph, tensor->src[i]);
    graph->nodes[graph->n_nodes++] = tensor;
}
