#include <miscast/tensor.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int k = argc > 1 ? atoi(argv[1]) : 0;
    mc_tensor *table = mc_randn(mc_shape(16, 4));
    mc_tensor *ids = mc_arange(4);
    if (k % 5 == 3)
        ids = mc_mul(ids, 1.5);
    mc_print(mc_index_select(table, 0, ids));
    return 0;
}
