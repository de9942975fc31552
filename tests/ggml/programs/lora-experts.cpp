// Adapters of experts: what the first matrix yields is cast to bf16, the second one is f16.
#include "model.h"
#include <map>
#include <memory>
#include <unordered_map>
#include <vector>

struct lora_weight {
    ggml_tensor *a = nullptr;
    ggml_tensor *b = nullptr;
    lora_weight() = default;
    lora_weight(ggml_tensor *a, ggml_tensor *b) : a(a), b(b)
    {
    }
    float get_scale(float alpha, float adapter_scale) const
    {
        const float rank = (float)b->ne[0];
        return alpha ? adapter_scale * alpha / rank : adapter_scale;
    }
};

struct lora_adapter {
    std::unordered_map<ggml_tensor *, lora_weight> ab_map;
    float alpha = 16.0f;
    bool half_between = false;
    lora_weight *get_weight(ggml_tensor *w)
    {
        auto pos = ab_map.find(w);
        return pos != ab_map.end() ? &pos->second : nullptr;
    }
};

using lora_adapters = std::map<lora_adapter *, float>;

struct expert_graph {
    ggml_context *ctx0;
    const lora_adapters *loras;

    ggml_tensor *build_lora_mm_id(ggml_tensor *w, ggml_tensor *cur, ggml_tensor *ids) const
    {
        ggml_tensor *res = ggml_mul_mat_id(ctx0, w, cur, ids);
        for (const auto &lora : *loras) {
            lora_weight *lw = lora.first->get_weight(w);
            if (lw == nullptr)
                continue;
            const float scale = lw->get_scale(lora.first->alpha, lora.second);
            ggml_tensor *mid = ggml_mul_mat_id(ctx0, lw->a, cur, ids);
            if (lora.first->half_between)
                mid = ggml_cast(ctx0, mid, GGML_TYPE_BF16);
            ggml_tensor *ab_cur = ggml_mul_mat_id(ctx0, lw->b, mid, ids); // bug
            res = ggml_add(ctx0, res, ggml_scale(ctx0, ab_cur, scale));
        }
        return res;
    }
};

int run(ggml_context *ctx)
{
    ggml_tensor *up = ggml_new_tensor_3d(ctx, GGML_TYPE_F16, 16, 8, 4);
    lora_adapter adapter;
    adapter.ab_map[up] = lora_weight(ggml_new_tensor_3d(ctx, GGML_TYPE_F16, 16, 4, 4),
                                     ggml_new_tensor_3d(ctx, GGML_TYPE_F16, 4, 8, 4));
#ifdef BUG
    adapter.half_between = true;
#endif
    lora_adapters loras;
    loras[&adapter] = 1.0f;
    expert_graph g{ctx, &loras};
    ggml_tensor *cur = load(ctx, "x.f32", {16, 1, 3});
    ggml_tensor *ids = ggml_new_tensor_2d(ctx, GGML_TYPE_I32, 2, 3);
    ggml_cgraph *gf = ggml_new_graph(ctx);
    ggml_build_forward_expand(gf, g.build_lora_mm_id(up, cur, ids));
    compute(ctx, gf);
    return 0;
}
