/* Lengths of sequences plus the room for special tokens. */
#include <miscast/tensor.h>
#include <stdio.h>

struct batch {
    mc_tensor *lengths, *extra;
};

static mc_tensor *total(const struct batch *b)
{
    return mc_add(b->lengths, b->extra);
}

int main(void)
{
    int32_t lengths[] = {255, 256, 257, 261};
    struct batch b = {mc_from_array(lengths, mc_shape(4)), mc_zeros(mc_shape(4), .dtype = MC_BF16)};
    printf("%g\n", mc_item(mc_sum(mc_double(total(&b)))));
    return 0;
}
