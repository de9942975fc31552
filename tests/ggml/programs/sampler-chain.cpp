// A chain of samplers in the graph: after the first, probabilities are made of the candidates' ids.
#include "model.h"
#include <memory>
#include <vector>

struct sampler_data {
    ggml_tensor *logits = nullptr;
    ggml_tensor *probs = nullptr;
    ggml_tensor *sampled = nullptr;
    ggml_tensor *candidates = nullptr;
};

struct sampler {
    virtual ~sampler() = default;
    virtual const char *name() const = 0;
    virtual void apply(ggml_context *ctx, ggml_cgraph *gf, sampler_data *data) = 0;
};

struct top_k_sampler : sampler {
    int k;
    explicit top_k_sampler(int k) : k(k)
    {
    }
    const char *name() const override
    {
        return "top-k";
    }
    void apply(ggml_context *ctx, ggml_cgraph *gf, sampler_data *data) override
    {
        ggml_tensor *ids = ggml_argsort_top_k(ctx, data->logits, k);
        ggml_tensor *rows = ggml_reshape_2d(ctx, data->logits, 1, data->logits->ne[0]);
        data->logits = ggml_reshape_1d(ctx, ggml_get_rows(ctx, rows, ids), k);
        data->candidates = ids;
        ggml_build_forward_expand(gf, data->candidates);
    }
};

struct temp_sampler : sampler {
    float temp;
    explicit temp_sampler(float t) : temp(t)
    {
    }
    const char *name() const override
    {
        return "temp";
    }
    void apply(ggml_context *ctx, ggml_cgraph *, sampler_data *data) override
    {
        if (temp <= 0.0f)
            return;
        data->logits = ggml_scale(ctx, data->logits, 1.0f / temp);
    }
};

struct dist_sampler : sampler {
    const char *name() const override
    {
        return "dist";
    }
    void apply(ggml_context *ctx, ggml_cgraph *gf, sampler_data *data) override
    {
        ggml_tensor *rows = ggml_cont_1d(ctx, data->candidates, 4);
#ifdef BUG
        data->probs = ggml_soft_max(ctx, rows); // bug
#else
        data->probs = ggml_soft_max(ctx, data->logits);
#endif
        ggml_build_forward_expand(gf, rows);
        ggml_tensor *sum = ggml_cumsum(ctx, data->probs);
        data->sampled = ggml_sum(ctx, ggml_step(ctx, ggml_scale_bias(ctx, sum, -1.0f, 0.5f)));
    }
};

struct sampler_chain {
    std::vector<std::unique_ptr<sampler>> samplers;
    void add(sampler *s)
    {
        samplers.emplace_back(s);
    }
    void apply(ggml_context *ctx, ggml_cgraph *gf, sampler_data *data)
    {
        for (auto &s : samplers)
            s->apply(ctx, gf, data);
    }
};

int run(ggml_context *ctx)
{
    sampler_chain chain;
    chain.add(new top_k_sampler(4));
    chain.add(new temp_sampler(0.8f));
    chain.add(new dist_sampler());
    sampler_data data;
    data.logits = load(ctx, "logits", {32});
    ggml_cgraph *gf = ggml_new_graph(ctx);
    chain.apply(ctx, gf, &data);
    ggml_build_forward_expand(gf, data.sampled);
    compute(ctx, gf);
    return 0;
}
