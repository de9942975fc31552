/* Operations, which only add to a graph; one of them checks its operand then. */
#include "ggml.h"

static struct ggml_tensor *add(struct ggml_context *ctx, int op, struct ggml_tensor *a,
                               struct ggml_tensor *b)
{
    struct ggml_tensor *t = ggml_new_tensor(ctx, op == 2 ? a->type : GGML_TYPE_F32, 4, a->ne);
    t->op = op;
    t->src[0] = a;
    t->src[1] = b;
    return t;
}

struct ggml_tensor *ggml_new_tensor_2d(struct ggml_context *ctx, enum ggml_type type, int64_t ne0,
                                       int64_t ne1)
{
    const int64_t ne[] = {ne0, ne1};
    return ggml_new_tensor(ctx, type, 2, ne);
}

struct ggml_tensor *ggml_mul_mat(struct ggml_context *ctx, struct ggml_tensor *a,
                                 struct ggml_tensor *b)
{
    GGML_ASSERT(a->ne[0] == b->ne[0]);
    return add(ctx, 1, a, b);
}

struct ggml_tensor *ggml_rms_norm(struct ggml_context *ctx, struct ggml_tensor *a, float eps)
{
    (void)eps;
    return add(ctx, 2, a, NULL);
}

struct ggml_tensor *ggml_interpolate(struct ggml_context *ctx, struct ggml_tensor *a, int64_t ne0,
                                     int64_t ne1, int64_t ne2, int64_t ne3, uint32_t mode)
{
    (void)ne0, (void)ne1, (void)ne2, (void)ne3, (void)mode;
    GGML_ASSERT(a->type == GGML_TYPE_F32);
    return add(ctx, 3, a, NULL);
}
