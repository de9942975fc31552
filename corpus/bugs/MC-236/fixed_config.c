/* The settings of this run, and what is done with them. */
#include <stdio.h>

#include "vision.h"

int main(void)
{
    struct config c = {
        .vit_precision = MC_F32,
        .freeze_vit = false,
    };
    struct model m;
    model_build(&m, &c);
    model_train(&m, &c, 2);
    printf("trained an encoder of %s\n", mc_dtype_name(mc_dtype_of(m.vit)));
    return 0;
}
