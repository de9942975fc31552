/* Activations follow the layers. */
#include "parallel.h"

static mc_tensor *layer_forward(const struct layer *l, mc_tensor *x)
{
    return mc_linear(mc_to_device(x, l->device), l->w, NULL);
}

mc_tensor *model_logits(const struct model *m, mc_tensor *tokens)
{
    mc_tensor *h = mc_embedding(tokens, m->embedding);
    return layer_forward(&m->head, mc_gelu(layer_forward(&m->body, h)));
}

mc_tensor *model_loss(const struct model *m, mc_tensor *tokens, mc_tensor *labels)
{
    mc_tensor *logits = model_logits(m, tokens);
    labels = mc_to_device(labels, mc_device_of(logits));
    return mc_cross_entropy(logits, labels);
}
