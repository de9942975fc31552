// An operation of the program's own takes its second operand for ints.
#include "model.h"

struct pick_params {
    int stride;
};

static void pick(ggml_tensor *dst, const ggml_tensor *a, const ggml_tensor *b, int ith, int nth,
                 void *userdata)
{
    const pick_params *p = static_cast<const pick_params *>(userdata);
    const float *src = static_cast<const float *>(a->data);
    const int32_t *idx = static_cast<const int32_t *>(b->data); // bug
    float *out = static_cast<float *>(dst->data);
    for (int64_t i = ith; i < dst->ne[0]; i += nth)
        out[i] = src[(idx[i % b->ne[0]] * p->stride) & 7];
}

class sampler
{
    ggml_context *ctx;
    pick_params params = {1};

  public:
    explicit sampler(ggml_context *c) : ctx(c)
    {
    }
    ggml_tensor *forward(ggml_tensor *x, ggml_tensor *ids)
    {
        return ggml_map_custom2(ctx, x, ids, pick, 1, &params);
    }
};

int run(ggml_context *ctx)
{
    static sampler s(ctx);
    ggml_tensor *x = load(ctx, "x.f32", {16, 1});
    ggml_tensor *scores = load(ctx, "scores.f32", {16, 1});
#ifdef BUG
    ggml_tensor *ids =
        ggml_cast(ctx, ggml_argsort(ctx, scores, GGML_SORT_ORDER_DESC), GGML_TYPE_F32);
#else
    ggml_tensor *ids = ggml_argsort(ctx, scores, GGML_SORT_ORDER_DESC);
#endif
    ggml_cgraph *gf = ggml_new_graph(ctx);
    ggml_build_forward_expand(gf, s.forward(x, ids));
    compute(ctx, gf);
    return 0;
}
