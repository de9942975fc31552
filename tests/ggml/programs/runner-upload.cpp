// A runner keeps data for tensors in a map until they have memory. The steps are ints there; their
// tensor is f32.
#include "ggml-backend.h"
#include "model.h"

#include <functional>
#include <map>
#include <vector>

struct runner {
    ggml_context *compute_ctx;
    std::map<ggml_tensor *, const void *> backend_tensor_data_map;

    explicit runner(ggml_context *ctx) : compute_ctx(ctx)
    {
    }

    void set_backend_tensor_data(ggml_tensor *tensor, const void *data)
    {
        backend_tensor_data_map[tensor] = data;
    }

    void cpy_data_to_backend_tensor()
    {
        for (auto &kv : backend_tensor_data_map) {
            ggml_tensor *tensor = kv.first;
            const void *data = kv.second;
            ggml_backend_tensor_set(tensor, data, 0, ggml_nbytes(tensor)); // bug
        }
        backend_tensor_data_map.clear();
    }

    void compute_graph(const std::function<ggml_cgraph *()> &get_graph)
    {
        ggml_cgraph *gf = get_graph();
        place(compute_ctx);
        cpy_data_to_backend_tensor();
        compute(compute_ctx, gf);
    }
};

struct denoiser : runner {
#ifdef BUG
    std::vector<int> steps = std::vector<int>(4, 3);
#else
    std::vector<float> steps = std::vector<float>(4, 3.0f);
#endif
    std::vector<float> guidance = std::vector<float>(4, 1.0f);

    using runner::runner;

    ggml_cgraph *build_graph()
    {
        ggml_cgraph *gf = ggml_new_graph(compute_ctx);
        ggml_tensor *t = ggml_new_tensor_1d(compute_ctx, GGML_TYPE_F32, (int64_t)steps.size());
        set_backend_tensor_data(t, steps.data());
        ggml_tensor *g = ggml_new_tensor_1d(compute_ctx, GGML_TYPE_F32, (int64_t)guidance.size());
        set_backend_tensor_data(g, guidance.data());
        ggml_build_forward_expand(gf, ggml_mul(compute_ctx, t, g));
        return gf;
    }

    void sample()
    {
        auto get_graph = [&]() -> ggml_cgraph * { return build_graph(); };
        compute_graph(get_graph);
    }
};

int run(ggml_context *ctx)
{
    denoiser d(ctx);
    d.sample();
    return 0;
}
