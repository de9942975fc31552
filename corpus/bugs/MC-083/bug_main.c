/* The batch is where the model begins. */
#include <stdio.h>

#include "parallel.h"

int main(void)
{
    struct model m;
    model_load(&m, MC_CUDA_AT(0), MC_CUDA_AT(1));
    mc_tensor *text = mc_randint(0, VOCAB, mc_shape(TOKENS + 1), .device = MC_CUDA_AT(0));
    mc_tensor *tokens = mc_slice(text, 0, 0, TOKENS), *labels = mc_slice(text, 0, 1, TOKENS + 1);
    mc_tensor *loss = model_loss(&m, tokens, labels);
    printf("loss is %s\n", mc_item(loss) > 0 ? "positive" : "zero");
    return 0;
}
