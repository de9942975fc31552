// Tiles are sorted and merged through pointers to float; they are f16.
#include "model.h"
#include "ggml-cpu.h"

#include <algorithm>
#include <vector>

struct tile {
    int x;
    ggml_tensor *t;
};

static void merge(const ggml_tensor *in, ggml_tensor *out, int x)
{
    for (int64_t i = 0; i < in->ne[0] / 2; ++i)
        ((float *)out->data)[x + i] = ((const float *)in->data)[i]; // bug
}

int run(ggml_context *ctx)
{
    std::vector<tile> tiles;
    for (int x = 1; x >= 0; --x) {
#ifdef BUG
        ggml_tensor *t = ggml_new_tensor_1d(ctx, GGML_TYPE_F16, 16);
#else
        ggml_tensor *t = ggml_new_tensor_1d(ctx, GGML_TYPE_F32, 16);
#endif
        ggml_set_f32(t, 0.25f);
        tiles.push_back({16 * x, t});
    }
    std::sort(tiles.begin(), tiles.end(), [](const tile &a, const tile &b) { return a.x < b.x; });
    ggml_tensor *image = ggml_new_tensor_1d(ctx, GGML_TYPE_F32, 32);
    ggml_set_f32(image, 0.0f);
    std::for_each(tiles.begin(), tiles.end(), [&](const tile &t) { merge(t.t, image, t.x); });
    ggml_cgraph *gf = ggml_new_graph(ctx);
    ggml_build_forward_expand(gf, ggml_scale(ctx, image, 2.0f));
    compute(ctx, gf);
    return 0;
}
