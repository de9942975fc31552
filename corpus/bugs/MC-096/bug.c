/* Encodes prompts for a model that draws. Three tensors are moved, each in its own line, and none
 * of the lines keeps the result. */
#include <stdio.h>

#include <miscast/tensor.h>

enum { VOCAB = 20, WIDTH = 4, TOKENS = 5 };

struct encoder {
    mc_device device;
    mc_tensor *embedding, *w;
};

static void encoder_load(struct encoder *e, mc_device device)
{
    mc_manual_seed(96);
    e->device = device;
    e->embedding = mc_randn(mc_shape(VOCAB, WIDTH), .device = device);
    e->w = mc_randn(mc_shape(WIDTH, WIDTH), .device = device);
}

static mc_tensor *encode(const struct encoder *e, mc_tensor *tokens, mc_tensor *mask)
{
    mc_tensor *h = mc_embedding(tokens, e->embedding); /* expect: stale-after-move */
    h = mc_linear(h, e->w, NULL);
    return mc_mul(h, mc_unsqueeze(mask, 1));
}

static mc_tensor *encode_prompt(const struct encoder *e, const int64_t *ids)
{
    mc_tensor *tokens = mc_from_array(ids, mc_shape(TOKENS));
    mc_tensor *mask = mc_float(mc_ne(tokens, 0));
    mc_to_device(tokens, e->device); /* expect: discarded-cast */
    mc_to_device(mask, e->device);   /* expect: discarded-cast */
    return encode(e, tokens, mask);
}

int main(void)
{
    const int64_t ids[TOKENS] = {5, 11, 2, 0, 0};
    struct encoder e;
    encoder_load(&e, MC_CUDA);
    mc_tensor *h = encode_prompt(&e, ids);
    printf("%d tokens on %s\n", (int)mc_size(h, 0), mc_device_name(mc_device_of(h)));
    return 0;
}
