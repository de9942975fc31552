// Adapters are found with std::find_if; the f16 matrix of one is scaled instead of the result.
#include "model.h"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

struct lora_weight {
    ggml_tensor *a, *b;
    lora_weight(ggml_tensor *a, ggml_tensor *b) : a(a), b(b)
    {
    }
};

struct adapter {
    std::vector<std::pair<std::string, lora_weight>> weights;

    const lora_weight *find(const ggml_tensor *w) const
    {
        const std::string name(ggml_get_name(w));
        auto at = std::find_if(weights.begin(), weights.end(),
                               [&](const auto &p) { return p.first == name; });
        return at == weights.end() ? nullptr : &at->second;
    }
};

static ggml_tensor *multiply(ggml_context *ctx,
                             const std::unordered_map<adapter *, float> &adapters, ggml_tensor *w,
                             ggml_tensor *x)
{
    ggml_tensor *y = ggml_mul_mat(ctx, w, x);
    for (const auto &with : adapters) {
        const lora_weight *l = with.first->find(w);
        if (!l)
            continue;
#ifdef BUG
        ggml_tensor *b = ggml_scale(ctx, l->b, with.second); // bug
        ggml_tensor *ab = ggml_mul_mat(ctx, b, ggml_mul_mat(ctx, l->a, x));
#else
        ggml_tensor *ab = ggml_mul_mat(ctx, l->b, ggml_mul_mat(ctx, l->a, x));
        ab = ggml_scale(ctx, ab, with.second);
#endif
        y = ggml_add(ctx, y, ab);
    }
    return y;
}

int run(ggml_context *ctx)
{
    ggml_tensor *w = ggml_new_tensor_2d(ctx, GGML_TYPE_F16, 16, 16);
    ggml_set_name(w, "attn_q");
    adapter a;
    a.weights.emplace_back("attn_q", lora_weight(ggml_new_tensor_2d(ctx, GGML_TYPE_F16, 16, 4),
                                                 ggml_new_tensor_2d(ctx, GGML_TYPE_F16, 4, 16)));
    std::unordered_map<adapter *, float> adapters;
    adapters[&a] = 0.5f;
    ggml_cgraph *gf = ggml_new_graph(ctx);
    ggml_build_forward_expand(gf, multiply(ctx, adapters, w, load(ctx, "x", {16})));
    compute(ctx, gf);
    return 0;
}
