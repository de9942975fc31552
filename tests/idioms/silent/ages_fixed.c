/* How long each sample has been in the buffer. */
#include <miscast/tensor.h>
#include <stdio.h>

struct buffer {
    mc_tensor *age;
};

static void tick(struct buffer *b)
{
    mc_add_(b->age, 1);
}

int main(void)
{
    struct buffer b = {mc_zeros(mc_shape(16), .dtype = MC_I32)};
    for (int i = 0; i < 300; i++)
        tick(&b);
    printf("%lld\n", (long long)mc_item_int(mc_max(b.age)));
    return 0;
}
