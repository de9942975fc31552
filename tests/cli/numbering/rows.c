/* Rows are taken by indices in i32, whatever number that has; with BAD in i8. */
#include "graph.h"

struct ggml_tensor *embed(struct ggml_context *ctx, int n)
{
    struct ggml_tensor *table = ggml_new_tensor_2d(ctx, GGML_TYPE_Q4_0, 32, 64);
#ifdef BAD
    struct ggml_tensor *tokens = ggml_new_tensor_1d(ctx, GGML_TYPE_I8, n);
#else
    struct ggml_tensor *tokens = ggml_new_tensor_1d(ctx, GGML_TYPE_I32, n);
#endif
    int32_t *ids = tokens->type == GGML_TYPE_I32 ? tokens->data : NULL;
    for (int i = 0; ids && i < n; i++)
        ids[i] = i;
    return ggml_get_rows(ctx, table, tokens);
}
