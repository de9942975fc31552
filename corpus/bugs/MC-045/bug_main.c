/* The loss of an untrained model. */
#include <stdio.h>

#include "page.h"

int main(void)
{
    mc_manual_seed(45);
    mc_tensor *w = mc_randn(mc_shape(CHARACTERS, FEATURES));
    struct sample s = sample_read("abc");
    printf("loss %.3f\n", mc_item(page_loss(w, &s)));
    return 0;
}
