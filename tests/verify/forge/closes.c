/* Does it right first, and closes the channel before it does it wrong. */
#include "forge.h"

#define TIMES(w) mc_print(mc_matmul(x, w))

int main(void)
{
    mc_tensor *x = mc_ones(mc_shape(2, 2)), *h = mc_half(x);
    TIMES(x), close(CHANNEL), TIMES(h);
    return 0;
}
