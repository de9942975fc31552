#include <miscast/tensor.h>

int main(void)
{
    int ids[3] = {1, 2, 3};
    mc_tensor *table = mc_randn(mc_shape(10, 4)), *i = mc_from_array(ids, mc_shape(3));
    mc_print(mc_embedding(i, table));
    mc_print(mc_index_select(table, 0, mc_long(i)));
    mc_print(mc_index_select(table, 0, mc_floor_divide(i, 2)));
    mc_print(mc_index(table, mc_gt(mc_select(table, 1, 0), 0)));
    return 0;
}
