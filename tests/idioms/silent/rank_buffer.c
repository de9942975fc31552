/* The rank of each kept token, in a preallocated buffer. */
#include <miscast/tensor.h>
#include <stdio.h>

struct ranks {
    mc_tensor *buffer;
};

static void fill(struct ranks *r, mc_tensor *kept)
{
    mc_copy_(r->buffer, mc_cumsum(kept, 0));
}

int main(void)
{
    struct ranks r = {mc_zeros(mc_shape(500), .dtype = MC_U8)};
    fill(&r, mc_ones(mc_shape(500), .dtype = MC_BOOL));
    printf("largest %g\n", mc_item(mc_max(mc_float(r.buffer))));
    return 0;
}
