/* Looks at the bias of a batch with one padded row. */
#include <stdio.h>

#include "chat.h"

int main(void)
{
    struct batch b;
    batch_collate(&b, (int64_t[]){PAD, PAD, 7, 8, 9, 4, 5, 6, 7, 8});
    mc_tensor *bias = attention_bias(b.padding_mask);
    double first = mc_item(mc_select(mc_select(mc_select(bias, 0, 0), 0, 4), 0, 0));
    printf("the last token looks at padding with a bias of %g\n", first);
    return first > -1e3;
}
