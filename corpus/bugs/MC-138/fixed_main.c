/* One step of generation for two texts, of which the second is as long as it may be. */
#include <stdio.h>

#include "sampler.h"

int main(void)
{
    struct model m;
    model_load(&m);
    mc_tensor *tokens = mc_from_array(((int64_t[]){5, 9}), mc_shape(2));
    mc_tensor *scores = model_scores(&m, tokens);
    end_when_full(scores, (int[]){3, 8}, 8);
    mc_tensor *next = mc_argmax(scores, .dim = mc_dims(1));
    printf("the second text goes on with token %d\n", (int)mc_item_int(mc_select(next, 0, 1)));
    return mc_item_int(mc_select(next, 0, 1)) != END_OF_TEXT;
}
