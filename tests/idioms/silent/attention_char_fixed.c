/* Attention maps in one byte each. */
#include <miscast/tensor.h>
#include <stdio.h>

static mc_tensor *pack(mc_tensor *scores)
{
    mc_tensor *p = mc_softmax(scores, -1);
    return mc_byte(mc_mul(p, 255.0));
}

int main(void)
{
    mc_tensor *q = pack(mc_mul(mc_eye(4), 5.0));
    printf("%g\n", mc_item(mc_max(mc_float(q))));
    return 0;
}
