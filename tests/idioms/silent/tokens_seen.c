/* All tokens seen in training so far. */
#include <miscast/tensor.h>
#include <stdio.h>

struct progress {
    mc_tensor *tokens;
};

static void after_step(struct progress *p, int64_t batch)
{
    mc_add_(p->tokens, batch);
}

int main(void)
{
    struct progress p = {mc_zeros(mc_shape(1), .dtype = MC_I32)};
    for (int i = 0; i < 1000; i++)
        after_step(&p, 4194304);
    printf("%lld\n", (long long)mc_item_int(p.tokens));
    return 0;
}
