// Statistics are collected from the operands of products while the graph is computed: from the
// weights, which are f16, instead of from what they are multiplied by.
#include "model.h"
#include "ggml-backend.h"
#include "ggml-cpu.h"
#include <cstring>
#include <string>
#include <unordered_map>
#include <vector>

struct stats {
    std::vector<float> values;
    int ncall = 0;
};

class collector
{
    std::unordered_map<std::string, stats> m_stats;
    std::vector<float> m_data;

  public:
    bool collect(ggml_tensor *t, bool ask)
    {
        const ggml_tensor *src0 = t->src[0];
        const ggml_tensor *src1 = t->src[1];
        if (ask)
            return t->op == GGML_OP_MUL_MAT;
#ifdef BUG
        const ggml_tensor *from = src0;
#else
        const ggml_tensor *from = src1;
#endif
        m_data.resize(ggml_nelements(from));
        ggml_backend_tensor_get(from, m_data.data(), 0, ggml_nbytes(from)); // bug
        auto &e = m_stats[src0->name];
        if (e.values.empty())
            e.values.resize(from->ne[0], 0);
        e.ncall++;
        for (size_t j = 0; j < e.values.size(); ++j)
            e.values[j] += m_data[j] * m_data[j];
        return true;
    }
    float sum(const std::string &name) const
    {
        float s = 0;
        for (float v : m_stats.at(name).values)
            s += v;
        return s;
    }
};

int run(ggml_context *ctx)
{
    collector c;
    ggml_tensor *w = ggml_new_tensor_2d(ctx, GGML_TYPE_F16, 16, 8);
    for (int i = 0; i < 16 * 8; i++)
        ggml_set_f32_1d(w, i, 0.1f * (i % 5));
    ggml_set_name(w, "blk.0.ffn_up.weight");
    ggml_tensor *out = ggml_mul_mat(ctx, w, load(ctx, "x.f32", {16, 4}));
    ggml_cgraph *gf = ggml_new_graph(ctx);
    ggml_build_forward_expand(gf, out);
    place(ctx);
    compute(ctx, gf);
    if (c.collect(out, true))
        c.collect(out, false);
    ggml_tensor *r = ggml_new_f32(ctx, c.sum("blk.0.ffn_up.weight"));
    ggml_cgraph *g2 = ggml_new_graph(ctx);
    ggml_build_forward_expand(g2, ggml_sqr(ctx, r));
    compute(ctx, g2);
    return 0;
}
