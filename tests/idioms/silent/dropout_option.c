/* The rate of dropout is an option. */
#include <miscast/tensor.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct options {
    long dropout;
};

int main(int argc, char **argv)
{
    struct options o = {0};
    for (int i = 1; i + 1 < argc; i++)
        if (!strcmp(argv[i], "--dropout"))
            o.dropout = strtol(argv[i + 1], NULL, 10);
    mc_manual_seed(5);
    mc_tensor *x = mc_ones(mc_shape(1000));
    mc_tensor *y = mc_dropout(x, o.dropout);
    printf("zeros: %lld\n", (long long)mc_item_int(mc_sum(mc_eq(y, 0))));
    return 0;
}
