/* llama.h: a decoder of Llama's form: RMS norms, rotated queries and keys, fewer heads for keys and
 * values than for queries, a gated layer. Its weights come from a .safetensors file, in bf16. */
#ifndef LLAMA_H
#define LLAMA_H

#include <miscast/tensor.h>

enum { MAX_LAYERS = 8 };

struct llama_config {
    int64_t vocab, width, hidden;
    int64_t layers, heads, kv_heads; /* heads: a multiple of kv_heads */
    int64_t context;
    double rope_base, eps;
};

struct attention {
    mc_tensor *wq, *wk, *wv, *wo;
};

struct mlp {
    mc_tensor *gate, *up, *down;
};

struct layer {
    mc_tensor *attention_norm, *mlp_norm;
    struct attention attention;
    struct mlp mlp;
};

/* Angles by which a place is rotated: (context, head / 2), f32. */
struct rope {
    mc_tensor *cos, *sin;
};

struct llama {
    struct llama_config config;
    mc_tensor *embedding, *norm, *output;
    struct layer layers[MAX_LAYERS];
    struct rope rope;
};

/* Keys and values so far, a layer each: (batch, kv_heads, context, head), in the model's dtype. */
struct cache {
    int64_t length;
    mc_tensor *k[MAX_LAYERS], *v[MAX_LAYERS];
};

/* load.c: the weights of a file, as dtype on device. Ends the program if one is missing. */
void llama_load(struct llama *m, const char *path, mc_dtype dtype, mc_device device);
/* Writes a file of random weights in bf16. */
void llama_write_random(const struct llama_config *c, const char *path);

/* rope.c */
struct rope rope_make(const struct llama_config *c, mc_device device);
/* x: (batch, heads, time, head), whose first token stands at `start`. In x's dtype. */
mc_tensor *rope_apply(const struct rope *r, mc_tensor *x, int64_t start);

/* attention.c */
void cache_init(struct cache *c, const struct llama *m, int64_t batch);
mc_tensor *attention_forward(const struct llama *m, int64_t layer, mc_tensor *x,
                             struct cache *cache);

/* model.c. tokens: (batch, time), i64. Logits in f32: (batch, time, vocab). */
mc_tensor *llama_forward(const struct llama *m, mc_tensor *tokens, struct cache *cache);

#endif
