/* The best of many candidates, by a score of whole numbers. */
#include <miscast/tensor.h>
#include <stdio.h>
#include <string.h>

static int64_t best(mc_tensor *scores)
{
    return mc_item_int(mc_argmax(scores));
}

int main(int argc, char **argv)
{
    mc_dtype d = MC_F32;
    for (int i = 1; i < argc; i++)
        if (!strcmp(argv[i], "--bf16"))
            d = MC_BF16;
    mc_tensor *scores = mc_to_dtype(mc_arange(1000), d);
    printf("%lld\n", (long long)best(scores));
    return 0;
}
