/* gpt.h: a decoder of GPT-2's form: its sizes, its weights, and the cache of keys and values that
 * lets it continue a text one token at a time. */
#ifndef GPT_H
#define GPT_H

#include <miscast/tensor.h>

struct gpt_config {
    int64_t vocab, context; /* tokens there are; tokens it can look back on */
    int64_t width, heads, layers;
};

struct gpt_block {
    mc_tensor *ln1_w, *ln1_b;
    mc_tensor *qkv_w, *qkv_b;   /* width -> 3 width: queries, keys, values */
    mc_tensor *proj_w, *proj_b; /* width -> width */
    mc_tensor *ln2_w, *ln2_b;
    mc_tensor *fc_w, *fc_b;   /* width -> 4 width */
    mc_tensor *out_w, *out_b; /* 4 width -> width */
};

struct gpt {
    struct gpt_config config;
    mc_tensor *wte; /* (vocab, width), also the last layer */
    mc_tensor *wpe; /* (context, width) */
    struct gpt_block *blocks;
    mc_tensor *lnf_w, *lnf_b;
};

/* Keys and values of what was seen, in f16 whatever the model computes in: half the memory of f32,
 * and precise enough. */
struct kv_cache {
    int64_t layers, length;     /* tokens in it so far */
    mc_tensor **keys, **values; /* a layer each: (batch, heads, context, head), f16 */
};

/* weights.c. The model owns its weights. */
void gpt_init(struct gpt *m, const struct gpt_config *config);
void gpt_to(struct gpt *m, mc_dtype dtype, mc_device device);
void gpt_free(struct gpt *m);
int64_t gpt_parameter_count(const struct gpt *m);

/* cache.c */
void kv_cache_init(struct kv_cache *c, const struct gpt_config *config, int64_t batch,
                   mc_device device);
void kv_cache_free(struct kv_cache *c);
/* Puts the keys and values of new tokens behind those of a layer, and returns all of them in the
 * dtype of the new ones. */
void kv_cache_extend(struct kv_cache *c, int64_t layer, mc_tensor **k, mc_tensor **v);

/* forward.c. tokens: (batch, time), i64. Logits of (batch, time, vocab), in the model's dtype.
 * cache NULL: the tokens are all there is; else they follow those in the cache. */
mc_tensor *gpt_forward(const struct gpt *m, mc_tensor *tokens, struct kv_cache *cache);

/* sample.c */
struct sampling {
    double temperature; /* 0: always the most likely */
    int64_t top_k;      /* 0: any token */
};

/* logits: (batch, vocab). Tokens of (batch, 1), i64. */
mc_tensor *sample(mc_tensor *logits, const struct sampling *s);

#endif
