// An adapter's product is merged into a quantised weight: the weight is the first operand.
#include "model.h"

#include <string>
#include <unordered_map>

struct LoraModel {
    float multiplier = 1.0f;
    std::unordered_map<std::string, ggml_tensor *> lora_tensors;

    ggml_tensor *get_delta(ggml_context *ctx, const std::string &base) const
    {
        const auto up = lora_tensors.find(base + ".lora_up.weight");
        const auto down = lora_tensors.find(base + ".lora_down.weight");
        if (up == lora_tensors.end() || down == lora_tensors.end())
            return nullptr;
        ggml_tensor *down_t = ggml_cont(ctx, ggml_transpose(ctx, down->second));
        return ggml_scale(ctx, ggml_mul_mat(ctx, down_t, up->second), multiplier);
    }

    void apply(ggml_context *ctx, ggml_cgraph *gf,
               const std::unordered_map<std::string, ggml_tensor *> &model) const
    {
        for (const auto &it : model) {
            ggml_tensor *delta = get_delta(ctx, it.first);
            if (!delta)
                continue;
#ifdef BUG
            ggml_tensor *merged = ggml_add(ctx, delta, it.second); // bug
#else
            ggml_tensor *merged = ggml_cast(ctx, ggml_add(ctx, it.second, delta), GGML_TYPE_F32);
#endif
            ggml_build_forward_expand(gf, merged);
        }
    }
};

int run(ggml_context *ctx)
{
    std::unordered_map<std::string, ggml_tensor *> model;
    model["attn.to_q"] = ggml_new_tensor_2d(ctx, GGML_TYPE_Q8_0, 32, 32);
    ggml_set_zero(model["attn.to_q"]);
    LoraModel lora;
    lora.lora_tensors["attn.to_q.lora_up.weight"] = load(ctx, "up", {4, 32});
    lora.lora_tensors["attn.to_q.lora_down.weight"] = load(ctx, "down", {32, 4});
    ggml_cgraph *gf = ggml_new_graph(ctx);
    lora.apply(ctx, gf, model);
    compute(ctx, gf);
    return 0;
}
