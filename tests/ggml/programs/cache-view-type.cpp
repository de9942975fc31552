// Keys are kept in a type that an option chooses; they are viewed with the size of rows of f16,
// which is none of the choices.
#include "model.h"

#include <cstring>

struct key_cache {
    ggml_type type = GGML_TYPE_F32;
    int64_t n_embd = 32, n_ctx = 8;
    ggml_tensor *k = nullptr;

    bool set_type(const char *name)
    {
        static const ggml_type known[] = {GGML_TYPE_F32, GGML_TYPE_Q8_0};
        for (ggml_type t : known)
            if (strcmp(ggml_type_name(t), name) == 0) {
                type = t;
                return true;
            }
        return false;
    }
    ggml_tensor *rows(ggml_context *ctx, int64_t from, int64_t count) const
    {
#ifdef BUG
        const size_t row = ggml_row_size(GGML_TYPE_F16, n_embd);
#else
        const size_t row = ggml_row_size(k->type, n_embd);
#endif
        return ggml_view_2d(ctx, k, n_embd, count, row, from * row); // bug
    }
};

int run(ggml_context *ctx)
{
    key_cache cache;
    if (!cache.set_type("f32"))
        return 1;
    cache.k = ggml_new_tensor_2d(ctx, cache.type, cache.n_embd, cache.n_ctx);
    ggml_tensor *q = load(ctx, "q.f32", {32, 4});
    ggml_cgraph *gf = ggml_new_graph(ctx);
    ggml_build_forward_expand(gf, ggml_cpy(ctx, load(ctx, "k.f32", {32, 8}), cache.k));
    ggml_build_forward_expand(gf, ggml_mul_mat(ctx, cache.rows(ctx, 2, 4), q));
    compute(ctx, gf);
    return 0;
}
