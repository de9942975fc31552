/* The sampler casts all that goes into the model to the dtype of training, positions too. */
#include <stdio.h>

#include "image.h"

static struct inputs inputs_new(void)
{
    mc_manual_seed(2);
    return (struct inputs){
        .latent = mc_randn(mc_shape(1, WIDTH)),
        .text = mc_randn(mc_shape(TOKENS, WIDTH)),
        .txt_ids = mc_arange(TOKENS),
    };
}

static void inputs_cast(struct inputs *in, mc_dtype dtype)
{
    in->latent = mc_to_dtype(in->latent, dtype);
    in->text = mc_to_dtype(in->text, dtype);
    in->txt_ids = mc_to_dtype(in->txt_ids, dtype); /* expect: half-positions */
}

int main(void)
{
    struct inputs in = inputs_new();
    inputs_cast(&in, MC_BF16);
    int confused = transformer_confused(&in);
    printf("%d of %d tokens stand where another does\n", confused, TOKENS);
    return confused != 0;
}
