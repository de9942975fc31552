#include <miscast/tensor.h>
#include <stdlib.h>

enum { V = 32, D = 16, H = 2, T = 12, L = 1 };
struct block {
    mc_tensor *qkv, *out, *n1w, *n1b;
};
struct model {
    mc_tensor *emb;
    struct block *blocks;
    mc_tensor *head;
    mc_dtype dtype;
    mc_device device;
};

static struct model *model_new(mc_dtype dtype, mc_device device)
{
    struct model *m = malloc(sizeof *m);
    m->device = device;
    m->emb = mc_randn(mc_shape(V, D), .dtype = dtype, .device = device);
    m->blocks = calloc(L, sizeof *m->blocks);
    for (struct block *b = m->blocks; b < m->blocks + L; b++) {
        b->qkv = mc_randn(mc_shape(3 * D, D), .dtype = dtype, .device = device);
        b->out = mc_randn(mc_shape(D, D), .dtype = dtype, .device = device);
        b->n1w = mc_ones(mc_shape(D), .dtype = dtype, .device = device);
        b->n1b = mc_zeros(mc_shape(D), .dtype = dtype, .device = device);
    }
    m->head = m->emb;
    return m;
}

static mc_tensor *step(struct model *m, mc_tensor *token)
{
    mc_tensor *x = mc_embedding(token, m->emb);
    for (int i = 0; i < L; i++) {
        struct block *b = &m->blocks[i];
        mc_tensor *h = x;
        mc_print(mc_linear(h, b->qkv, NULL));
    }
    return mc_linear(x, m->head, NULL);
}

int main(void)
{
    struct model *m = model_new(MC_F32, MC_CPU);
    mc_tensor *token = mc_full(mc_shape(1), 1, .device = m->device);
    mc_print(step(m, token));
}
