// The type of a new tensor is looked up in a table by what the tensor is for.
#include "model.h"
#include <map>
#include <string>

enum class tensor_kind { embedding, norm, matrix };

static const std::map<tensor_kind, ggml_type> kind_types = {
    {tensor_kind::embedding, GGML_TYPE_F16},
#ifdef BUG
    {tensor_kind::norm, GGML_TYPE_F16},
#else
    {tensor_kind::norm, GGML_TYPE_F32},
#endif
    {tensor_kind::matrix, GGML_TYPE_F16},
};

static ggml_tensor *create(ggml_context *ctx, tensor_kind kind, const std::string &name,
                           int64_t ne0, int64_t ne1 = 1)
{
    auto it = kind_types.find(kind);
    if (it == kind_types.end())
        return nullptr;
    ggml_tensor *t = ggml_new_tensor_2d(ctx, it->second, ne0, ne1);
    ggml_set_name(t, name.c_str());
    return t;
}

int run(ggml_context *ctx)
{
    ggml_tensor *wte = create(ctx, tensor_kind::embedding, "wte", 16, 32);
    ggml_tensor *ln = create(ctx, tensor_kind::norm, "ln_f.weight", 16);
    ggml_tensor *head = create(ctx, tensor_kind::matrix, "lm_head", 16, 32);
    ggml_tensor *ids = ggml_new_tensor_1d(ctx, GGML_TYPE_I32, 4);
    ggml_tensor *x = ggml_get_rows(ctx, wte, ids);
    x = ggml_mul(ctx, ggml_norm(ctx, x, 1e-5f), ln); // bug
    ggml_cgraph *gf = ggml_new_graph(ctx);
    ggml_build_forward_expand(gf, ggml_mul_mat(ctx, head, x));
    compute(ctx, gf);
    return 0;
}
