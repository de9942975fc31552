// The result of argsort is read on the host as floats.
#include "ggml-backend.h"
#include "ggml-cpu.h"
#include "model.h"

#include <algorithm>
#include <utility>
#include <vector>

struct sampler {
    int top_k = 4;
    std::vector<std::pair<int, float>> candidates;

    ggml_tensor *build(ggml_context *ctx, ggml_cgraph *gf, ggml_tensor *logits,
                       ggml_tensor **probs) const
    {
        *probs = ggml_soft_max(ctx, logits);
        ggml_tensor *order = ggml_argsort(ctx, logits, GGML_SORT_ORDER_DESC);
        ggml_set_output(*probs);
        ggml_set_output(order);
        ggml_build_forward_expand(gf, *probs);
        ggml_build_forward_expand(gf, order);
        return order;
    }

    void read(const ggml_tensor *order, const ggml_tensor *probs)
    {
        const size_t n = (size_t)ggml_nelements(order);
        std::vector<float> p(n);
        ggml_backend_tensor_get(probs, p.data(), 0, ggml_nbytes(probs));
#ifdef BUG
        std::vector<float> ids(n);
#else
        std::vector<int32_t> ids(n);
#endif
        ggml_backend_tensor_get(order, ids.data(), 0, ggml_nbytes(order)); // bug
        for (int i = 0; i < top_k; i++)
            candidates.emplace_back((int)ids[i], p[(size_t)ids[i]]);
    }
};

int run(ggml_context *ctx)
{
    sampler s;
    ggml_cgraph *gf = ggml_new_graph(ctx);
    ggml_tensor *probs = nullptr;
    ggml_tensor *order = s.build(ctx, gf, load(ctx, "logits", {16}), &probs);
    place(ctx);
    compute(ctx, gf);
    s.read(order, probs);
    ggml_tensor *out = ggml_new_tensor_1d(ctx, GGML_TYPE_F32, 1);
    float sum = 0.0f;
    for (const auto &c : s.candidates)
        sum += c.second + (float)c.first;
    ggml_set_f32(out, sum);
    ggml_cgraph *last = ggml_new_graph(ctx);
    ggml_build_forward_expand(last, ggml_sqr(ctx, out));
    compute(ctx, last);
    return 0;
}
