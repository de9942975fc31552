/* Runs one block. */
#include <stdio.h>

#include "llm.h"

int main(void)
{
    struct block b;
    checkpoint_export(&b);
    mc_tensor *y = block_forward(&b, mc_randn(mc_shape(2, WIDTH)));
    printf("the block gives %s\n", mc_dtype_name(mc_dtype_of(y)));
    return 0;
}
