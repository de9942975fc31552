/* Another version of the library than the one that is known: nothing is known of its rope. */
#include "graph.h"

struct ggml_tensor *keys(struct ggml_context *ctx, int n)
{
    struct ggml_tensor *k = ggml_new_tensor_2d(ctx, GGML_TYPE_F32, 32, n);
    return ggml_rope(ctx, k, 0, 32, 0, 0);
}
