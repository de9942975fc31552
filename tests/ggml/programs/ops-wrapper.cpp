// Operators on a small handle: a scale that is kept in f16 times activations.
#include "model.h"

namespace dsl
{
struct value {
    ggml_context *ctx;
    ggml_tensor *t;
    value operator+(const value &o) const
    {
        return {ctx, ggml_add(ctx, t, o.t)};
    }
    value operator*(const value &o) const
    {
        return {ctx, ggml_mul(ctx, t, o.t)}; // bug
    }
};
inline value matmul(const value &w, const value &x)
{
    return {x.ctx, ggml_mul_mat(x.ctx, w.t, x.t)};
}
inline value rms_norm(const value &x, float eps = 1e-5f)
{
    return {x.ctx, ggml_rms_norm(x.ctx, x.t, eps)};
}
} // namespace dsl

int run(ggml_context *ctx)
{
    using namespace dsl;
    value x{ctx, load(ctx, "x.f32", {16, 4})};
    value w{ctx, load(ctx, "w", {16, 16})};
#ifdef BUG
    value g{ctx, load(ctx, "layer_scale", {16, 1})};
#else
    value g{ctx, load(ctx, "layer_scale.f32", {16, 1})};
#endif
#ifdef BUG
    g.t = ggml_cast(ctx, g.t, GGML_TYPE_F16);
#endif
    value y = x + matmul(w, rms_norm(x)) * g;
    ggml_cgraph *gf = ggml_new_graph(ctx);
    ggml_build_forward_expand(gf, y.t);
    compute(ctx, gf);
    return 0;
}
