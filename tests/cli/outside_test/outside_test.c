/* Whether a tensor that was tested goes on is decided by code that is not here, which may know its
 * type: only the last function is wrong. */
#include "ggml.h"

#include <stdbool.h>
#include <stdio.h>

bool is_supported(const struct ggml_tensor *t);
struct ggml_tensor *entry_of(const struct ggml_tensor *t);

struct ggml_tensor *asked(struct ggml_context *ctx, struct ggml_tensor *t)
{
    if (t->type == GGML_TYPE_I32)
        printf("ints\n");
    return is_supported(t) ? ggml_sqr(ctx, t) : NULL;
}

struct ggml_tensor *found(struct ggml_context *ctx, struct ggml_tensor *t)
{
    if (t->type == GGML_TYPE_I32)
        printf("ints\n");
    struct ggml_tensor *of = entry_of(t);
    return of ? ggml_sqr(ctx, t) : NULL;
}

struct ggml_tensor *graded(struct ggml_context *ctx, struct ggml_cgraph *g, struct ggml_tensor *t)
{
    if (t->type == GGML_TYPE_I32)
        printf("ints\n");
    return ggml_graph_get_grad(g, t) ? ggml_sqr(ctx, t) : NULL;
}

struct ggml_tensor *shown(struct ggml_context *ctx, struct ggml_tensor *t)
{
    if (t->type == GGML_TYPE_I32)
        printf("ints\n");
    return ggml_sqr(ctx, t);
}
