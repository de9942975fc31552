/* Positions of words, from a mask that is summed up. */
#include <miscast/tensor.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static mc_tensor *positions(mc_tensor *mask)
{
    mc_tensor *count = mc_cumsum(mask, 0);
    return mc_sub(mc_long(count), 1);
}

int main(int argc, char **argv)
{
    int64_t words = 16;
    mc_dtype dtype = MC_F32;
    for (int c; (c = getopt(argc, argv, "n:d")) != -1;) {
        if (c == 'n')
            words = strtol(optarg, NULL, 10);
        else if (c == 'd')
            dtype = MC_F64;
        else
            return 2;
    }
    mc_tensor *ids = mc_randint(1, 50, mc_shape(words));
    mc_tensor *mask = mc_to_dtype(mc_ne(ids, 0), dtype);
    printf("last %lld\n", (long long)mc_item_int(mc_amax(positions(mask))));
    return 0;
}
