// An adapter's two matrices come from different files: f16 and bf16 are not multiplied.
#include "model.h"

#include <map>
#include <string>

struct LoraModel {
    float multiplier = 1.0f;
    std::map<std::string, ggml_tensor *> lora_tensors;

    void add(const std::string &name, ggml_tensor *t)
    {
        lora_tensors[name] = t;
    }

    ggml_tensor *get_diff(ggml_context *ctx, const std::string &key)
    {
        ggml_tensor *up = nullptr, *down = nullptr;
        std::string up_name = key + ".lora_up.weight";
        std::string down_name = key + ".lora_down.weight";
        if (lora_tensors.find(up_name) != lora_tensors.end())
            up = lora_tensors[up_name];
        if (lora_tensors.find(down_name) != lora_tensors.end())
            down = lora_tensors[down_name];
        if (up == nullptr || down == nullptr)
            return nullptr;
        ggml_tensor *down_t = ggml_cont(ctx, ggml_transpose(ctx, down));
        return ggml_mul_mat(ctx, down_t, up); // bug
    }
};

int run(ggml_context *ctx)
{
    LoraModel lora;
    ggml_tensor *up = ggml_new_tensor_2d(ctx, GGML_TYPE_F16, 4, 16);
#ifdef BUG
    ggml_tensor *down = ggml_new_tensor_2d(ctx, GGML_TYPE_BF16, 16, 4);
#else
    ggml_tensor *down = ggml_new_tensor_2d(ctx, GGML_TYPE_F16, 16, 4);
#endif
    ggml_set_zero(up);
    ggml_set_zero(down);
    lora.add("model.q.lora_up.weight", up);
    lora.add("model.q.lora_down.weight", down);
    ggml_tensor *diff = lora.get_diff(ctx, "model.q");
    ggml_cgraph *gf = ggml_new_graph(ctx);
    if (diff != nullptr)
        ggml_build_forward_expand(gf, ggml_scale(ctx, diff, lora.multiplier));
    compute(ctx, gf);
    return 0;
}
