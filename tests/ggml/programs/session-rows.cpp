// A session is saved through a writer: rows of keys are found by the size of those of values.
#include "ggml-backend.h"
#include "model.h"

#include <vector>

class session_writer
{
  public:
    virtual ~session_writer() = default;
    virtual void write(const ggml_tensor *t, size_t offset, size_t size) = 0;
};

class buffer_writer : public session_writer
{
  public:
    std::vector<uint8_t> bytes;
    void write(const ggml_tensor *t, size_t offset, size_t size) override
    {
        const size_t before = bytes.size();
        bytes.resize(before + size);
        ggml_backend_tensor_get(t, bytes.data() + before, offset, size); // bug
    }
};

struct cells {
    ggml_tensor *k, *v;
    int64_t n_embd;

    void save(session_writer &to, int64_t first, int64_t count) const
    {
#ifdef BUG
        const size_t row = ggml_row_size(v->type, n_embd);
#else
        const size_t row = ggml_row_size(k->type, n_embd);
#endif
        to.write(k, first * row, count * row);
    }
};

int run(ggml_context *ctx)
{
    cells c = {ggml_new_tensor_2d(ctx, GGML_TYPE_Q8_0, 32, 16),
               ggml_new_tensor_2d(ctx, GGML_TYPE_F16, 32, 16), 32};
    ggml_tensor *out = ggml_new_tensor_1d(ctx, GGML_TYPE_F32, 1);
    ggml_cgraph *gf = ggml_new_graph(ctx);
    ggml_build_forward_expand(gf, ggml_scale(ctx, out, 1));
    place(ctx);
    buffer_writer to;
    c.save(to, 1, 3);
    static_cast<float *>(out->data)[0] = static_cast<float>(to.bytes.size());
    compute(ctx, gf);
    return 0;
}
