// An operation of the program itself, with operands in a list: the second is i32 and read as i64.
#include "model.h"
#include "ggml-cpu.h"
#include <vector>

struct shift_params {
    int n_rows;
};

template <typename T> static T row_of(const ggml_tensor *ids, int64_t i)
{
    return static_cast<const T *>(ids->data)[i];
}

static void gather_op(ggml_tensor *dst, int ith, int nth, void *userdata)
{
    auto *p = static_cast<shift_params *>(userdata);
    const ggml_tensor *src = dst->src[0];
    const ggml_tensor *ids = dst->src[1];
    (void)nth;
    if (ith != 0)
        return;
    for (int64_t i = 0; i < p->n_rows; ++i) {
#ifdef BUG
        const int64_t r = row_of<int64_t>(ids, i / 2) & 7; // bug
#else
        const int64_t r = row_of<int32_t>(ids, i) & 7;
#endif
        for (int64_t j = 0; j < dst->ne[0]; ++j)
            ((float *)dst->data)[i * dst->ne[0] + j] =
                ((const float *)src->data)[r * src->ne[0] + j];
    }
}

static shift_params params = {4};

int run(ggml_context *ctx)
{
    ggml_tensor *x = load(ctx, "x.f32", {16, 8});
    ggml_tensor *ids = ggml_new_tensor_1d(ctx, GGML_TYPE_I32, 4);
    for (int i = 0; i < 4; i++)
        ggml_set_i32_1d(ids, i, 2 * i + 1);
    ggml_tensor *args[] = {x, ids};
    ggml_tensor *cur =
        ggml_custom_4d(ctx, GGML_TYPE_F32, 16, 4, 1, 1, args, 2, gather_op, 1, &params);
    ggml_cgraph *gf = ggml_new_graph(ctx);
    ggml_build_forward_expand(gf, cur);
    compute(ctx, gf);
    return 0;
}
