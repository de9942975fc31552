#include <memory>

struct ggml_context;
struct ggml_tensor;
extern "C" {
ggml_tensor *ggml_mul_mat(ggml_context *ctx, ggml_tensor *a, ggml_tensor *b);
ggml_tensor *ggml_add(ggml_context *ctx, ggml_tensor *a, ggml_tensor *b);
ggml_tensor *ggml_relu(ggml_context *ctx, ggml_tensor *a);
ggml_tensor *ggml_cont(ggml_context *ctx, ggml_tensor *a);
ggml_tensor *ggml_top_k(ggml_context *ctx, ggml_tensor *a, int k);
ggml_tensor *ggml_lightning_indexer(ggml_context *ctx, ggml_tensor *q, ggml_tensor *k,
                                    ggml_tensor *weights, ggml_tensor *mask);
}
struct options { bool fused; };
struct sparse_input { const options &opt; ggml_tensor *mask = nullptr; ggml_tensor *rot = nullptr; sparse_input(const options &c) : opt(c) {} ggml_tensor *get() const { return mask; } };
struct local_input { ggml_tensor *mask = nullptr; };
struct inputs { std::unique_ptr<sparse_input> sparse; std::unique_ptr<local_input> local;
   sparse_input *get_sparse() const { return sparse.get(); } local_input *get_local() const { return local.get(); } };
struct sizes { int n; unsigned a[64]; bool is_swa(int il) const; };
struct params_t { const options &opt; const sizes &hparams; };
struct base {
    const sizes &hparams;
    const options &opt;
    ggml_context *ctx0 = nullptr;
    const int n_layer;
    base(const params_t &p);
    ggml_tensor *norm(ggml_tensor *x, int il) const;
    void cb(ggml_tensor *x, const char *name, int il) const;
    inputs *build_inp() const;
    ggml_tensor *attn(sparse_input *inp, ggml_tensor *x, ggml_tensor *top, int il) const;
    ggml_tensor *attn(local_input *inp, ggml_tensor *x, int il) const;
};
struct layer { ggml_tensor *wq, *wk, *wp; };
struct model { layer layers[8]; ggml_tensor *embd; };
/* The mask is f16 if the option is set, and f32 if not, in all layers that use it. */
struct graph : base {
    graph(const model &m, const params_t &p) : base(p)
    {
        ggml_tensor *cur = m.embd;
        inputs *inp = build_inp();
        for (int il = 0; il < n_layer; ++il) {
            const bool swa = hparams.is_swa(il);
            ggml_tensor *top = nullptr;
            if (!swa) {
                ggml_tensor *q = ggml_mul_mat(ctx0, m.layers[il].wq, cur);
                ggml_tensor *k = ggml_mul_mat(ctx0, m.layers[il].wk, cur);
                ggml_tensor *w = ggml_mul_mat(ctx0, m.layers[il].wp, cur);
                cb(q, "q", il);
                ggml_tensor *score = nullptr;
                if (opt.fused) {
                    score = ggml_lightning_indexer(ctx0, q, k, w, inp->get_sparse()->get());
                    cb(score, "score", il);
                } else {
                    score = ggml_relu(ctx0, ggml_mul_mat(ctx0, k, q));
                    ggml_tensor *mask = inp->get_sparse()->get();
                    score = ggml_add(ctx0, score, mask);
                    cb(score, "score", il);
                }
                top = ggml_cont(ctx0, ggml_top_k(ctx0, score, 8));
            }
            if (swa)
                cur = attn(inp->get_local(), cur, il);
            else
                cur = attn(inp->get_sparse(), cur, top, il);
            cb(cur, "cur", il);
        }
    }
};
std::unique_ptr<base> build(const model &m, const params_t &p) { return std::make_unique<graph>(m, p); }
