/* A stand-in for ggml, as far as the test of verify --run needs it: the names and the order of
 * arguments are ggml's. Tensors are never freed. */
#ifndef GGML_H
#define GGML_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum ggml_type { GGML_TYPE_F32 = 0, GGML_TYPE_F16 = 1 };

struct ggml_context;
struct ggml_backend;
struct ggml_cplan;

struct ggml_tensor {
    enum ggml_type type;
    int64_t ne[4];
    size_t nb[4];
    int op;
    struct ggml_tensor *src[2];
    void *data;
};

struct ggml_cgraph {
    int n_nodes;
    struct ggml_tensor *nodes[64];
};

#define GGML_ASSERT(x)                                                                             \
    if (!(x))                                                                                      \
    ggml_abort(__FILE__, __LINE__, "GGML_ASSERT(%s) failed", #x)
_Noreturn void ggml_abort(const char *file, int line, const char *format, ...);

struct ggml_tensor *ggml_new_tensor(struct ggml_context *ctx, enum ggml_type type, int n_dims,
                                    const int64_t *ne);
struct ggml_tensor *ggml_new_tensor_2d(struct ggml_context *ctx, enum ggml_type type, int64_t ne0,
                                       int64_t ne1);
struct ggml_tensor *ggml_mul_mat(struct ggml_context *ctx, struct ggml_tensor *a,
                                 struct ggml_tensor *b);
struct ggml_tensor *ggml_rms_norm(struct ggml_context *ctx, struct ggml_tensor *a, float eps);
struct ggml_tensor *ggml_interpolate(struct ggml_context *ctx, struct ggml_tensor *a, int64_t ne0,
                                     int64_t ne1, int64_t ne2, int64_t ne3, uint32_t mode);
void ggml_build_forward_expand(struct ggml_cgraph *graph, struct ggml_tensor *tensor);
int ggml_graph_n_nodes(struct ggml_cgraph *graph);
struct ggml_tensor *ggml_graph_node(struct ggml_cgraph *graph, int i);
struct ggml_cgraph ggml_graph_view(struct ggml_cgraph *graph, int i0, int i1);
int ggml_graph_compute(struct ggml_cgraph *graph, struct ggml_cplan *plan);
int ggml_backend_graph_compute(struct ggml_backend *backend, struct ggml_cgraph *graph);

#endif
