// Host data of several inputs is kept in a table until there is memory; one has another type than
// its tensor.
#include "ggml-backend.h"
#include "model.h"

#include <string>
#include <vector>

struct host_input {
    std::string name;
    ggml_tensor *tensor;
    const void *data;
    size_t bytes;
};

class runner
{
    std::vector<host_input> inputs;

  protected:
    ggml_context *ctx;

    template <typename T>
    ggml_tensor *input(const char *name, ggml_type type, const std::vector<T> &data)
    {
        ggml_tensor *t = ggml_new_tensor_1d(ctx, type, (int64_t)data.size());
        ggml_set_name(t, name);
        inputs.push_back({name, t, data.data(), data.size() * sizeof(T)});
        return t;
    }

    void upload()
    {
        for (const auto &in : inputs)
            ggml_backend_tensor_set(in.tensor, in.data, 0, in.bytes); // bug
    }

  public:
    explicit runner(ggml_context *ctx) : ctx(ctx)
    {
    }
    virtual ~runner() = default;
    virtual ggml_cgraph *build() = 0;
    void execute()
    {
        ggml_cgraph *gf = build();
        place(ctx);
        upload();
        compute(ctx, gf);
    }
};

class scheduler_runner : public runner
{
#ifdef BUG
    std::vector<int32_t> timesteps = std::vector<int32_t>(4, 999);
#else
    std::vector<float> timesteps = std::vector<float>(4, 999.0f);
#endif
    std::vector<float> sigmas = std::vector<float>(8, 0.5f);

  public:
    using runner::runner;
    ggml_cgraph *build() override
    {
        ggml_cgraph *gf = ggml_new_graph(ctx);
        ggml_tensor *t = input("timesteps", GGML_TYPE_F32, timesteps);
        ggml_tensor *s = input("sigmas", GGML_TYPE_F32, sigmas);
        ggml_tensor *emb = ggml_timestep_embedding(ctx, t, 8, 10000);
        ggml_build_forward_expand(gf, ggml_mul(ctx, emb, s));
        return gf;
    }
};

int run(ggml_context *ctx)
{
    scheduler_runner r(ctx);
    r.execute();
    return 0;
}
