/* Weights from a file, and a file to have some. */
#include "llama.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { LAYER_TENSORS = 9, MAX_NAME = 64 };

struct reader {
    mc_safetensors *file;
    mc_dtype dtype;
    mc_device device;
};

/* A tensor by name, of rows × columns; columns 0: of rows. */
static mc_tensor *get(const struct reader *r, const char *name, int64_t rows, int64_t columns)
{
    mc_tensor *t = mc_safetensors_get(r->file, name);
    MC_EXPECT(t, MC_BF16, MC_CPU);
    bool fits = mc_size(t, 0) == rows &&
                (columns ? mc_ndim(t) == 2 && mc_size(t, 1) == columns : mc_ndim(t) == 1);
    if (!fits) {
        fprintf(stderr, "%s has another shape than the model\n", name);
        exit(2);
    }
    return mc_to(t, .dtype = r->dtype, .device = r->device);
}

static mc_tensor *get_of_layer(const struct reader *r, int64_t layer, const char *name,
                               int64_t rows, int64_t columns)
{
    char full[MAX_NAME];
    snprintf(full, sizeof full, "model.layers.%d.%s.weight", (int)layer, name);
    return get(r, full, rows, columns);
}

static void layer_load(struct layer *l, const struct llama_config *c, const struct reader *r,
                       int64_t i)
{
    int64_t kv_width = c->width / c->heads * c->kv_heads;
    l->attention_norm = get_of_layer(r, i, "input_layernorm", c->width, 0);
    l->attention.wq = get_of_layer(r, i, "self_attn.q_proj", c->width, c->width);
    l->attention.wk = get_of_layer(r, i, "self_attn.k_proj", kv_width, c->width);
    l->attention.wv = get_of_layer(r, i, "self_attn.v_proj", kv_width, c->width);
    l->attention.wo = get_of_layer(r, i, "self_attn.o_proj", c->width, c->width);
    l->mlp_norm = get_of_layer(r, i, "post_attention_layernorm", c->width, 0);
    l->mlp.gate = get_of_layer(r, i, "mlp.gate_proj", c->hidden, c->width);
    l->mlp.up = get_of_layer(r, i, "mlp.up_proj", c->hidden, c->width);
    l->mlp.down = get_of_layer(r, i, "mlp.down_proj", c->width, c->hidden);
}

void llama_load(struct llama *m, const char *path, mc_dtype dtype, mc_device device)
{
    const struct llama_config *c = &m->config;
    struct reader r = {mc_safetensors_open(path), dtype, device};
    if (!r.file)
        exit(2);
    m->embedding = get(&r, "model.embed_tokens.weight", c->vocab, c->width);
    m->norm = get(&r, "model.norm.weight", c->width, 0);
    m->output = get(&r, "lm_head.weight", c->vocab, c->width);
    for (int64_t i = 0; i < c->layers; i++)
        layer_load(&m->layers[i], c, &r, i);
    mc_safetensors_close(r.file);
    m->rope = rope_make(c, device);
}

/* ---- writing ---------------------------------------------------------------------------- */

struct writer {
    size_t count;
    mc_tensor *tensors[3 + MAX_LAYERS * LAYER_TENSORS];
    char names[3 + MAX_LAYERS * LAYER_TENSORS][MAX_NAME];
};

static void put(struct writer *w, const char *prefix, const char *name, mc_tensor *t)
{
    snprintf(w->names[w->count], MAX_NAME, "%s.%s.weight", prefix, name);
    w->tensors[w->count++] = mc_bfloat16(t);
}

static mc_tensor *random_matrix(int64_t rows, int64_t columns)
{
    return mc_mul(mc_randn(mc_shape(rows, columns)), 1 / sqrt((double)columns));
}

static void put_layer(struct writer *w, const struct llama_config *c, int64_t i)
{
    int64_t kv_width = c->width / c->heads * c->kv_heads;
    char prefix[MAX_NAME / 2];
    snprintf(prefix, sizeof prefix, "model.layers.%d", (int)i);
    put(w, prefix, "input_layernorm", mc_ones(mc_shape(c->width)));
    put(w, prefix, "self_attn.q_proj", random_matrix(c->width, c->width));
    put(w, prefix, "self_attn.k_proj", random_matrix(kv_width, c->width));
    put(w, prefix, "self_attn.v_proj", random_matrix(kv_width, c->width));
    put(w, prefix, "self_attn.o_proj", random_matrix(c->width, c->width));
    put(w, prefix, "post_attention_layernorm", mc_ones(mc_shape(c->width)));
    put(w, prefix, "mlp.gate_proj", random_matrix(c->hidden, c->width));
    put(w, prefix, "mlp.up_proj", random_matrix(c->hidden, c->width));
    put(w, prefix, "mlp.down_proj", random_matrix(c->width, c->hidden));
}

void llama_write_random(const struct llama_config *c, const char *path)
{
    mc_scope s = mc_scope_begin();
    struct writer w = {0};
    put(&w, "model", "embed_tokens", random_matrix(c->vocab, c->width));
    put(&w, "model", "norm", mc_ones(mc_shape(c->width)));
    snprintf(w.names[w.count], MAX_NAME, "lm_head.weight");
    w.tensors[w.count++] = mc_bfloat16(random_matrix(c->vocab, c->width));
    for (int64_t i = 0; i < c->layers; i++)
        put_layer(&w, c, i);

    const char *names[3 + MAX_LAYERS * LAYER_TENSORS];
    for (size_t i = 0; i < w.count; i++)
        names[i] = w.names[i];
    if (!mc_safetensors_save(path, w.count, names, w.tensors))
        exit(2);
    mc_scope_end(s);
}
