/* Computing: each node in two threads, of which both notice what is wrong. */
#include "ggml.h"

#include <pthread.h>

void ggml_compute_forward_mul_mat(struct ggml_tensor *dst);
void ggml_compute_forward_mul_mat(struct ggml_tensor *dst)
{
    const struct ggml_tensor *src1 = dst->src[1];
    GGML_ASSERT(src1->type == GGML_TYPE_F32);
}

void ggml_compute_forward_rms_norm(struct ggml_tensor *dst);
void ggml_compute_forward_rms_norm(struct ggml_tensor *dst)
{
    switch (dst->src[0]->type) {
    case GGML_TYPE_F32:
        break;
    default:
        ggml_abort(__FILE__, __LINE__, "fatal error");
    }
}

static void *ggml_graph_compute_thread(void *graph)
{
    struct ggml_cgraph *g = graph;
    for (int i = 0; i < g->n_nodes; i++)
        if (g->nodes[i]->op == 1)
            ggml_compute_forward_mul_mat(g->nodes[i]);
        else if (g->nodes[i]->op == 2)
            ggml_compute_forward_rms_norm(g->nodes[i]);
    return NULL;
}

int ggml_graph_compute(struct ggml_cgraph *graph, struct ggml_cplan *plan)
{
    pthread_t threads[2];
    (void)plan;
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, ggml_graph_compute_thread, graph);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
