/* What programs call. */
#include "ggml.h"

int ggml_backend_graph_compute(struct ggml_backend *backend, struct ggml_cgraph *graph)
{
    (void)backend;
    return ggml_graph_compute(graph, NULL);
}
