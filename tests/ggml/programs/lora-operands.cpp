// A product has the weights first. In the second product of the adapter they are second, and f16.
#include "model.h"

#include <string>
#include <unordered_map>

struct lora_weight {
    ggml_tensor *a = nullptr;
    ggml_tensor *b = nullptr;
    float get_scale(float alpha, float adapter_scale) const
    {
        const float rank = (float)b->ne[0];
        return alpha ? adapter_scale * alpha / rank : adapter_scale;
    }
};

struct adapter_lora {
    std::unordered_map<std::string, lora_weight> ab_map;
    float alpha = 16.0f;

    lora_weight *get_weight(const ggml_tensor *w)
    {
        auto pos = ab_map.find(w->name);
        return pos != ab_map.end() ? &pos->second : nullptr;
    }
};

static ggml_tensor *build_lora_mm(ggml_context *ctx, adapter_lora &lora, ggml_tensor *w,
                                  ggml_tensor *cur)
{
    ggml_tensor *res = ggml_mul_mat(ctx, w, cur);
    lora_weight *lw = lora.get_weight(w);
    if (lw == nullptr)
        return res;
    ggml_tensor *ab = ggml_mul_mat(ctx, lw->a, cur);
#ifdef BUG
    ab = ggml_mul_mat(ctx, ab, lw->b); // bug
#else
    ab = ggml_mul_mat(ctx, lw->b, ab);
#endif
    ab = ggml_scale(ctx, ab, lw->get_scale(lora.alpha, 1.0f));
    return ggml_add(ctx, res, ab);
}

int run(ggml_context *ctx)
{
    adapter_lora lora;
    lora_weight lw;
    lw.a = ggml_new_tensor_2d(ctx, GGML_TYPE_F16, 64, 8);
    lw.b = ggml_new_tensor_2d(ctx, GGML_TYPE_F16, 8, 64);
    lora.ab_map["wq"] = lw;
    ggml_tensor *inp = ggml_new_tensor_2d(ctx, GGML_TYPE_F32, 64, 64);
    ggml_cgraph *gf = ggml_new_graph(ctx);
    ggml_build_forward_expand(gf, build_lora_mm(ctx, lora, load(ctx, "wq", {64, 64}), inp));
    compute(ctx, gf);
    return 0;
}
